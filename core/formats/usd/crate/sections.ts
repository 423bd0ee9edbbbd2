/**
 * The tables of a usdc file, USD's binary encoding ("crate"): tokens, fields, paths and specs, which refer to each other by index [OpenUSD:
 * pxr/usd/usd/crateFile.h]. Counts are bounded, and every index is checked where it is used.
 */

import { FormatError } from '../../shared/error'
import { decodeUtf8 } from '../../shared/utf8'
import { CrateBytes, malformed } from './bytes'
import { unpack, unpackIntegers } from './compression'
import { MAX_DEPTH } from '../layer'

export interface CrateVersion {
  readonly minor: number
  readonly patch: number
}

export interface CratePaths {
  /** Index of the parent path, −1 for the root and for unused paths. */
  readonly parent: Int32Array
  /** Token of the last element. */
  readonly token: Int32Array
  /** 1 for a property, 0 for a prim or a variant selection. */
  readonly property: Uint8Array
}

export interface Crate {
  readonly version: CrateVersion
  readonly file: CrateBytes
  readonly tokens: readonly string[]
  /** Tokens of the file's strings. */
  readonly strings: Uint32Array
  readonly fields: {
    readonly token: Int32Array
    /** Location or inlined value, as two halves of 64 bits. */
    readonly low: Uint32Array
    readonly high: Uint32Array
  }
  /** Runs of fields, each ended by −1. */
  readonly fieldSets: Int32Array
  readonly paths: CratePaths
  readonly specs: {
    readonly path: Int32Array
    /** Start of its run of fields. */
    readonly fieldSet: Int32Array
    readonly type: Int32Array
  }
}

/** Oldest and newest supported version. Older ones have uncompressed tables; none has been written since 2017. */
const OLDEST = 4
const NEWEST = 13
/** Limit on the numbers of paths, specs, tokens and fields each, enough for about 30,000 bodies. They take up to 150 MB. */
export const MAX_ENTRIES = 500_000
/** Fields of a spec, on average. */
const MAX_FIELDS = 6
/** Total bytes of all tokens. */
const MAX_TEXT = 32 * 1024 * 1024
/** A path has prims, variant selections and a property. */
const MAX_PATH_DEPTH = 2 * MAX_DEPTH

interface Section {
  readonly start: number
  readonly size: number
}

/** @throws FormatError */
export function readCrate(bytes: Uint8Array): Crate {
  const file = new CrateBytes(bytes)
  file.take(8)
  const [major, minor, patch] = [file.u8(), file.u8(), file.u8()]
  if (major !== 0 || minor < OLDEST || minor > NEWEST) {
    throw new FormatError('Unsupported', 'byte 8', `The file has version ${major}.${minor}.${patch} of USD's binary encoding.`, { value: `${major}.${minor}.${patch}`, allowed: `0.${OLDEST} to 0.${NEWEST}` })
  }
  file.seek(16)
  file.seek(file.u64())
  const sections = tableOfContents(file)
  const open = (name: string): CrateBytes => {
    const section = sections.get(name)
    if (section === undefined) throw malformed(`it has no section ${name}`, 'table of contents')
    return new CrateBytes(bytes.subarray(section.start, section.start + section.size))
  }
  return {
    version: { minor, patch }, file, tokens: readTokens(open('TOKENS')), strings: readStrings(open('STRINGS')), fields: readFields(open('FIELDS')),
    fieldSets: readFieldSets(open('FIELDSETS')), paths: readPaths(open('PATHS')), specs: readSpecs(open('SPECS')),
  }
}

function tableOfContents(file: CrateBytes): Map<string, Section> {
  const sections = new Map<string, Section>()
  for (let left = file.count(32); left > 0; left--) {
    const name = file.take(16)
    const end = name.indexOf(0)
    const [start, size] = [file.u64(), file.u64()]
    if (start + size > file.bytes.length) file.fail('a section extends beyond the end of the file')
    sections.set(decodeUtf8(name.subarray(0, end < 0 ? 16 : end)), { start, size })
  }
  return sections
}

function entries(file: CrateBytes, most = MAX_ENTRIES): number {
  const count = file.u64()
  if (count > most) throw new FormatError('TooMany', `byte ${file.at}`, `A table of the file has ${count} entries.`, { value: count, allowed: `at most ${most}` })
  return count
}

function packedIntegers(file: CrateBytes, count: number): Int32Array {
  return unpackIntegers(file.take(file.u64()), count, 32) as Int32Array
}

function readFieldSets(file: CrateBytes): Int32Array {
  return packedIntegers(file, entries(file, MAX_FIELDS * MAX_ENTRIES))
}

function readTokens(file: CrateBytes): string[] {
  const count = entries(file)
  const size = file.u64()
  if (size > MAX_TEXT) throw new FormatError('TooLarge', 'TOKENS', `The tokens of the file are ${size} bytes long.`, { value: size, allowed: `at most ${MAX_TEXT}` })
  const text = unpack(file.take(file.u64()), size)
  const tokens: string[] = []
  for (let at = 0; tokens.length < count;) {
    const end = text.indexOf(0, at)
    if (end < 0) throw malformed('it has fewer tokens than stated', 'TOKENS')
    tokens.push(decodeUtf8(text.subarray(at, end)))
    at = end + 1
  }
  return tokens
}

function readStrings(file: CrateBytes): Uint32Array {
  const strings = new Uint32Array(file.count(4))
  for (let i = 0; i < strings.length; i++) strings[i] = file.u32()
  return strings
}

function readFields(file: CrateBytes): Crate['fields'] {
  const count = entries(file)
  const token = packedIntegers(file, count)
  const words = unpack(file.take(file.u64()), count * 8)
  const values = new CrateBytes(words)
  const [low, high] = [new Uint32Array(count), new Uint32Array(count)]
  for (let i = 0; i < count; i++) {
    low[i] = values.u32()
    high[i] = values.u32()
  }
  return { token, low, high }
}

function readSpecs(file: CrateBytes): Crate['specs'] {
  const count = entries(file)
  return { path: packedIntegers(file, count), fieldSet: packedIntegers(file, count), type: packedIntegers(file, count) }
}

/**
 * Paths are stored as a tree in pre-order. `jump` gives what follows an element: its child (−1), its sibling (0), neither (−2), or both, with the
 * offset of the sibling.
 */
function readPaths(file: CrateBytes): CratePaths {
  const count = entries(file)
  const encoded = entries(file)
  const [index, element, jump] = [packedIntegers(file, encoded), packedIntegers(file, encoded), packedIntegers(file, encoded)]
  const paths = { parent: new Int32Array(count).fill(-1), token: new Int32Array(count), property: new Uint8Array(count) }
  const seen = new Uint8Array(count)
  /** Stack of elements to read, each with its parent and depth. */
  const open: number[] = encoded > 0 ? [0, -1, 0] : []
  while (open.length > 0) {
    let depth = open.pop()!
    let parent = open.pop()!
    for (let at = open.pop()!; ; at++) {
      const path = index[at] ?? -1
      if (path < 0 || path >= count || seen[path] !== 0) throw malformed('its paths do not form a tree', 'PATHS')
      if (depth > MAX_PATH_DEPTH) throw new FormatError('TooDeep', 'PATHS', 'Prims of the file are nested too deeply.', { allowed: `at most ${MAX_DEPTH}` })
      seen[path] = 1
      paths.parent[path] = parent
      paths.token[path] = Math.abs(element[at]!)
      paths.property[path] = element[at]! < 0 ? 1 : 0
      const step = jump[at]!
      if (step > 0) open.push(at + step, parent, depth)
      if (step > 0 || step === -1) {
        parent = path
        depth++
      } else if (step !== 0) break
    }
  }
  return paths
}

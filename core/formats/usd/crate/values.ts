/** Values of a usdc file, in the same form as usda's reader: tuples as arrays, quaternions as (w, x, y, z), matrices as rows. */

import { FormatError } from '../../shared/error'
import { MAX_DEPTH, UsdAsset, UsdPath, type UsdValue } from '../layer'
import type { CrateBytes } from './bytes'
import { readArray, shapeNumbers } from './arrays'
import { readListOp } from './list-ops'
import type { Crate } from './sections'
import { COMPONENT_BYTES, halfFloat, numberType, readComponent, shortest, TYPE } from './types'

const ARRAY = 0x8000_0000
const INLINED = 0x4000_0000
const COMPRESSED = 0x2000_0000
/** Total characters of all paths; bounds many names below a long path. */
const MAX_PATH_TEXT = 64 * 1024 * 1024
/** Total numbers and tokens in all values: 27 bytes each in tuples. */
export const MAX_NUMBERS = 4_000_000

export class CrateValues {
  private readonly known = new Map<number, UsdValue | undefined>()
  private readonly paths = new Map<number, string>()
  private pathText = 0
  private numbers = 0
  private depth = 0

  constructor(private readonly crate: Crate) {}

  /**
   * @param low lower half of the 64 bits with the location or value
   * @returns undefined for types that are not used
   * @throws FormatError
   */
  value(low: number, high: number): UsdValue | undefined {
    // Equal values are stored once and shared by many fields, so they are cached. Inlined values are as fast to read as to look up; offsets beyond 4
    // GB are rejected below.
    const key = (high & INLINED) === 0 && (high & 0xffff) === 0 ? kindOf(high) * 0x1_0000_0000 + low : -1
    if (key >= 0 && this.known.has(key)) return this.known.get(key)
    if (this.depth > MAX_DEPTH) throw new FormatError('TooDeep', `byte ${low}`, 'Values of the file are nested too deeply.', { allowed: `at most ${MAX_DEPTH}` })
    this.depth++
    const value = this.read(low, high)
    this.depth--
    if (key >= 0) this.known.set(key, value)
    return value
  }

  token(index: number): string {
    return this.crate.tokens[index] ?? this.crate.file.fail(`it has no token ${index}`)
  }

  string(index: number): string {
    return this.token(this.crate.strings[index] ?? this.crate.file.fail(`it has no string ${index}`))
  }

  /** A path as text; empty for the null path. */
  path(index: number): string {
    const { parent, token, property } = this.crate.paths
    const known = this.paths.get(index)
    if (known !== undefined) return known
    if (index === NO_PATH) return ''
    const above = parent[index]
    if (above === undefined) this.crate.file.fail(`it has no path ${index}`)
    const name = above < 0 ? '' : this.token(token[index]!)
    const before = above < 0 ? '' : this.path(above)
    // Variant selections and relationship targets are bracketed and need no separator.
    const path = above < 0 ? '/' : property[index] === 1 ? `${before}.${name}` : /^[{[]/.test(name) ? before + name : before === '/' ? `/${name}` : before.endsWith('}') ? before + name : `${before}/${name}`
    this.pathText += path.length
    if (this.pathText > MAX_PATH_TEXT) throw new FormatError('TooLarge', 'PATHS', 'The paths of the file are too long.', { allowed: `${MAX_PATH_TEXT} characters in all` })
    this.paths.set(index, path)
    return path
  }

  /** Counts values before allocation. @throws FormatError beyond the limit */
  take(numbers: number): void {
    this.numbers += numbers
    if (this.numbers > MAX_NUMBERS) throw new FormatError('TooMany', 'values', `The values read of the file hold more than ${MAX_NUMBERS} numbers.`, { allowed: `at most ${MAX_NUMBERS}` })
  }

  /** Times and values of a sampled attribute. */
  samples(low: number, high: number): readonly (readonly [number, UsdValue])[] {
    const { file } = this.crate
    file.seek(placeOf(low, high))
    const times = this.nested(file)
    this.follow(file)
    const count = file.count(8)
    this.take(2 * count)
    const list: readonly UsdValue[] = Array.isArray(times) ? times as readonly UsdValue[] : []
    if (list.length !== count) file.fail('its numbers of times and values differ')
    const places = Array.from({ length: count }, () => [file.u32(), file.u32()] as const)
    return places.map(([one, two], i): [number, UsdValue] => [Number(list[i]), this.value(one, two) ?? null])
  }

  private read(low: number, high: number): UsdValue | undefined {
    const type = (high >>> 16) & 0xff
    if (type === TYPE.timeSamples || type === TYPE.block) return type === TYPE.block ? null : undefined
    if ((high & INLINED) !== 0) return this.inlined(type, low)
    const place = placeOf(low, high)
    const { file, version } = this.crate
    if ((high & ARRAY) !== 0) {
      if (place === 0) return []
      file.seek(place)
      return readArray(file, type, (high & COMPRESSED) !== 0, version, this)
    }
    file.seek(place)
    return this.scalar(file, type)
  }

  private scalar(file: CrateBytes, type: number): UsdValue | undefined {
    const numbers = numberType(type)
    if (numbers !== undefined) {
      this.take(numbers.count)
      return shapeNumbers(Array.from({ length: numbers.count }, () => readComponent(file, numbers.component)), numbers)
    }
    switch (type) {
      case TYPE.dictionary:
        return this.dictionary(file)
      case TYPE.value:
        return this.nested(file)
      case TYPE.payload:
        return this.asset(file, this.crate.version.minor >= 8)
      case TYPE.tokenVector:
        return this.list(file, 4, () => this.token(file.u32()))
      case TYPE.stringVector:
        return this.list(file, 4, () => this.string(file.u32()))
      case TYPE.pathVector:
        return this.list(file, 4, () => new UsdPath(this.path(file.u32())))
      case TYPE.doubleVector:
        return this.list(file, 8, () => file.f64())
      case TYPE.variantSelection:
        return new Map(this.list(file, 8, () => [this.string(file.u32()), this.string(file.u32())]))
    }
    return readListOp(file, type, this)
  }

  list<T>(file: CrateBytes, each: number, read: () => T): T[] {
    const count = file.count(each)
    this.take(count)
    return Array.from({ length: count }, read)
  }

  /** A layer and a prim in it, and its time offset. */
  asset(file: CrateBytes, shifted: boolean): UsdValue {
    const [name, prim] = [this.string(file.u32()), this.path(file.u32())]
    if (shifted) file.take(16)
    return name === '' ? new UsdPath(prim) : new UsdAsset(name, prim === '' ? null : prim)
  }

  dictionary(file: CrateBytes): ReadonlyMap<string, UsdValue> {
    const found = new Map<string, UsdValue>()
    const count = file.count(12)
    this.take(count)
    for (let i = 0; i < count; i++) {
      const key = this.string(file.u32())
      found.set(key, this.nested(file) ?? null)
    }
    return found
  }

  /** A value stored after its dependencies: it begins with its own offset. Reading then continues behind it. */
  private nested(file: CrateBytes): UsdValue | undefined {
    this.follow(file)
    const [low, high] = [file.u32(), file.u32()]
    const next = file.at
    const value = this.value(low, high)
    file.seek(next)
    return value
  }

  private follow(file: CrateBytes): void {
    const start = file.at
    file.seek(start + file.i64())
  }

  /** A value small enough to be stored in place of an offset: 8-bit integers, for tuples and the diagonals of matrices. */
  private inlined(type: number, bits: number): UsdValue | undefined {
    const numbers = numberType(type)
    if (numbers === undefined) {
      switch (type) {
        case TYPE.string: return this.string(bits)
        case TYPE.token: return this.token(bits)
        case TYPE.asset: return new UsdAsset(this.token(bits))
        case TYPE.dictionary: return new Map()
        case TYPE.specifier: case TYPE.permission: case TYPE.variability: return bits
      }
      return undefined
    }
    const { component, count, form } = numbers
    if (count === 1) {
      if (type === TYPE.bool) return bits !== 0
      SCRATCH.setUint32(0, bits)
      if (component === 'half') return halfFloat(bits & 0xffff)
      if (component === 'float') return shortest(SCRATCH.getFloat32(0))
      if (component === 'double') return SCRATCH.getFloat32(0)
      return component === 'i32' || component === 'i64' ? bits | 0 : component === 'u8' ? bits & 0xff : bits
    }
    if (COMPONENT_BYTES[component] * count <= 4) return [halfFloat(bits & 0xffff), halfFloat(bits >>> 16)]
    const byte = (i: number): number => (bits << (24 - 8 * i)) >> 24
    if (form === 'tuple') return Array.from({ length: count }, (_, i) => byte(i))
    const size = Math.sqrt(count)
    return form === 'matrix' ? shapeNumbers(Array.from({ length: count }, (_, i) => i % (size + 1) === 0 ? byte(i / (size + 1)) : 0), numbers) : undefined
  }
}

/** Index of the null path. */
const NO_PATH = 0xffff_ffff
const SCRATCH = new DataView(new ArrayBuffer(4))

function placeOf(low: number, high: number): number {
  return (high & 0xffff) * 0x1_0000_0000 + low
}

/** Type and flags. */
function kindOf(high: number): number {
  return (high >>> 29) * 256 + ((high >>> 16) & 0xff)
}

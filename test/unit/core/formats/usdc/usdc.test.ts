/** usdc, USD's binary encoding: files written by OpenUSD are read as the same stage as in usda, and malicious bytes are refused. */

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
// @ts-expect-error three describes its loaders, not the parser below them
import { USDCParser } from 'three/examples/jsm/loaders/usd/USDCParser.js'
import { completeOptions, formatById, type FormatFile } from '../../../../../core/formats'
import { FormatError } from '../../../../../core/formats/shared/error'
import { UsdAsset, UsdPath, walk, type UsdLayer, type UsdPrim, type UsdValue } from '../../../../../core/formats/usd/layer'
import { readUsda } from '../../../../../core/formats/usd/usda-read'
import { readUsdc } from '../../../../../core/formats/usd/crate/read'
import { halfFloat, shortest } from '../../../../../core/formats/usd/crate/types'
import { BASE, MAIN } from './arcs'
import { writeUsdc } from './crate-writer'
import { zipStored } from './zip'
import { sampled } from '../../../../sampled'

const FIXTURES = `${import.meta.dirname}/fixtures`
const importer = formatById('usda')!.importer!
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(`${FIXTURES}/${name}`))
const textOf = (name: string): string => readFileSync(`${FIXTURES}/${name}`, 'utf8')
const imported = (main: FormatFile, others: Readonly<Record<string, string | Uint8Array>> = {}) =>
  importer.run(main, path => path in others ? { name: path, content: others[path]! } : null, completeOptions(importer.options))

/** As plain data; what is true is 1 in usda, and a list of one arc may stand without brackets there. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof UsdPath || value instanceof UsdAsset) return { ...value }
  if (value instanceof Map) return Object.fromEntries([...value as Map<string, unknown>].map(([key, item]) => [key, plain(item)]))
  return Array.isArray(value) ? value.map(plain) : value
}
function plainPrim({ specifier, type, name, path, metadata, attributes, relationships, children, variants }: UsdPrim): unknown {
  return {
    specifier, type, name, path, metadata: plainMetadata(metadata), relationships: plain(relationships), children: children.map(plainPrim),
    attributes: Object.fromEntries([...attributes].map(([key, attribute]) => [key, [attribute.type, plain(attribute.value), plain(attribute.samples)]])),
    variants: Object.fromEntries([...variants].map(([set, choices]) => [set, [...choices.values()].map(plainPrim)])),
  }
}
/** Without the metadata that names the source file. */
function plainMetadata(metadata: ReadonlyMap<string, UsdValue>): unknown {
  const arcs = ['references', 'inherits', 'payload', 'specializes', 'subLayers', 'variantSets']
  return Object.fromEntries([...metadata].filter(([key]) => key !== 'doc').map(([key, value]) => [key, plain(arcs.includes(key) ? [value].flat() : value)]))
}
const plainLayer = (layer: UsdLayer): unknown => ({ metadata: plainMetadata(layer.metadata), prims: layer.prims.map(plainPrim) })

describe('files written by OpenUSD', () => {
  for (const name of readdirSync(FIXTURES).filter(file => file.endsWith('.usdc'))) {
    it(`${name} has the same tree as its text form`, () => {
      let text = textOf(name.startsWith('types') ? 'types.usda' : name.replace('.usdc', '.usda'))
      if (/types-0\.[456]/.test(name)) text = text.split('\n').filter(line => !line.includes('custom timecode')).join('\n')
      expect(plainLayer(readUsdc(bytesOf(name)))).toEqual(plainLayer(readUsda(text)))
    })
  }

  for (const name of ['four-legged-walker', 'surfaces-by-formula', 'four-bar']) {
    it(`${name} gives the same scene in both encodings, and in an archive`, async () => {
      const { scene, losses, notes } = await imported({ name: 'a.usda', content: textOf(`${name}.usda`) })
      for (const content of [bytesOf(`${name}.usdc`), zipStored([{ name: 'scene.usdc', content: bytesOf(`${name}.usdc`) }])]) {
        const file = { name: content[0] === 0x50 && content[1] === 0x4b ? 'a.usdz' : 'a.usdc', content }
        expect(importer.recognises(file)).toBe(true)
        const found = await imported(file)
        expect({ ...found.scene, name: '' }).toEqual({ ...scene, name: '' })
        expect([found.losses, found.notes]).toEqual([losses, notes])
      }
    })
  }

  it('has the prims and properties that three\'s parser finds', () => {
    for (const name of ['four-legged-walker', 'surfaces-by-formula', 'types-0.9.0']) {
      const bytes = bytesOf(`${name}.usdc`)
      const { specsByPath } = new (USDCParser as new () => { parseData(buffer: ArrayBuffer): { specsByPath: Record<string, { specType: number }> } })().parseData(bytes.slice().buffer)
      const found = [...walk(readUsdc(bytes).prims)].flatMap(prim => [prim.path, ...[...prim.attributes.keys(), ...prim.relationships.keys()].map(key => `${prim.path}.${key}`)])
      // An attribute with a value and a connection is among both.
      expect([...new Set(found)].sort()).toEqual(Object.keys(specsByPath).filter(path => path !== '/').sort())
    }
  })
})

it('composition arcs, variants and sublayers are followed between binary layers', async () => {
  expect(plainLayer(readUsdc(writeUsdc(readUsda(MAIN))))).toEqual(plainLayer(readUsda(MAIN)))
  const text = await imported({ name: 'main.usda', content: MAIN }, { 'base.usdc': BASE })
  const binary = await imported({ name: 'main.usdc', content: writeUsdc(readUsda(MAIN)) }, { 'base.usdc': writeUsdc(readUsda(BASE)) })
  expect(binary).toEqual(text)
  expect(binary.scene.bodies!.map(body => body.id)).toContain('One')
})

it('a single-precision number becomes the shortest decimal that rounds to it', () => {
  for (const value of [0.1, 0.6, 1e20, 1e-12, 3, -0.12345678, 16_777_216, 0, Infinity]) expect(shortest(Math.fround(value))).toBe(value)
  fc.assert(fc.property(fc.float({ noNaN: true }), value => Math.fround(shortest(value)) === value))
  expect([0x3c00, 0x0001, 0xfbff, 0x7c00, 0x8000].map(halfFloat)).toEqual([1, 2 ** -24, -65504, Infinity, -0])
})

describe('malformed bytes', () => {
  /** Reads everything that a file says. Milliseconds that it took, and whether it was refused with a typed reason; anything else is thrown on. */
  function outcome(bytes: Uint8Array): { readonly refused: boolean; readonly took: number } {
    const start = performance.now()
    const refused = (work: () => unknown): boolean => {
      try {
        work()
        return false
      } catch (error) {
        if (error instanceof FormatError) return true
        throw error
      }
    }
    let layer: UsdLayer | null = null
    let bad = refused(() => { layer = readUsdc(bytes) })
    for (const prim of layer === null ? [] : walk((layer as UsdLayer).prims)) {
      for (const attribute of prim.attributes.values()) bad = refused(() => [attribute.value, attribute.samples]) || bad
    }
    if (layer !== null) refused(() => imported({ name: 'a.usdc', content: bytes }))
    return { refused: bad, took: performance.now() - start }
  }
  const small = bytesOf('four-bar.usdc')
  const many = bytesOf('types-0.9.0.usdc')

  it('that are cut off anywhere are refused', () => {
    for (let length = 8; length < small.length; length += 3) expect(outcome(small.slice(0, length)).refused, String(length)).toBe(true)
  }, 120_000)

  sampled('with changed values cause at most a refusal', { few: 300, all: 3000 }, cases => {
    fc.assert(fc.property(fc.constantFrom(small, many), fc.array(fc.tuple(fc.nat(20_000), fc.nat(7)), { minLength: 1, maxLength: 8 }), (file, turns) => {
      const bytes = file.slice()
      for (const [at, bit] of turns) bytes[8 + at % (bytes.length - 8)]! ^= 1 << bit
      expect(outcome(bytes).took).toBeLessThan(2000)
    }), { numRuns: cases })
  })

  it('with a huge count at any place are refused or read differently', () => {
    for (const count of [0xffff_ffff, 0x7fff_ffff, 999_999]) {
      for (let at = 16; at + 8 <= small.length; at += 5) {
        const bytes = small.slice()
        new DataView(bytes.buffer).setUint32(at, count, true)
        expect(outcome(bytes).took, String(at)).toBeLessThan(2000)
      }
    }
  }, 240_000)

  it('of another version are refused, with the supported versions', () => {
    for (const [major, minor] of [[1, 0], [0, 3], [0, 99]] as const) {
      const bytes = small.slice()
      bytes.set([major, minor], 8)
      expect(() => readUsdc(bytes)).toThrow(expect.objectContaining({ name: 'Unsupported', allowed: '0.4 to 0.13' }) as Error)
    }
  })

  it('with cyclic or endlessly nested paths are refused', () => {
    const deep = (depth: number): UsdPrim => ({
      specifier: 'def', type: 'Xform', name: 'a', path: '', metadata: new Map(), attributes: new Map(), relationships: new Map(), variants: new Map(), children: depth === 0 ? [] : [deep(depth - 1)],
    })
    expect(readUsdc(writeUsdc({ metadata: new Map(), prims: [deep(100)] })).prims).toHaveLength(1)
    expect(() => readUsdc(writeUsdc({ metadata: new Map(), prims: [deep(200)] }))).toThrow(expect.objectContaining({ name: 'TooDeep' }) as Error)
  })
})

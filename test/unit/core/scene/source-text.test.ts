import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatJson, requireScene, writeScene, type JsonStyle, type Scene } from '../../../../core/scene'
import { everything, scenes, small } from './arbitrary'
import { sampled } from '../../../sampled'

const source = (text: string) => ({ text, scene: requireScene(text) })

/** Texts as people write them: minified, indented by blanks or tabs, wide, with Windows line ends. */
const styles: fc.Arbitrary<(scene: object) => string> = fc.oneof(
  fc.constantFrom(0, 1, 2, 4, '\t').map(space => (scene: object) => JSON.stringify(scene, null, space)),
  fc.record({ newline: fc.constantFrom('\n', '\r\n'), unit: fc.constantFrom('  ', '\t', '    '), width: fc.constantFrom(20, 80, 200) })
    .map((style: JsonStyle) => (scene: object) => formatJson(scene, style) + style.newline),
)

const text = `{
  "format":   "cairn-scene",
  "version": 1,
  "materials": [ {"id": "steel", "density": 7.85e3} ],

  "bodies": [
    { "id": "ground", "type": "fixed",
      "shapes": [ { "type": "halfSpace", "normal": [0,0,1], "offset": 0.0, "material": "steel" } ] },

    { "id": "a", "shapes": [ { "type": "sphere", "radius": 1.0, "material": "steel" } ] },
    { "id": "b", "shapes": [ { "type": "sphere", "radius": 1.50, "material": "steel" } ] }
  ],
  "simulation": {
      "duration": 5.000
  }
}
`

const sphere = (id: string, radius: number) => ({ id, shapes: [{ type: 'sphere' as const, radius, material: 'steel' }] })

describe('saving', () => {
  sampled('an unedited scene gives the same bytes, whatever its style', { few: 20, all: 100 }, cases => {
    fc.assert(fc.property(scenes, styles, (scene, write) => {
      const original = source(write(scene))
      expect(writeScene(original.scene, original)).toBe(original.text)
      expect(writeScene(structuredClone(original.scene), original)).toBe(original.text)
    }), { numRuns: cases })
  })

  sampled('any other scene against any text gives a text of exactly that scene', { few: 60, all: 300 }, cases => {
    fc.assert(fc.property(scenes, scenes, styles, (before, after, write) => {
      const original = source(write(before))
      const written = writeScene(after, original)
      expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(after)))
      expect(requireScene(written)).toBeDefined()
    }), { numRuns: cases })
  })

  it('an edit of one body leaves every other byte as it was', () => {
    fc.assert(fc.property(scenes, styles, fc.nat(), (scene, write, n) => {
      const original = source(write(scene))
      const bodies = original.scene.bodies!
      const i = n % bodies.length
      const edited: Scene = {
        ...original.scene, bodies: bodies.map((body, k) => (k === i ? { ...body, angularVelocity: [1, 2, 3] } : body)),
      }
      const written = writeScene(edited, original)
      const range = elementRange(original.text, i)
      const behind = original.text.length - range.end
      expect(written.slice(0, range.start)).toBe(original.text.slice(0, range.start))
      expect(written.slice(written.length - behind)).toBe(original.text.slice(range.end))
      expect(JSON.parse(written.slice(range.start, written.length - behind))).toEqual(JSON.parse(JSON.stringify(edited.bodies![i])))
    }))
  })

  it('a changed element is rewritten, and nothing else', () => {
    const { scene } = source(text)
    const edited = { ...scene, bodies: scene.bodies!.map(body => (body.id === 'a' ? sphere('a', 2) : body)) }
    expect(writeScene(edited, source(text))).toBe(text.replace('"radius": 1.0,', '"radius": 2,').replace('{ "id": "a", "shapes": [ {', '{ "id": "a", "shapes": [{')
      .replace('"steel" } ] },\n    { "id": "b"', '"steel" }] },\n    { "id": "b"'))
  })

  it('a changed top-level value is rewritten, and nothing else', () => {
    const { scene } = source(text)
    expect(writeScene({ ...scene, simulation: { duration: 6 } }, source(text))).toBe(text.replace('{\n      "duration": 5.000\n  }', '{ "duration": 6 }'))
  })

  it('elements added, removed and moved keep the others\' bytes', () => {
    const { scene } = source(text)
    const [ground, a, b] = scene.bodies!
    const lineA = '    { "id": "a", "shapes": [ { "type": "sphere", "radius": 1.0, "material": "steel" } ] },\n'
    expect(writeScene({ ...scene, bodies: [ground!, b!] }, source(text))).toBe(text.replace(lineA, ''))
    const added = writeScene({ ...scene, bodies: [ground!, a!, b!, sphere('c', 3)] }, source(text))
    expect(added).toContain('"radius": 1.50, "material": "steel" } ] },\n\n    { "id": "c", "shapes": [{ "type": "sphere", "radius": 3, "material": "steel" }] }\n  ],')
    const moved = writeScene({ ...scene, bodies: [ground!, b!, a!] }, source(text))
    expect(JSON.parse(moved).bodies.map((body: { id: string }) => body.id)).toEqual(['ground', 'b', 'a'])
    expect(moved).toContain('"radius": 1.50')
    expect(moved).toContain('"offset": 0.0')
  })

  it('an edit that is undone gives the same bytes', () => {
    const { scene } = source(text)
    const there = { ...scene, gravity: [0, 0, -1.62] as const, bodies: [...scene.bodies!, sphere('c', 3)] }
    const back = { ...there, gravity: undefined, bodies: there.bodies.slice(0, 3) }
    expect(writeScene(there, source(text))).not.toBe(text)
    expect(writeScene(back, source(text))).toBe(text)
  })

  it('a new top-level key stands at its place in the order of the format', () => {
    const { scene } = source(text)
    const written = writeScene({ ...scene, gravity: [0, 0, -1.62], name: 'Moon' }, source(text))
    expect(written).toContain('  "version": 1,\n  "name": "Moon",\n  "gravity": [0, 0, -1.62],\n  "materials"')
  })

  it('a new element in an empty list is indented like the rest', () => {
    const empty = '{\n\t"format": "cairn-scene",\n\t"version": 1,\n\t"materials": []\n}'
    const written = writeScene({ ...requireScene(empty), materials: [{ id: 'ice' }] }, source(empty))
    expect(written).toBe('{\n\t"format": "cairn-scene",\n\t"version": 1,\n\t"materials": [\n\t\t{ "id": "ice" }\n\t]\n}')
  })

  it('a minified text stays minified', () => {
    const minified = JSON.stringify(small())
    const written = writeScene({ ...small(), name: 'x', bodies: [...small().bodies!, sphere('c', 3)] }, source(minified))
    expect(written).toBe(JSON.stringify({
      format: 'cairn-scene', version: 1, name: 'x', materials: small().materials, bodies: [...small().bodies!, sphere('c', 3)],
    }))
  })

  it('Windows line endings and a byte order mark are kept', () => {
    const windows = '\ufeff' + text.replaceAll('\n', '\r\n')
    const original = source(windows)
    const written = writeScene({ ...original.scene, simulation: { duration: 6, eventDriven: everything().simulation!.eventDriven, timeStepping: { step: 0.01, sleep: true, solver: 'lemke', contactModel: 'standard' } } }, original)
    expect(written.startsWith('\ufeff{\r\n')).toBe(true)
    expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('a new scene is laid out in the order of the format, short things on one line', () => {
    const scene: Scene = { simulation: { duration: 1 }, bodies: small().bodies, version: 1, format: 'cairn-scene', materials: small().materials }
    expect(writeScene(scene, null)).toBe(`{
  "format": "cairn-scene",
  "version": 1,
  "materials": [{ "id": "steel", "density": 7850 }],
  "bodies": [
    {
      "id": "ground",
      "type": "fixed",
      "shapes": [{ "type": "halfSpace", "normal": [0, 0, 1], "offset": 0, "material": "steel" }]
    },
    { "id": "ball", "shapes": [{ "type": "sphere", "radius": 0.5, "material": "steel" }] }
  ],
  "simulation": { "duration": 1 }
}
`)
  })
})

/** Offsets of the i-th body, found by an independent simple reader. */
function elementRange(text: string, index: number): { start: number, end: number } {
  let depth = 0
  let inBodies = false
  let seen = -1
  let start = -1
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '"') {
      const from = i
      i++
      while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
      if (depth === 1 && text.slice(from, i + 1) === '"bodies"') inBodies = true
    } else if (c === '{' || c === '[') {
      depth++
      if (inBodies && depth === 3 && ++seen === index) start = i
    } else if (c === '}' || c === ']') {
      if (inBodies && depth === 3 && seen === index) return { start, end: i + 1 }
      depth--
    }
  }
  throw new Error('no such body')
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidAt, type ConvexSolid } from '../../../../core/analysis/convex-solid'
import { overlapVolume } from '../../../../core/analysis/overlap'
import { bodyMass, partsOf, solidsOf } from '../../../../core/analysis/solids'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import { LIBRARY, ModellingError, type LibraryEntry, type LibraryPart } from '../../../../core/modelling'
import { parseScene, resolveBody, resolveScene, type Scene, type ShapeOf } from '../../../../core/scene'
import { check } from '../../../../core/simulation'
import { sampled } from '../../../sampled'

const material = 'wood'
const sceneOf = ({ bodies, joints = [], groups = [] }: LibraryPart): Scene => ({
  format: 'cairn-scene', version: 1, materials: [{ id: material, density: 1, friction: { static: 0.5, dynamic: 0.5 } }], bodies: [...bodies], joints: [...joints], groups: [...groups],
} as Scene)
const entry = (id: string): LibraryEntry => LIBRARY.find(one => one.id === id)!
const make = (id: string, values: Record<string, number> = {}): LibraryPart => entry(id).make(values, material)

/** m³, by material of 1 kg/m³. */
function volumes(part: LibraryPart): number[] {
  const resolved = resolveScene(sceneOf(part))
  return part.bodies.map(body => {
    const one = resolveBody(body)
    return bodyMass(one, partsOf(one, resolved)).mass
  })
}

/** By body, in its own frame. */
function solids({ bodies }: LibraryPart): ConvexSolid[][] {
  return bodies.map(body => resolveBody(body).shapes.flatMap(shape => solidsOf(shape).map(solid => solidAt(solid as Polyhedron, shape))))
}

const tan = Math.tan
const root5 = Math.sqrt(5)
const KNOWN: readonly (readonly [string, Record<string, number>, number])[] = [
  ['regular-solid', { faces: 4, edge: 0.7 }, 0.343 / (6 * Math.SQRT2)],
  ['regular-solid', { faces: 6, edge: 0.7 }, 0.343],
  ['regular-solid', { faces: 8, edge: 0.7 }, 0.343 * Math.SQRT2 / 3],
  ['regular-solid', { faces: 12, edge: 0.7 }, 0.343 * (15 + 7 * root5) / 4],
  ['regular-solid', { faces: 20, edge: 0.7 }, 0.343 * 5 * (3 + root5) / 12],
  ['prism', { sides: 7, radius: 0.4, top: 0.4, height: 2 }, 3.5 * 0.16 * Math.sin(2 * Math.PI / 7) * 2],
  ['prism', { sides: 5, radius: 0.4, top: 0.2, height: 0.3 }, 2.5 * Math.sin(2 * Math.PI / 5) * 0.3 * (0.16 + 0.08 + 0.04) / 3],
  ['prism', { sides: 4, radius: 0.4, top: 0, height: 0.3 }, 2 * 0.16 * 0.3 / 3],
  ['wedge', { length: 2, width: 0.5, height: 0.3 }, 0.15],
  ['angle', { foot: 0.5, height: 0.8, thickness: 0.1, width: 0.2 }, 0.2 * 0.1 * (0.5 + 0.7)],
  ['channel', { length: 2, width: 0.1, height: 0.05, thickness: 0.01 }, 2 * (0.1 * 0.01 + 2 * 0.01 * 0.05)],
  ['jack', { span: 0.5, thickness: 0.1 }, 0.01 * (3 * 0.5 - 2 * 0.1)],
  ['stairs', { steps: 4, going: 0.3, rise: 0.2, width: 1 }, 0.3 * 0.2 * 10],
  ['lattice', { columns: 3, rows: 2, opening: 0.2, bar: 0.05 }, 0.0025 * (3 * (3 * 0.25 + 0.05) + 2 * 4 * 0.2)],
]

describe('parts of the library', () => {
  it.each(LIBRARY.map(one => [one.id, one] as const))('%s: with its defaults it gives a valid scene on the ground, of pieces that do not overlap', (_, one) => {
    const part = one.make({}, material)
    const result = check(sceneOf(part))
    expect(result.problems).toEqual([])
    const lowest = Math.min(...solids(part).flatMap((pieces, b) => pieces.flatMap(({ vertices }) => vertices.map(v => part.bodies[b]!.position![2] + v[2]))))
    expect(Math.abs(lowest - (one.id === 'chain' ? 0.12 : 0))).toBeLessThan(1e-12)
    for (const pieces of solids(part)) {
      const size = Math.max(...pieces.flatMap(({ vertices }) => vertices.flat().map(Math.abs)))
      let worst = 0
      pieces.forEach((a, i) => { for (const b of pieces.slice(i + 1)) worst = Math.max(worst, overlapVolume(a, b)) })
      expect(worst).toBeLessThanOrEqual(1e-14 * size * size * size)
    }
  })

  it.each(LIBRARY.filter(({ planar }) => planar).map(one => [one.id, one] as const))('%s is accepted by scenes in two dimensions', (_, one) => {
    expect(check({ ...sceneOf(one.make({}, material)), simulation: { dimensions: 2, duration: 1 } }).problems).toEqual([])
  })

  it.each(KNOWN)('%s %o has the volume of the textbook formula', (id, values, volume) => {
    const found = volumes(make(id, values)).reduce((sum, one) => sum + one, 0)
    expect(found / volume).toBeCloseTo(1, 12)
  })

  it('an arch and a chain consist of equal pieces with the volumes of the textbook formulas', () => {
    const stone = 0.4 * Math.sin(Math.PI / 9) * (1.3 * 1.3 - 1) / 2
    for (const volume of volumes(make('arch', { stones: 9, radius: 1, thickness: 0.3, depth: 0.4 }))) expect(volume / stone).toBeCloseTo(1, 12)
    const link = 0.0004 * (2 * 0.12 + 2 * (0.07 - 0.04))
    for (const volume of volumes(make('chain', { links: 5, length: 0.12, width: 0.07, thickness: 0.02 }))) expect(volume / link).toBeCloseTo(1, 12)
  })

  sampled('any values within the bounds give a valid scene, or are refused with the allowed values', { few: 100, all: 400 }, cases => {
    const values = (one: LibraryEntry) => fc.record(Object.fromEntries(Object.entries(one.fields).map(([id, { least, most, integer, choices }]) => [id, choices
      ? fc.constantFrom(...choices.map(({ value }) => value))
      : integer ? fc.integer({ min: least, max: Math.min(most, 40) }) : fc.double({ min: least, max: Math.min(most, 5), noNaN: true })])))
    fc.assert(fc.property(fc.constantFrom(...LIBRARY).chain(one => fc.tuple(fc.constant(one), values(one))), ([one, chosen]) => {
      try {
        const result = parseScene(sceneOf(one.make(chosen, material)))
        expect(result.ok, JSON.stringify(result.ok || result.problems[0])).toBe(true)
      } catch (error) {
        if (!(error instanceof ModellingError)) throw error
        expect(error.message).toContain('allowed')
      }
    }), { numRuns: cases })
  })

  it.each([
    ['gear', { teeth: 5 }, 'Teeth is 5: allowed is a whole number from 6 to 120'],
    ['gear', { teeth: 20.5 }, 'Teeth is 20.5: allowed is a whole number from 6 to 120'],
    ['gear', { bore: 0.5 }, 'Bore radius is 0.5 m: allowed is less than the ring below the teeth'],
    ['gear', { play: 0.05 }, 'a tooth becomes pointed below its tip'],
    ['gear-pair', { teethA: 8, teethB: 100 }, 'The tips of the gear with 100 teeth would cut into the roots of the one with 8'],
    ['regular-solid', { faces: 7 }, 'Solid is 7: allowed is one of 4, 6, 8, 12, 20'],
    ['angle', { thickness: 0.5 }, 'Thickness is 0.5 m: allowed is less than both legs, 0.5 m'],
    ['channel', { height: 0.01 }, 'Height of the walls is 0.01 m: allowed is more than the thickness, 0.01 m'],
    ['jack', { thickness: 0.6 }, 'allowed is less than the span'],
    ['chain', { width: 0.05 }, 'Width of a link is 0.05 m: allowed is three times the thickness and more'],
    ['chain', { length: 0.07 }, 'allowed is four times the thickness and more'],
    ['wedge', { length: -1 }, 'Length is -1: allowed is a number from 0.0001 to 1000 m'],
    ['wedge', { length: NaN }, 'Length is NaN'],
  ] as const)('%s %o is refused', (id, values, message) => {
    expect(() => make(id, values)).toThrow(ModellingError)
    expect(() => make(id, values)).toThrow(message)
  })
})

describe('teeth', () => {
  const flank = (values: Record<string, number>) => {
    const { bodies: [body] } = make('gear', values)
    return (body!.shapes![0] as ShapeOf<'convexHull'>).points.filter(([, y]) => y! < 0).map(([x, , z]) => [x!, z!] as const)
  }

  it.each([[20, Math.PI / 9], [60, Math.PI / 9], [12, Math.PI / 7]])('%i of them at %f rad have flanks on the involute of the base circle', (teeth, pressure) => {
    const module = 0.02
    const pitch = module * teeth / 2
    const base = pitch * Math.cos(pressure)
    // The first tooth points upwards; at the pitch circle its half width is a quarter of the pitch less half of the backlash.
    const start = Math.PI / (2 * teeth) - 0.0005 / (2 * pitch) + tan(pressure) - pressure
    let found = 0
    for (const [x, z] of flank({ teeth, pressure, flats: 9 })) {
      const radius = Math.hypot(x, z)
      if (radius < base * (1 + 1e-9)) continue
      // Unwound by t, the string's end is at r_b (cos t + t sin t, sin t − t cos t) from where it began.
      const t = Math.sqrt(radius * radius / (base * base) - 1)
      const unwound = Math.atan2(Math.sin(t) - t * Math.cos(t), Math.cos(t) + t * Math.sin(t))
      expect(Math.abs(Math.abs(Math.atan2(x, z)) - (start - unwound))).toBeLessThan(1e-12)
      found++
    }
    expect(found).toBeGreaterThanOrEqual(18)
  })

  it('converge to the involute with the square of the number of flats of a flank', () => {
    const [few, more, most] = [4, 8, 16].map(flats => volumes(make('gear', { teeth: 24, flats }))[0]!) as [number, number, number]
    expect(more).toBeGreaterThan(few)
    expect((more - few) / (most - more)).toBeCloseTo(4, 0)
  })

  it('have the given backlash at the pitch circle, and a tooth and its gap fill the pitch', () => {
    const { bodies } = make('gear-pair', { teethA: 20, teethB: 31, flats: 24 })
    const [, a, b] = bodies
    expect(b!.position![0] - a!.position![0]).toBeCloseTo(0.02 * 51 / 2, 12)
    const overlaps = solids({ bodies: [a!, b!] })
    const shift = (solid: ConvexSolid, by: number): ConvexSolid => ({ ...solid, vertices: solid.vertices.map(([x, y, z]) => [x + by, y, z] as never) })
    let volume = 0
    for (const p of overlaps[0]!) for (const q of overlaps[1]!) volume += overlapVolume(p, shift(q, 0.02 * 51 / 2))
    expect(volume).toBe(0)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HalfSpace } from '../../../../core/geometry/half-space'
import { combineMass } from '../../../../core/geometry/mass'
import { createPrimitive, type ShapeSpec } from '../../../../core/geometry/primitives'
import { turnInertia } from '../../../../core/geometry/mass-properties'
import type { MassProperties } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, toOuter } from '../../../../core/math/pose'
import { toMatrix } from '../../../../core/math/quaternion'
import type { Vec3 } from '../../../../core/math/vector'
import { hull, pose, random } from '../collision/random'
import { quadrature } from './quadrature'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })

function expectSame(found: MassProperties, expected: MassProperties, tolerance: number): void {
  const size = Math.cbrt(expected.volume)
  expect(Math.abs(found.volume / expected.volume - 1)).toBeLessThan(tolerance)
  found.centroid.forEach((x, i) => expect(Math.abs(x - expected.centroid[i]!)).toBeLessThan(tolerance * size))
  const scale = expected.inertia[0] + expected.inertia[4] + expected.inertia[8]
  found.inertia.forEach((x, i) => expect(Math.abs(x - expected.inertia[i]!)).toBeLessThan(tolerance * scale))
}

const of = (spec: ShapeSpec): MassProperties => createPrimitive(spec).massProperties!
const diagonal = (x: number, y: number, z: number) => [x, 0, 0, 0, y, 0, 0, 0, z] as const

describe('mass properties', () => {
  it('of known solids are their closed forms', () => {
    expectSame(of({ type: 'box', size: [1, 2, 3] }), { volume: 6, centroid: [0, 0, 0], inertia: diagonal(6 * 13 / 12, 6 * 10 / 12, 6 * 5 / 12) }, 1e-15)
    expectSame(of({ type: 'sphere', radius: 2 }), { volume: 32 * Math.PI / 3, centroid: [0, 0, 0], inertia: diagonal(...[1, 1, 1].map(() => 0.4 * 4 * 32 * Math.PI / 3) as [number, number, number]) }, 1e-15)
    // Regular octahedron with vertices at distance 1: V = 4/3, I = V/5.
    const octahedron: Vec3[] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    expectSame(of({ type: 'convexHull', points: octahedron }), { volume: 4 / 3, centroid: [0, 0, 0], inertia: diagonal(4 / 15, 4 / 15, 4 / 15) }, 1e-15)
    // Regular tetrahedron on alternate corners of a cube of edge 2: V = 8/3, ∫x² = V/5.
    const tetrahedron: Vec3[] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    expectSame(of({ type: 'convexHull', points: tetrahedron }), { volume: 8 / 3, centroid: [0, 0, 0], inertia: diagonal(16 / 15, 16 / 15, 16 / 15) }, 1e-15)
  })

  it('of a hull are those of a sum over thin columns', () => {
    fc.assert(fc.property(seeds, seed => {
      const solid = hull(random(seed), 12, 1)
      const sum = quadrature(solid.bounds, (x, y) => {
        let [low, high] = [-Infinity, Infinity]
        for (const { normal, offset } of solid.faces) {
          const rest = offset - normal[0] * x - normal[1] * y
          if (Math.abs(normal[2]) < 1e-12) {
            low = rest < 0 ? Infinity : low
          } else if (normal[2] > 0) {
            high = Math.min(high, rest / normal[2])
          } else {
            low = Math.max(low, rest / normal[2])
          }
        }
        return low < high ? [low, high] : null
      }, 400)
      expectSame(solid.massProperties, sum, 2e-4)
    }), { numRuns: 10 })
  })

  it('of a hull move and rotate with it, however far', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const solid = hull(r, 12, 1)
      const at = pose(r, 10)
      const moved = solid.placed(at).massProperties
      const own = solid.massProperties
      expectSame(moved, { volume: own.volume, centroid: toOuter(at, own.centroid), inertia: turnInertia(toMatrix(at.orientation), own.inertia) }, 1e-12)
    }), { numRuns: 100 })
  })

  it('of a box composed of two boxes are those of the whole box', () => {
    const half = createPrimitive({ type: 'box', size: [1, 2, 1.5] })
    const whole = createPrimitive({ type: 'box', size: [1, 2, 3] })
    const joined = combineMass([0.75, -0.75].map(z =>
      ({ primitive: half, pose: { position: [1, 1, 5 + z] as Vec3, orientation: [0, 0, 0, 1] as const }, density: 7 })))
    const one = combineMass([{ primitive: whole, pose: { position: [1, 1, 5], orientation: [0, 0, 0, 1] }, density: 7 }])
    expect(joined.mass).toBeCloseTo(42, 12)
    expect(joined.centerOfMass).toEqual([1, 1, 5])
    joined.inertia.forEach((x, i) => expect(Math.abs(x - one.inertia[i]!)).toBeLessThan(1e-12))
  })

  it('are infinite for a half-space', () => {
    const ground = new HalfSpace([0, 0, 2], 4)
    expect(ground.offset).toBe(2)
    expect(combineMass([{ primitive: ground, pose: IDENTITY_POSE, density: 1 }]).mass).toBe(Infinity)
  })
})

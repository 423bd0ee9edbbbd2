/** Surfaces made of straight lines that have no common normal: an edge that points into a cone. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RuledPair, type Ruled } from '../../../../core/collision/pairs/ruled'
import { dot, length, sub, type Vec3 } from '../../../../core/math/vector'
import { normalizeQuaternion, rotate } from '../../../../core/math/quaternion'
import type { Pose } from '../../../../core/math/pose'
import { between, motionOf, pose, random, vector } from './random'

const feature = { kind: 'edge', index: 0 } as const
const edge: Ruled = { apex: [0, 0, 0.5], axis: [0, 0, 1], lean: 0, length: 1, radius: 0 }
const side = (lean: number): Ruled => ({ apex: [0, 0, 0.4], axis: [0, 0, 1], lean, length: 0.7, radius: 0 })
const pairOf = (a: Ruled, b: Ruled, sign: 1 | -1) => new RuledPair({ featureA: feature, featureB: feature, a, b, sign, slack: 1e-9 })

/** Points of a surface in the world: the apex and the end, with its rim. */
function pointsOf({ apex, axis, lean, length: l }: Ruled, { position, orientation }: Pose): Vec3[] {
  const [height, radius] = [l * Math.sqrt(1 - lean * lean), l * lean]
  const end: Vec3 = [apex[0] - axis[0] * height, apex[1] - axis[1] * height, apex[2] - axis[2] * height]
  const rim = Array.from({ length: 720 }, (_, k): Vec3 => [end[0] + radius * Math.cos(k * Math.PI / 360), end[1] + radius * Math.sin(k * Math.PI / 360), end[2]])
  return [apex, ...rim].map(p => rotate(orientation, p).map((x, i) => x + position[i]!) as unknown as Vec3)
}

describe('an edge and the side of a cone', () => {
  it('have a finite gap, which their points confirm, at any poses', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
      const r = random(seed)
      const cone = side(between(r, 0.2, 0.9))
      const b = pose(r, 0.5)
      // Often nearly parallel axes.
      const [x, y, z, w] = b.orientation
      const nearly = normalizeQuaternion([x + between(r, -0.2, 0.2), y + between(r, -0.2, 0.2), z + between(r, -0.2, 0.2), w])
      const a = r() < 0.5 ? pose(r, 0.5) : { ...pose(r, 0.5), orientation: nearly }
      for (const sign of [1, -1] as const) {
        const pair = pairOf(edge, cone, sign)
        const { point, normal, gap } = pair.locate(a, b)
        expect([...point, ...normal, gap].every(Number.isFinite)).toBe(true)
        expect(length(normal)).toBeCloseTo(1, 12)
        const { pointRate, normalRate } = pair.rates(motionOf(a, vector(r), vector(r)), motionOf(b, vector(r), vector(r)))
        if (pair.margin(a, b) === -Infinity) {
          const lowest = Math.min(...pointsOf(edge, a).map(p => dot(normal, p)))
          const highest = Math.max(...pointsOf(cone, b).map(p => dot(normal, p)))
          expect(Math.abs(lowest - highest - gap)).toBeLessThan(1e-4)
          expect([...pointRate, ...normalRate].every(Number.isFinite)).toBe(true)
        }
      }
    }), { numRuns: 300 })
  })

  it('keep their gap where the last common normal disappears', () => {
    const lean = 0.5
    const b: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] }
    // The axes enclose the angle whose cosine is √(1 − lean²) there: 30°.
    const at = (angle: number): Pose => ({ position: [0.3, 0.1, 0.2], orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] })
    const limit = Math.acos(Math.sqrt(1 - lean * lean))
    for (const sign of [1, -1] as const) {
      const pair = pairOf(edge, side(lean), sign)
      const [before, after] = [pair.locate(at(limit + 1e-12), b), pair.locate(at(limit - 1e-12), b)]
      expect(pair.margin(at(limit + 1e-12), b)).toBeGreaterThan(-Infinity)
      expect(pair.margin(at(limit - 1e-12), b)).toBe(-Infinity)
      expect(Math.abs(before.gap - after.gap)).toBeLessThan(1e-5)
      expect(length(sub(before.normal, after.normal))).toBeLessThan(1e-5)
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { facePlanes, solidAt } from '../../../../core/analysis/convex-solid'
import { ballsOverlap, ballBelow, overlapVolume, volumeBelow } from '../../../../core/analysis/overlap'
import { penetrationDepth, signedDistance } from '../../../../core/analysis/separation'
import { box } from '../../../../core/geometry/box'
import type { Pose } from '../../../../core/math/pose'
import { hull, pose, random } from '../collision/random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const cube = box([1, 1, 1])
const at = (x: number, y: number, z: number): Pose => ({ position: [x, y, z], orientation: [0, 0, 0, 1] })

describe('the overlap of two solids', () => {
  it('of shifted cubes is the product of their shares', () => {
    expect(overlapVolume(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0.25, 0.5, 0.75)))).toBeCloseTo(0.75 * 0.5 * 0.25, 15)
    expect(overlapVolume(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0, 0, 0)))).toBeCloseTo(1, 15)
    expect(overlapVolume(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0, 0, 1)))).toBe(0)
    expect(overlapVolume(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0, 0, 2)))).toBe(0)
    expect(overlapVolume(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0, 0, 1 - 1e-9)))).toBeCloseTo(1e-9, 15)
  })

  it('is symmetric, and agrees with random sampling', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = solidAt(hull(r, 15, 1), pose(r, 0.3))
      const b = solidAt(hull(r, 15, 1), pose(r, 0.3))
      const volume = overlapVolume(a, b)
      expect(Math.abs(volume - overlapVolume(b, a))).toBeLessThan(1e-14)
      const planes = [...facePlanes(a), ...facePlanes(b)]
      const n = 4000
      let inside = 0
      for (let k = 0; k < n; k++) {
        const p = [2.8 * r() - 1.4, 2.8 * r() - 1.4, 2.8 * r() - 1.4]
        inside += planes.every(({ normal, offset }) => normal[0] * p[0]! + normal[1] * p[1]! + normal[2] * p[2]! <= offset) ? 1 : 0
      }
      const share = inside / n
      expect(Math.abs(volume / 2.8 / 2.8 / 2.8 - share)).toBeLessThan(6 * Math.sqrt((share + 1 / n) / n))
      expect(volume > 0).toBe(penetrationDepth(a, b) > 0)
    }), { numRuns: 100 })
  })

  it('with a half-space is the part below it, with balls the cap and the lens', () => {
    expect(volumeBelow(solidAt(cube, at(0, 0, 0)), [{ normal: [0, 0, 1], offset: -0.25 }])).toBeCloseTo(0.25, 15)
    expect(ballBelow(1, 0)).toBeCloseTo(2 * Math.PI / 3, 14)
    expect(ballsOverlap(1, 1, 1)).toBeCloseTo(5 * Math.PI / 12, 14)
    expect(ballsOverlap(1, 0.2, 0.1)).toBeCloseTo(4 / 3 * Math.PI * 0.008, 14)
  })

  it('has the depth by which one solid has to be moved to separate them', () => {
    expect(penetrationDepth(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(0.3, 0.2, 0.9)))).toBeCloseTo(0.1, 15)
    expect(signedDistance(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(2, 2, 2)))).toBeCloseTo(Math.sqrt(3), 14)
    expect(signedDistance(solidAt(cube, at(0, 0, 0)), solidAt(cube, at(2, 0, 2)))).toBeCloseTo(Math.SQRT2, 14)
  })
})

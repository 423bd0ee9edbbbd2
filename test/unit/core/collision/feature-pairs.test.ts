import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeaturePair } from '../../../../core/collision/contact'
import { LineOnLinePair } from '../../../../core/collision/pairs/line-line'
import { PointOnLinePair } from '../../../../core/collision/pairs/point-line'
import { PointOnPlanePair } from '../../../../core/collision/pairs/point-plane'
import { PointOnPointPair } from '../../../../core/collision/pairs/point-point'
import { SwappedPair } from '../../../../core/collision/pairs/swapped'
import { velocityAt, type BodyMotion } from '../../../../core/geometry/motion'
import { add, cross, distance, length, lengthSquared } from '../../../../core/math/vector'
import { checkRates } from './rates'
import { between, direction, motionOf, pose, random, vector, type Random } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const features = { featureA: { kind: 'vertex', index: 0 }, featureB: { kind: 'face', index: 0 } } as const

const pairs: Record<string, (r: Random) => FeaturePair> = {
  'point on plane': r => new PointOnPlanePair({
    ...features, point: vector(r), radius: r() < 0.5 ? 0 : r(), normal: direction(r), offset: between(r, -1, 1), boundary: [], slack: 0,
  }),
  'point on line': r => new PointOnLinePair({
    ...features, point: vector(r), radiusA: r(), origin: vector(r), direction: direction(r), radiusB: r(), boundary: [], slack: 0,
  }),
  'point on point': r => new PointOnPointPair({
    ...features, pointA: vector(r), radiusA: r(), pointB: vector(r), radiusB: r(), boundary: [], slack: 0,
  }),
  'line on line': r => new LineOnLinePair({
    ...features, sign: r() < 0.5 ? 1 : -1, slack: 0,
    lineA: { origin: vector(r), direction: direction(r), length: 1, radius: r() < 0.5 ? 0 : r() },
    lineB: { origin: vector(r), direction: direction(r), length: 1, radius: r() < 0.5 ? 0 : r() },
  }),
}

const motion = (r: Random): BodyMotion => motionOf(pose(r, 1), vector(r, 2), vector(r, 2), vector(r, 0.5))

/** Away from where a normal is undefined, so that differences mean something. */
function regular(pair: FeaturePair, a: BodyMotion, b: BodyMotion): boolean {
  const { pointRate, normalRate } = pair.rates(a, b)
  return length(normalRate) < 6 && lengthSquared(pointRate) < 1000
}

describe.each(Object.entries(pairs))('the rates of a %s', (_, make) => {
  it('are the derivatives of its point, normal and gap, and give the gap\'s second derivative', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const pair = make(r)
      const a = motion(r)
      const b = motion(r)
      if (regular(pair, a, b)) {
        checkRates(pair, a, b)
        checkRates(new SwappedPair(pair), b, a)
      }
    }), { numRuns: 300 })
  })

  it('do not change when the whole scene moves rigidly', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const pair = make(r)
      const omega = vector(r, 2)
      const v = vector(r, 2)
      const still = (m: BodyMotion): BodyMotion => ({ ...m, angularVelocity: omega, velocity: add(v, cross(omega, m.center)) })
      const a = still(motion(r))
      const b = still(motion(r))
      const { point, normal } = pair.locate(a.pose, b.pose)
      const { pointRate, normalRate } = pair.rates(a, b)
      expect(distance(normalRate, cross(omega, normal))).toBeLessThan(1e-9 * (1 + length(normalRate)))
      expect(distance(pointRate, velocityAt(a, point))).toBeLessThan(1e-8 * (1 + length(pointRate)))
    }), { numRuns: 100 })
  })
})

/** Features of two polyhedra that may meet within a step, crossing edges included. */

import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import { gapOf, type FeaturePair } from '../../../../../core/collision/contact'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { box } from '../../../../../core/geometry/box'
import { IDENTITY_POSE, type Pose } from '../../../../../core/math/pose'
import { addScaled } from '../../../../../core/math/vector'
import type { PairStep } from '../../../../../core/methods/time-stepping/contact-model'
import { FacingFeatures } from '../../../../../core/methods/time-stepping/facing'
import { between, orientation, random } from '../../collision/random'
import { sampled } from '../../../../sampled'

const solidOf = (primitive: ReturnType<typeof box>) => ({ primitive, pose: IDENTITY_POSE, shape: 0, material: 0 })

function pairOf(a: ReturnType<typeof box>, b: ReturnType<typeof box>): PrimitivePair {
  const [solidA, solidB] = [solidOf(a), solidOf(b)]
  return {
    bodyA: 0, bodyB: 1, a: solidA, b: solidB, shapeA: 0, shapeB: 0, key: '0/1', collider: createCollider(solidA, solidB)!, memory: {},
    material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
  }
}

function featuresOf(pair: PrimitivePair, startA: Pose, startB: Pose, reach: number): readonly FeaturePair[] {
  return new FacingFeatures(pair).of({ startA, startB, endA: startA, endB: startB, reach, tolerance: 1e-9, spacing: 0, again: false } satisfies PairStep)
}

describe('two boxes a little apart', () => {
  sampled('have, among the pairs that may meet, the crossing edges nearest to each other, anywhere along both', { few: 80, all: 400 }, cases => {
    let crossings = 0
    fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
      const r = random(seed)
      const [qa, qb, x, y] = [orientation(r), orientation(r), between(r, -1, 1), between(r, -1, 1)]
      const pair = pairOf(box([0.6, 0.5, 0.4]), box([0.5, 0.7, 0.3]))
      const gap = 1e-4
      const poseB: Pose = { position: [0, 0, 0], orientation: qb }
      let poseA: Pose = { position: [0.3 * x, 0.3 * y, 2], orientation: qa }
      for (let k = 0; k < 30; k++) {
        const { separation, normal } = pair.collider.separating(poseA, poseB)
        poseA = { position: addScaled(poseA.position, normal, gap - separation), orientation: qa }
      }
      const separation = pair.collider.separation(poseA, poseB)
      const nearest = pair.collider.region(poseA, poseB, separation + 1e-9)
      const kinds = nearest.map(({ featureA, featureB }) => `${featureA.kind}/${featureB.kind}`)
      fc.pre(nearest.length > 0 && kinds.every(kind => kind === 'edge/edge'))
      fc.pre(nearest.every(features => Math.abs(gapOf(features, poseA, poseB) - separation) < 1e-9))
      const gaps = featuresOf(pair, poseA, poseB, 3 * gap).map(features => gapOf(features, poseA, poseB))
      crossings++
      expect(gaps.length).toBeGreaterThan(0)
      expect(Math.min(...gaps)).toBeCloseTo(separation, 9)
    }), { numRuns: cases })
    expect(crossings).toBeGreaterThan(cases / 20)
  })
})

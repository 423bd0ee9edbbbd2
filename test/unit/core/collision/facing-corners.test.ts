/** Feature pairs of two faces that face each other: those of the contact region, and of what could touch next, found at a fraction of the cost. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { gapOf, type FeaturePair } from '../../../../core/collision/contact'
import { box } from '../../../../core/geometry/box'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, type Quat } from '../../../../core/math/quaternion'
import { addScaled, dot } from '../../../../core/math/vector'

const solidOf = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE, shape: 0, material: 0 })
const unit = { noNaN: true, min: -1, max: 1 }
const orientation = fc.tuple(fc.double(unit), fc.double(unit), fc.double(unit), fc.double({ noNaN: true, min: 0.2, max: 1 })).map(q => normalizeQuaternion(q as Quat))

function near(a: Pose, b: Pose, collider: NonNullable<ReturnType<typeof createCollider>>, reach: number): FeaturePair[] {
  const found: FeaturePair[] = []
  collider.nearFeatures!(a, b, reach, found)
  return found
}

describe('two boxes that stand apart by a little', () => {
  const a = box([0.6, 0.5, 0.4])
  const b = box([0.5, 0.7, 0.3])

  it('have features no farther apart than they are, whatever way they are turned', () => {
    fc.assert(fc.property(orientation, orientation, fc.double({ noNaN: true, min: 1e-6, max: 1e-3 }), (qa, qb, gap) => {
      const collider = createCollider(solidOf(a), solidOf(b))!
      const poseB: Pose = { position: [0, 0, 0], orientation: qb }
      // Moved along the separating direction until they stand that far apart.
      let poseA: Pose = { position: [0.2, 0.1, 2], orientation: qa }
      for (let k = 0; k < 30; k++) {
        const { separation, normal } = collider.separating(poseA, poseB)
        poseA = { position: addScaled(poseA.position, normal, gap - separation), orientation: qa }
      }
      const separation = collider.separation(poseA, poseB)
      const features = near(poseA, poseB, collider, 2 * gap)
      expect(features.length).toBeGreaterThan(0)
      const gaps = features.map(pair => gapOf(pair, poseA, poseB))
      expect(Math.min(...gaps)).toBeCloseTo(separation, 9)
      expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * gap * (1 + 1e-9))
    }), { numRuns: 200 })
  })

  it('have those of their contact region where face lies on face', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, min: 0.1, max: 1.4 }), fc.double({ noNaN: true, min: -0.2, max: 0.2 }), (angle, shift) => {
      const collider = createCollider(solidOf(a), solidOf(b))!
      const poseA: Pose = { position: [shift, 0.07, 0.3500001], orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }
      const region = collider.region(poseA, IDENTITY_POSE, 1e-6).map(({ key }) => key).sort()
      expect(near(poseA, IDENTITY_POSE, collider, 1e-6).map(({ key }) => key).sort()).toEqual(region)
    }))
  })

  it('are the same objects when they are asked for again', () => {
    const collider = createCollider(solidOf(a), solidOf(b))!
    const poses: [Pose, Pose] = [{ position: [0.1, 0.05, 0.3505], orientation: [0, 0, 0, 1] }, IDENTITY_POSE]
    expect(near(...poses, collider, 0.01)).toHaveLength(4)
    near(...poses, collider, 0.01).forEach((pair, k) => { expect(pair).toBe(near(...poses, collider, 0.01)[k]) })
  })

  it('have none beyond the reach', () => {
    const collider = createCollider(solidOf(a), solidOf(b))!
    expect(near({ position: [0, 0, 0.5], orientation: [0, 0, 0, 1] }, IDENTITY_POSE, collider, 0.1)).toEqual([])
  })
})

describe('a box over a plane', () => {
  it('faces it with every corner within reach, and no other', () => {
    fc.assert(fc.property(orientation, fc.double({ noNaN: true, min: 0, max: 0.4 }), (q, reach) => {
      const solid = box([0.6, 0.5, 0.4])
      const collider = createCollider(solidOf(solid), solidOf(new HalfSpace([0, 0, 1], 0)))!
      const pose: Pose = { position: [0, 0, 0.5], orientation: q }
      const found = near(pose, IDENTITY_POSE, collider, reach).map(({ featureA: { index } }) => index).sort((v, w) => v - w)
      const placed = solid.vertices.map(v => dot([2 * (q[0] * q[2] - q[3] * q[1]), 2 * (q[1] * q[2] + q[3] * q[0]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])], v) + 0.5)
      expect(found).toEqual(placed.flatMap((height, v) => height <= reach ? [v] : []))
    }))
  })
})

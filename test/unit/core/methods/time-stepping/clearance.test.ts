import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { box } from '../../../../../core/geometry/box'
import { HalfSpace } from '../../../../../core/geometry/half-space'
import type { Primitive } from '../../../../../core/geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../../../../core/math/pose'
import { normalizeQuaternion } from '../../../../../core/math/quaternion'
import { clearanceOf } from '../../../../../core/methods/time-stepping/clearance'
import { standardModel } from '../../../../../core/methods/time-stepping/standard-model'
import type { StepConstraint } from '../../../../../core/methods/time-stepping/contact-model'

function pairOf(first: Primitive, second: Primitive): PrimitivePair {
  const a = { primitive: first, pose: IDENTITY_POSE, shape: 0, material: 0 }
  const b = { primitive: second, pose: IDENTITY_POSE, shape: 0, material: 0 }
  return {
    bodyA: 0, bodyB: 1, a, b, shapeA: 0, shapeB: 0, key: '0.0/1.0', collider: createCollider(a, b)!, memory: {},
    material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
  }
}

const coordinate = fc.double({ min: -2, max: 2, noNaN: true })
const turn = fc.double({ min: -1, max: 1, noNaN: true })
const pose = fc.tuple(coordinate, coordinate, coordinate, turn, turn, turn, turn)
  .filter(([, , , i, j, k, w]) => i * i + j * j + k * k + w * w > 0.1)
  .map(([x, y, z, i, j, k, w]): Pose => ({ position: [x, y, z], orientation: normalizeQuaternion([i, j, k, w]) }))
const cube = box([1, 1, 1])

describe('cached data of a pair', () => {
  it('report separation exactly if the solids are separated, after any earlier queries', () => {
    for (const other of [box([2, 0.5, 1]), new HalfSpace([0, 0, 1], 0)]) {
      const asked = pairOf(cube, other)
      const afresh = pairOf(cube, other)
      fc.assert(fc.property(pose, pose, (a, b) => {
        const separation = afresh.collider.separation(a, b)
        fc.pre(Math.abs(separation) > 1e-12)
        expect(clearanceOf(asked).isApart(a, b, 0)).toBe(separation > 0)
        if (clearanceOf(asked).isKnownApart(a, b, 0.1)) expect(separation).toBeGreaterThan(0.1 - 1e-12)
      }), { numRuns: 300 })
    }
  })

  it('give a plane for which all points of one solid lie at least at the stated height above the other', () => {
    const pair = pairOf(cube, cube)
    fc.assert(fc.property(pose, pose, (a, b) => {
      const { separation } = clearanceOf(pair).separating(a, b)
      expect(separation).toBeLessThanOrEqual(pair.collider.separation(a, b) + 1e-12)
    }), { numRuns: 300 })
  })

  it('distinguish a plate above from one below', () => {
    const pair = pairOf(cube, box([5, 5, 0.01]))
    const at = (z: number): Pose => ({ position: [0, 0, z], orientation: [0, 0, 0, 1] })
    expect(clearanceOf(pair).isOnSameSide(at(1), at(0), at(0.6), at(0))).toBe(true)
    expect(clearanceOf(pair).isOnSameSide(at(1), at(0), at(-1), at(0))).toBe(false)
  })
})

it('features that are kept during small motions are those that a new search would find', () => {
  const kept = pairOf(cube, cube)
  const at = (x: number, z: number): Pose => ({ position: [x, 0.2, z], orientation: [0, 0, 0, 1] })
  const found = (pair: PrimitivePair, a: Pose): string[] => {
    const out: StepConstraint[] = []
    standardModel.constraints(pair, { startA: a, startB: at(0, 0), endA: a, endB: at(0, 0), reach: 0.01, tolerance: 1e-7, spacing: 1e-3, again: false }, out)
    return out.map(({ key }) => key).sort()
  }
  for (const [x, z] of [[0.3, 1.001], [0.30001, 1.00101], [0.30004, 1.001], [0.9, 1.002], [0.9, 1.02], [0.9, 1.001]] as const) {
    expect(found(kept, at(x, z))).toEqual(found(pairOf(cube, cube), at(x, z)))
  }
})

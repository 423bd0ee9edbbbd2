import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { box } from '../../../../../core/geometry/box'
import { HalfSpace } from '../../../../../core/geometry/half-space'
import type { Primitive } from '../../../../../core/geometry/shape'
import { IDENTITY_POSE, type Pose } from '../../../../../core/math/pose'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../../../../../core/math/quaternion'
import { add, length } from '../../../../../core/math/vector'
import { Margin } from '../../../../../core/methods/time-stepping/margin'

function pairOf(first: Primitive, second: Primitive): PrimitivePair {
  const a = { primitive: first, pose: { position: [0.3, 0, 0], orientation: [0, 0, 0, 1] } as Pose, shape: 0, material: 0 }
  const b = { primitive: second, pose: IDENTITY_POSE, shape: 0, material: 0 }
  return {
    bodyA: 0, bodyB: 1, a, b, shapeA: 0, shapeB: 0, key: '0.0/1.0', collider: createCollider(a, b)!, memory: {},
    material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
  }
}

const small = fc.double({ min: -0.1, max: 0.1, noNaN: true })
const vector = fc.tuple(small, small, small)
const move = fc.tuple(vector, vector, vector, vector)

/** rad: twice the change of a quaternion is no less than the angle. */
function turnOf(before: Quat, after: Quat): number {
  return 2 * Math.sqrt(before.reduce((sum, value, k) => sum + (after[k]! - value) ** 2, 0))
}

function moved({ position, orientation }: Pose, shift: readonly [number, number, number], [x, y, z]: readonly [number, number, number]): Pose {
  return { position: add(position, shift), orientation: normalizeQuaternion(multiplyQuaternions(normalizeQuaternion([x, y, z, 1]), orientation)) }
}

describe('the margin of a pair', () => {
  it('is never more than the distance, however the bodies have moved since it was marked', () => {
    for (const other of [box([0.5, 1, 0.2]), new HalfSpace([0, 0, 1], 0)]) {
      fc.assert(fc.property(fc.array(move, { minLength: 1, maxLength: 6 }), moves => {
        const pair = pairOf(box([1, 0.4, 0.3]), other)
        const margin = new Margin(pair)
        let a: Pose = { position: [0.4, 0, 1.5], orientation: [0, 0, 0, 1] }
        let b: Pose = IDENTITY_POSE
        const turns = new Float64Array(2)
        expect(margin.least(a, b, turns)).toBe(-Infinity)
        margin.mark(pair.collider.separation(a, b), a, b, turns)
        for (const [shiftA, turnA, shiftB, turnB] of moves) {
          const nextA = moved(a, shiftA, turnA)
          const nextB = other.kind === 'halfSpace' ? b : moved(b, shiftB, turnB)
          turns[0]! += turnOf(a.orientation, nextA.orientation)
          turns[1]! += turnOf(b.orientation, nextB.orientation)
          a = nextA
          b = nextB
          expect(margin.least(a, b, turns)).toBeLessThanOrEqual(Math.max(0, pair.collider.separation(a, b)) + 1e-12)
          if (other.kind !== 'halfSpace') expect(margin.between(a, b)).toBeLessThanOrEqual(Math.max(0, pair.collider.separation(a, b)) + 1e-12)
        }
      }), { numRuns: 200 })
    }
  })

  it('is not reduced when both bodies fall side by side', () => {
    const margin = new Margin(pairOf(box([1, 1, 1]), box([1, 1, 1])))
    const at = (x: number, z: number): Pose => ({ position: [x, 0, z], orientation: [0, 0, 0, 1] })
    const turns = Float64Array.of(1, 2)
    margin.mark(0.2, at(1.2, 0), at(0, 0), turns)
    expect(margin.least(at(1.2, -50), at(0, -50), turns)).toBeCloseTo(0.2, 12)
    expect(margin.least(at(1.1, -50), at(0, -50), turns)).toBeCloseTo(0.1, 12)
    turns[1] = 2.05
    expect(margin.least(at(1.2, -50), at(0, -50), turns)).toBeCloseTo(0.2 - 0.05 * length([0.5, 0.5, 0.5]), 12)
  })

  it('is unknown after the rotation count has restarted', () => {
    const margin = new Margin(pairOf(box([1, 1, 1]), box([1, 1, 1])))
    const [a, b]: Pose[] = [{ position: [2, 0, 0], orientation: [0, 0, 0, 1] }, IDENTITY_POSE]
    margin.mark(1, a!, b!, Float64Array.of(3, 0))
    expect(margin.least(a!, b!, Float64Array.of(3, 0))).toBe(-Infinity)
  })
})

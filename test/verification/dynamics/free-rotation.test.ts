import { describe, expect, it } from 'vitest'
import { angularMomentumOf, rigidBody } from '../../../core/dynamics/body'
import { gravity } from '../../../core/dynamics/forces'
import { diagonal, multiply, transform, transformTransposed, transpose } from '../../../core/math/matrix'
import { normalizeQuaternion, toMatrix, type Quat } from '../../../core/math/quaternion'
import { distance, length, type Vec3 } from '../../../core/math/vector'
import { jacobi } from './elliptic'
import { System } from './system'

describe('a free asymmetric top', () => {
  const I = [1, 2, 3] as const
  // Principal axes turned against the body frame, and the body turned in the world: nothing is aligned.
  const principal = toMatrix(normalizeQuaternion([0.3, -0.5, 0.2, 0.7]))
  const orientation: Quat = normalizeQuaternion([-0.4, 0.1, 0.6, 0.5])
  const start: Vec3 = [1.2, 0, 0.9]

  function closedForm(t: number): Vec3 {
    const energy2 = I[0] * start[0] ** 2 + I[2] * start[2] ** 2
    const momentum2 = (I[0] * start[0]) ** 2 + (I[2] * start[2]) ** 2
    expect(momentum2).toBeGreaterThan(energy2 * I[1])
    const low = energy2 * I[2] - momentum2
    const high = momentum2 - energy2 * I[0]
    const rate = Math.sqrt(((I[2] - I[1]) * high) / (I[0] * I[1] * I[2]))
    const k = Math.sqrt(((I[1] - I[0]) * low) / ((I[2] - I[1]) * high))
    const { sn, cn, dn } = jacobi(rate * t, k)
    return [
      Math.sqrt(low / (I[0] * (I[2] - I[0]))) * cn,
      Math.sqrt(low / (I[1] * (I[2] - I[1]))) * sn,
      Math.sqrt(high / (I[2] * (I[2] - I[0]))) * dn,
    ]
  }

  it('turns as Jacobi\'s elliptic functions say, to 1e-8 over 100 s, with energy and angular momentum kept', () => {
    const body = rigidBody({
      index: 0, id: 'top', type: 'dynamic', mass: 1, inertia: multiply(multiply(principal, diagonal(...I)), transpose(principal)),
      centerOfMass: [0.1, 0.2, -0.1], position: [0, 0, 0], orientation,
      angularVelocity: transform(toMatrix(orientation), transform(principal, start)),
    })
    const system = new System([body], [], [], { tolerance: 1e-13, length: 1, speed: 1 })
    const momentum = angularMomentumOf(body, body.initial)
    const { energy } = system
    for (const t of [1, 7.3, 30, 61.7, 100]) {
      const motion = system.advance(t).motions[0]!
      const omega = transformTransposed(principal, transformTransposed(motion.rotation, motion.angularVelocity))
      expect(distance(omega, closedForm(t)) / length(start)).toBeLessThan(1e-8)
    }
    expect(Math.abs(system.energy / energy - 1)).toBeLessThan(1e-9)
    expect(distance(angularMomentumOf(body, system.motions[0]!), momentum)).toBeLessThan(1e-14)
  })
})

describe('the free box of scpeters/benchmark', () => {
  // Complex case of ../shared/reference/scpeters-boxes (Apache-2.0): published ω in body axes at 10 s and elliptic period.
  it('has the published angular velocity at 10 s and lies where a projectile lies', () => {
    const [a, b, c] = [0.1, 0.4, 0.9]
    const m = 10
    const I: Vec3 = [(m * (b * b + c * c)) / 12, (m * (a * a + c * c)) / 12, (m * (a * a + b * b)) / 12]
    const box = rigidBody({
      index: 0, id: 'box', type: 'dynamic', mass: m, inertia: diagonal(...I), position: [0, 0, 0], orientation: [0, 0, 0, 1],
      linearVelocity: [-2, 2, 8], angularVelocity: [0.1, 5, 0.1],
    })
    const system = new System([box], [], [gravity([0, 0, -9.8], [box])], { tolerance: 1e-13, length: 1, speed: 10 })
    const { energy } = system
    expect(energy).toBeCloseTo(368.546, 3)
    const momentum = angularMomentumOf(box, box.initial)
    const motion = system.advance(10).motions[0]!
    const omega = transformTransposed(motion.rotation, motion.angularVelocity)
    // Two turns about the intermediate axis blow an error up by some 1e5.
    expect(distance(omega, [2.755840405216, -3.735963519142, -3.161809003546]) / length(omega)).toBeLessThan(1e-8)
    expect(distance(motion.center, [-20, 20, 80 - 490])).toBeLessThan(1e-10)
    expect(Math.abs(system.energy - energy)).toBeLessThan(1e-8)
    expect(distance(angularMomentumOf(box, motion), momentum)).toBeLessThan(1e-14)
  })
})

import * as fc from 'fast-check'
import { motionAt } from '../../../../../core/dynamics/body'
import type { BodyMotion } from '../../../../../core/geometry/motion'
import { cos, sin } from '../../../../../core/math/elementary'
import { multiplyQuaternions, normalizeQuaternion, rotate, type Quat } from '../../../../../core/math/quaternion'
import { add, addScaled, length, scale, type Vec3 } from '../../../../../core/math/vector'

const unit = fc.double({ min: -1, max: 1, noNaN: true })

export const vectors = (size = 1): fc.Arbitrary<Vec3> => fc.tuple(unit, unit, unit).map(v => scale(v as Vec3, size))

export const directions: fc.Arbitrary<Vec3> = vectors().filter(v => length(v) > 0.2)

export const orientations: fc.Arbitrary<Quat> = fc.tuple(unit, unit, unit, unit)
  .filter(q => q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.1)
  .map(q => normalizeQuaternion(q as unknown as Quat))

/** A body's motion with its centre of mass off the frame's origin. */
export const motions: fc.Arbitrary<BodyMotion> = fc
  .tuple(vectors(0.5), vectors(2), orientations, vectors(2), vectors(2))
  .map(([centerOfMass, position, orientation, v, w]) => motionAt(centerOfMass, position, orientation, v, w))

/** The unit quaternion of a rotation vector. */
export function rotationOf(vector: Vec3): Quat {
  const angle = length(vector)
  if (angle === 0) return [0, 0, 0, 1]
  const axis = scale(vector, sin(angle / 2) / angle)
  return [axis[0], axis[1], axis[2], cos(angle / 2)]
}

/** Where the motion has come after `t` seconds without acceleration. */
export function drift(motion: BodyMotion, t: number): BodyMotion {
  const turn = rotationOf(scale(motion.angularVelocity, t))
  const orientation = multiplyQuaternions(turn, motion.pose.orientation)
  const center = addScaled(motion.center, motion.velocity, t)
  const arm = rotate(turn, addScaled(motion.pose.position, motion.center, -1))
  const moved = motionAt([0, 0, 0], add(center, arm), orientation, motion.velocity, motion.angularVelocity)
  return { ...moved, center }
}

/** The same motion seen from a world turned by `q` and shifted by `shift`. */
export function seenFrom(motion: BodyMotion, q: Quat, shift: Vec3): BodyMotion {
  const moved = motionAt(
    [0, 0, 0], add(shift, rotate(q, motion.pose.position)), multiplyQuaternions(q, motion.pose.orientation),
    rotate(q, motion.velocity), rotate(q, motion.angularVelocity))
  return { ...moved, center: add(shift, rotate(q, motion.center)) }
}

/**
 * First and second derivative of f at 0 by tenth-order central differences: a bead that passes the sharp end of an ellipse turns at 40 rad/s, where
 * sixth order is off by 5e-7.
 */
export function derivatives(f: (t: number) => number): { first: number; second: number } {
  const h = 0.002
  const firstWeights = [5 / 6, -5 / 21, 5 / 84, -5 / 504, 1 / 1260]
  const secondWeights = [5 / 3, -5 / 21, 5 / 126, -5 / 1008, 1 / 3150]
  let first = 0
  let second = -5269 / 1800 * f(0)
  for (let k = 1; k <= 5; k++) {
    const before = f(-k * h)
    const after = f(k * h)
    first += firstWeights[k - 1]! * (after - before)
    second += secondWeights[k - 1]! * (after + before)
  }
  return { first: first / h, second: second / (h * h) }
}

/** J row · u, u = (v_A, ω_A, v_B, ω_B). */
export function applyRow(jacobian: Float64Array, row: number, a: BodyMotion, b: BodyMotion): number {
  const u = [...a.velocity, ...a.angularVelocity, ...b.velocity, ...b.angularVelocity]
  return u.reduce((sum, value, k) => sum + jacobian[12 * row + k]! * value, 0)
}

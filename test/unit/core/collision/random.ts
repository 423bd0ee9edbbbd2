/** Random solids and motions for property tests, each from one integer, so that failures can be reproduced. */

import { convexHull } from '../../../../core/geometry/hull'
import type { BodyMotion } from '../../../../core/geometry/motion'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import { composePoses, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotate, toMatrix, type Quat } from '../../../../core/math/quaternion'
import { add, length, normalize, scale, type Vec3 } from '../../../../core/math/vector'

export type Random = () => number

/** Uniform in [0, 1): mulberry32. */
export function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const between = (r: Random, low: number, high: number): number => low + (high - low) * r()
export const vector = (r: Random, size = 1): Vec3 => [between(r, -size, size), between(r, -size, size), between(r, -size, size)]
export const direction = (r: Random): Vec3 => {
  for (;;) {
    const v = vector(r)
    if (length(v) > 0.1 && length(v) < 1) {
      return normalize(v)
    }
  }
}
export const orientation = (r: Random): Quat => normalizeQuaternion([between(r, -1, 1), between(r, -1, 1), between(r, -1, 1), between(r, -1, 1)])
export const pose = (r: Random, size = 1): Pose => ({ position: vector(r, size), orientation: orientation(r) })

/** A hull of points on a flattened ball of radius about `size`. */
export function hull(r: Random, points: number, size: number): Polyhedron {
  const squash: Vec3 = [between(r, 0.2, 1), between(r, 0.2, 1), between(r, 0.2, 1)]
  return convexHull('convexHull', Array.from({ length: points }, () => {
    const d = scale(direction(r), size * between(r, 0.8, 1))
    return [d[0] * squash[0], d[1] * squash[1], d[2] * squash[2]] as Vec3
  }))
}

export function motionOf(bodyPose: Pose, velocity: Vec3, angularVelocity: Vec3, centerInBody: Vec3 = [0, 0, 0]): BodyMotion {
  return {
    pose: bodyPose, rotation: toMatrix(bodyPose.orientation),
    center: add(bodyPose.position, rotate(bodyPose.orientation, centerInBody)), velocity, angularVelocity,
  }
}

/** Where a body with constant velocity of its centre and constant world angular velocity is after `time`. */
export function advance(motion: BodyMotion, time: number): BodyMotion {
  const rate = length(motion.angularVelocity)
  const turn: Quat = rate === 0 ? [0, 0, 0, 1] : (() => {
    const axis = scale(motion.angularVelocity, Math.sin(rate * time / 2) / rate)
    return [axis[0], axis[1], axis[2], Math.cos(rate * time / 2)]
  })()
  const center = add(motion.center, scale(motion.velocity, time))
  const arm = rotate(turn, [
    motion.pose.position[0] - motion.center[0], motion.pose.position[1] - motion.center[1], motion.pose.position[2] - motion.center[2],
  ])
  const turned = composePoses({ position: [0, 0, 0], orientation: turn }, { position: [0, 0, 0], orientation: motion.pose.orientation })
  const moved: Pose = { position: add(center, arm), orientation: normalizeQuaternion(turned.orientation) }
  return { pose: moved, rotation: toMatrix(moved.orientation), center, velocity: motion.velocity, angularVelocity: motion.angularVelocity }
}

/** Recorded poses as animation keys: which bodies move, and when each of them exists. */

import type { Pose } from '../../math/pose'
import type { Quat } from '../../math/quaternion'
import type { TrajectoryFrame } from '../motion'

export interface BodyKeys {
  /** By frame; before the body exists, its initial pose. */
  readonly poses: readonly Pose[]
  /** Whether any pose differs from the first. */
  readonly moves: boolean
  /** Index of the first frame in which it exists; the number of frames if it never does. */
  readonly appears: number
}

/** Signs of quaternions are chosen so that interpolation takes the shorter way. */
export function keysOf(frames: readonly TrajectoryFrame[], body: number, absent: Pose): BodyKeys {
  const appears = frames.findIndex(frame => frame.poses[body] !== null)
  const from = appears < 0 ? absent : frames[appears]!.poses[body]!
  let last: Quat = from.orientation
  const poses = frames.map(frame => {
    const { position, orientation: q } = frame.poses[body] ?? from
    const near = q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3] < 0
    last = near ? [-q[0], -q[1], -q[2], -q[3]] : q
    return { position, orientation: last }
  })
  const first = poses[0]
  const moves = poses.some(pose => pose.position.some((x, k) => x !== first!.position[k]) || pose.orientation.some((x, k) => x !== first!.orientation[k]))
  return { poses, moves, appears: appears < 0 ? frames.length : appears }
}

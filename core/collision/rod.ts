/** A segment with a ball swept along it, in its body frame: a capsule. A ball is a rod without length. */

import type { Capsule } from '../geometry/capsule'
import type { Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { addScaled, UNIT_Z, type Vec3 } from '../math/vector'
import type { Feature } from './contact'

export interface Rod {
  readonly from: Vec3
  /** Unit. */
  readonly direction: Vec3
  /** m */
  readonly length: number
  readonly radius: number
}

/** The whole straight segment, and its ends: 0 is the start, 1 the end. */
export const AXIS: Feature = { kind: 'axis', index: 0 }
export const END: readonly [Feature, Feature] = [{ kind: 'surface', index: 0 }, { kind: 'surface', index: 1 }]

export function rodOf(capsule: Capsule, pose: Pose): Rod {
  const direction = rotate(pose.orientation, UNIT_Z)
  return { from: addScaled(pose.position, direction, -capsule.height / 2), direction, length: capsule.height, radius: capsule.girth }
}

export function endOf(rod: Rod, end: 0 | 1): Vec3 {
  return end === 0 ? rod.from : addScaled(rod.from, rod.direction, rod.length)
}

/** Orientations by three angles, as fields show them: first about x, then about the fixed y, then about the fixed z. */

import { cos, sin } from '../math/elementary'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../math/quaternion'

const AXES = ['x', 'y', 'z']

/** The orientation and the axis that a field such as `orientation.z` or `shapes[0].orientation.x` refers to; null for any other field. */
export function turnField(field: string): { readonly orientation: string; readonly axis: number } | null {
  const [, orientation, axis] = /^(.*orientation)\.([xyz])$/.exec(field) ?? []
  return orientation === undefined ? null : { orientation, axis: AXES.indexOf(axis!) }
}

/** @param angles rad */
export function orientationOf(angles: readonly number[]): Quat {
  const turns = angles.map((angle, k): Quat => {
    const [s, c] = [sin(angle / 2), cos(angle / 2)]
    return [k === 0 ? s : 0, k === 1 ? s : 0, k === 2 ? s : 0, c]
  })
  return normalizeQuaternion(multiplyQuaternions(turns[2]!, multiplyQuaternions(turns[1]!, turns[0]!)))
}

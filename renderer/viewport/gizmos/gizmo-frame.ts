/** Position and axes of a gizmo. */

import { rotate, type Quat } from '../../../core/math/quaternion'
import type { Vec3 } from '../../../core/math/vector'

export type Axis = 0 | 1 | 2

export interface GizmoFrame {
  readonly origin: Vec3
  readonly axes: readonly [Vec3, Vec3, Vec3]
}

const UNITS: readonly [Vec3, Vec3, Vec3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

export function gizmoFrame(origin: Vec3, orientation: Quat | null): GizmoFrame {
  if (!orientation) return { origin, axes: UNITS }
  return { origin, axes: [rotate(orientation, UNITS[0]), rotate(orientation, UNITS[1]), rotate(orientation, UNITS[2])] }
}

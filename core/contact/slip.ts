/** Slip directions of touching points. */

import { addScaled, dot, length, scale, type Vec3 } from '../math/vector'
import type { TouchingPoint } from './constraints'
import type { FrictionalContact } from './friction-law'
import { steadyDirection } from './island-spin'
import type { PointGeometry } from './point-kinematics'

/** Tangential part of a relative velocity. */
export function tangential(velocity: Vec3, normal: Vec3): Vec3 {
  return addScaled(velocity, normal, -dot(velocity, normal))
}

/**
 * ŝ of a sliding point: the direction of v_t, but at the onset of slip its initial direction. It stays smooth through a step that runs beyond the
 * instant of sticking: the component along the present `slip` is at least `slowSlip`, so the direction does not flip, and its relaxation does not
 * become stiff. The event that v_t · slip reaches zero ends the step there.
 */
export function slipDirection({ slip: s0, onset }: TouchingPoint, geometry: PointGeometry, slowSlip: number): Vec3 {
  const flat = (v: Vec3): Vec3 => {
    const tangent = tangential(v, geometry.location.normal)
    return scale(tangent, 1 / length(tangent))
  }
  return onset ? flat(s0) : steadyDirection(geometry.slip, s0, slowSlip, flat)
}

/** Slip direction of a creeping contact in its tangents: that of its velocity, or the first tangent at zero velocity. */
export function crawlDirection({ velocity1, velocity2 }: FrictionalContact): { slip1: number; slip2: number } {
  const speed = Math.sqrt(velocity1 * velocity1 + velocity2 * velocity2)
  return speed > 0 ? { slip1: velocity1 / speed, slip2: velocity2 / speed } : { slip1: 1, slip2: 0 }
}

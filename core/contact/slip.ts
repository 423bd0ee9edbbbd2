/** Directions in which touching points slip. */

import { addScaled, dot, length, scale, type Vec3 } from '../math/vector'
import type { TouchingPoint } from './constraints'
import type { FrictionalContact } from './friction-law'
import { steadyDirection } from './island-spin'

/** Tangential part of a relative velocity. */
export function tangential(velocity: Vec3, normal: Vec3): Vec3 {
  return addScaled(velocity, normal, -dot(velocity, normal))
}

/**
 * ŝ along which a sliding point slides: that of v_t, but at the onset of slip the direction in which it began. It stays smooth through a step that
 * runs beyond the instant of sticking: the component along the present `slip` never falls below `slowSlip`, so the direction does not flip,
 * and its relaxation does not become stiff; the event that v_t · slip reaches zero ends the step there [physics.md §3].
 */
export function slipDirection(point: TouchingPoint, normal: Vec3, relativeVelocity: Vec3, slowSlip: number): Vec3 {
  const s0 = point.slip
  if (point.onset) return unitTangential(s0, normal)
  return steadyDirection(tangential(relativeVelocity, normal), s0, slowSlip, v => unitTangential(v, normal))
}

function unitTangential(v: Vec3, normal: Vec3): Vec3 {
  const flat = tangential(v, normal)
  return scale(flat, 1 / length(flat))
}

/** Of a contact that crawls, by its velocity along the tangents. */
export function crawlDirection({ velocity1, velocity2 }: FrictionalContact): { slip1: number; slip2: number } {
  const speed = Math.sqrt(velocity1 * velocity1 + velocity2 * velocity2)
  return speed > 0 ? { slip1: velocity1 / speed, slip2: velocity2 / speed } : { slip1: 1, slip2: 0 }
}

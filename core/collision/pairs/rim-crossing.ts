/**
 * Contact of a rim with a straight line that lies almost in the rim's plane.
 *
 * The rim's normals there all lie within that small angle of the disc's normal, so a normal exact to rounding gives its point only to rounding ÷ angle. The
 * point itself is a well-conditioned unknown. At the angle φ, with radial r̂ and tangent t̂ = â × r̂, the common normal of the rim and a line of direction ê
 * is n̂ = ± t̂ × ê / |t̂ × ê|, and they face each other where
 *
 *   g(φ) = (p − q) · m̂ = 0,   m̂ = ê × n̂,   g' = R t̂ · m̂ − ν (p − q) · n̂,   n̂' = ν m̂
 */

import { addScaled, cross, dot, length, normalize, scale, sub, type Vec3 } from '../../math/vector'
import type { ExtremalPoints } from '../extreme-direction'

/** Sine of the angle between rim and line below which the rim's tangent does not determine the normal. */
const OBLIQUE = 1e-2
/** Largest motion of the point along the rim in one step, rad: less than the distance of another crossing. */
const NEAR = 0.1
const MAX_STEPS = 6

/** The circle, relative to the common origin of all points. */
export interface RimAt {
  readonly center: Vec3
  /** Unit. */
  readonly axis: Vec3
  readonly radius: number
}

/**
 * Extremal points of a rim and a line (with a swept ball); `null` if the rim runs along the line, or if they are not near the given ones.
 *
 * @param origin a point of the line
 * @param direction unit
 * @param ball radius, m
 * @param rough approximate direction of the rim's point from its centre, and the normal there
 */
export function rimCrossing(
  { center, axis, radius }: RimAt, origin: Vec3, direction: Vec3, ball: number, rough: { readonly radial: Vec3; readonly normal: Vec3 },
): ExtremalPoints | null {
  let { radial } = rough
  for (let k = 0; ; k++) {
    const tangent = cross(axis, radial)
    const across = cross(tangent, direction)
    const oblique = length(across)
    if (!(oblique > OBLIQUE)) return null
    const sign = dot(across, rough.normal) < 0 ? -1 : 1
    const normal = scale(across, sign / oblique)
    const ahead = cross(direction, normal)
    const onA = addScaled(center, radial, radius)
    const d = sub(onA, origin)
    const turn = -sign * dot(ahead, cross(radial, direction)) / oblique
    const slope = radius * dot(tangent, ahead) - turn * dot(d, normal)
    const step = -dot(d, ahead) / slope
    if (!(Math.abs(step) < NEAR)) return null
    if (k === MAX_STEPS || Math.abs(step) <= Number.EPSILON) {
      // The separation is greatest at the result; if the rim tilts the other way, the maximum is at the line's other crossing.
      if (!(slope * turn < 0)) return null
      return { normal, separation: dot(normal, d) - ball, onA, onB: addScaled(origin, normal, ball), iterations: k }
    }
    radial = normalize(addScaled(radial, tangent, step))
  }
}

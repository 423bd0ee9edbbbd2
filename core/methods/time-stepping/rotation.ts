/**
 * Rotation by implicit midpoint on SO(3), with the world's angular momentum L as the state [physics.md §7].
 *
 *   θ = h I⁻¹ R_mᵀ L,   R_m = R exp(θ/2),   R⁺ = R exp(θ)            (θ in body axes)
 *
 * so with l = Rᵀ L the turn solves I θ = h exp(−θ/2) l. L is kept exactly; the energy of a free body only swings, by O(h²).
 */

import { cos, sin } from '../../math/elementary'
import { inverse, transform, type Mat3 } from '../../math/matrix'
import { rotate, type Quat } from '../../math/quaternion'
import { length, sub, type Vec3 } from '../../math/vector'

/** Newton steps; a handful are the rule, and only tumbling by radians a step takes more. */
const MAX_NEWTON = 40
/** Change of θ, relative, at which it is found. */
const SETTLED = 4 * Number.EPSILON

/**
 * The turn θ of one step, rad, in body axes.
 *
 * @param l angular momentum in body axes, kg m²/s
 */
export function midpointTurn(inertia: Mat3, inverseInertia: Mat3, l: Vec3, h: number): Vec3 {
  let theta = transform(inverseInertia, [h * l[0], h * l[1], h * l[2]])
  for (let i = 0; i < MAX_NEWTON; i++) {
    const m = rotate(rotationQuaternion(theta, -0.5), l)
    const have = transform(inertia, theta)
    const excess: Vec3 = [have[0] - h * m[0], have[1] - h * m[1], have[2] - h * m[2]]
    // I − (h/2) [m]×: positive definite plus skew, so never singular.
    const s = h / 2
    const slope: Mat3 = [
      inertia[0], inertia[1] + s * m[2], inertia[2] - s * m[1],
      inertia[3] - s * m[2], inertia[4], inertia[5] + s * m[0],
      inertia[6] + s * m[1], inertia[7] - s * m[0], inertia[8],
    ]
    const change = transform(inverse(slope), excess)
    theta = sub(theta, change)
    if (!(length(change) > SETTLED * length(theta))) break
  }
  return theta
}

/** The unit quaternion of a rotation by `share` × θ. */
export function rotationQuaternion(theta: Vec3, share = 1): Quat {
  const angle = length(theta) * share
  const s = angle === 0 ? share / 2 : share * sin(angle / 2) / angle
  return [s * theta[0], s * theta[1], s * theta[2], cos(angle / 2)]
}

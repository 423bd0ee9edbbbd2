/**
 * Rotation by implicit midpoint on SO(3), with the world's angular momentum L as the state [physics.md §7].
 *
 *   θ = h I⁻¹ R_mᵀ L,   R_m = R exp(θ/2),   R⁺ = R exp(θ)            (θ in body axes)
 *
 * so with l = Rᵀ L the turn solves I θ = h exp(−θ/2) l. L is kept exactly; the energy of a free body only swings, by O(h²).
 */

import { transform, type Mat3 } from '../../math/matrix'
import { rotate } from '../../math/quaternion'
import { rotationQuaternion } from '../../math/rotation'
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
  const s = h / 2
  for (let i = 0; i < MAX_NEWTON; i++) {
    const m = rotate(rotationQuaternion(theta, -0.5), l)
    const ex = inertia[0] * theta[0] + inertia[1] * theta[1] + inertia[2] * theta[2] - h * m[0]
    const ey = inertia[3] * theta[0] + inertia[4] * theta[1] + inertia[5] * theta[2] - h * m[1]
    const ez = inertia[6] * theta[0] + inertia[7] * theta[1] + inertia[8] * theta[2] - h * m[2]
    // The slope I − (h/2) [m]×: positive definite plus skew, so never singular.
    const a = inertia[0]
    const b = inertia[1] + s * m[2]
    const c = inertia[2] - s * m[1]
    const d = inertia[3] - s * m[2]
    const e = inertia[4]
    const f = inertia[5] + s * m[0]
    const g = inertia[6] + s * m[1]
    const j = inertia[7] - s * m[0]
    const k = inertia[8]
    const [cx, cy, cz] = [e * k - f * j, f * g - d * k, d * j - e * g]
    const share = 1 / (a * cx + b * cy + c * cz)
    const change: Vec3 = [
      cx * share * ex + (c * j - b * k) * share * ey + (b * f - c * e) * share * ez,
      cy * share * ex + (a * k - c * g) * share * ey + (c * d - a * f) * share * ez,
      cz * share * ex + (b * g - a * j) * share * ey + (a * e - b * d) * share * ez,
    ]
    theta = sub(theta, change)
    if (!(length(change) > SETTLED * length(theta))) break
  }
  return theta
}

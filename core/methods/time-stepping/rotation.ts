/**
 * Rotation by implicit midpoint on SO(3), with the angular momentum L in world axes as the state.
 *
 *   θ = h I⁻¹ R_mᵀ L,   R_m = R exp(θ/2),   R⁺ = R exp(θ)            (θ in body axes)
 *
 * so with l = Rᵀ L the rotation solves I θ = h exp(−θ/2) l. L is conserved exactly; the energy of a free body oscillates by O(h²).
 */

import { cos, sin } from '../../math/elementary'
import type { Mat3 } from '../../math/matrix'
import type { Vec3 } from '../../math/vector'

/** Newton iterations; usually a few, and more only for rotations of radians per step. */
const MAX_NEWTON = 40
/** Relative change of θ at convergence. */
const SETTLED = 4 * Number.EPSILON

/**
 * The rotation θ of one step, rad, in body axes.
 *
 * @param l angular momentum in body axes, kg m²/s
 */
export function midpointTurn(inertia: Mat3, inverseInertia: Mat3, l: Vec3, h: number): Vec3 {
  const lx = l[0]
  const ly = l[1]
  const lz = l[2]
  let tx = inverseInertia[0] * (h * lx) + inverseInertia[1] * (h * ly) + inverseInertia[2] * (h * lz)
  let ty = inverseInertia[3] * (h * lx) + inverseInertia[4] * (h * ly) + inverseInertia[5] * (h * lz)
  let tz = inverseInertia[6] * (h * lx) + inverseInertia[7] * (h * ly) + inverseInertia[8] * (h * lz)
  const s = h / 2
  for (let i = 0; i < MAX_NEWTON; i++) {
    // m = exp(−θ/2) l by the quaternion (x, y, z, w).
    const angle = Math.sqrt(tx * tx + ty * ty + tz * tz) * -0.5
    const share = angle === 0 ? -0.5 / 2 : -0.5 * sin(angle / 2) / angle
    const x = share * tx
    const y = share * ty
    const z = share * tz
    const w = cos(angle / 2)
    const ux = 2 * (y * lz - z * ly)
    const uy = 2 * (z * lx - x * lz)
    const uz = 2 * (x * ly - y * lx)
    const mx = lx + w * ux + y * uz - z * uy
    const my = ly + w * uy + z * ux - x * uz
    const mz = lz + w * uz + x * uy - y * ux
    const ex = inertia[0] * tx + inertia[1] * ty + inertia[2] * tz - h * mx
    const ey = inertia[3] * tx + inertia[4] * ty + inertia[5] * tz - h * my
    const ez = inertia[6] * tx + inertia[7] * ty + inertia[8] * tz - h * mz
    // The derivative I − (h/2) [m]×: positive definite plus skew, so never singular.
    const a = inertia[0]
    const b = inertia[1] + s * mz
    const c = inertia[2] - s * my
    const d = inertia[3] - s * mz
    const e = inertia[4]
    const f = inertia[5] + s * mx
    const g = inertia[6] + s * my
    const j = inertia[7] - s * mx
    const k = inertia[8]
    const cx = e * k - f * j
    const cy = f * g - d * k
    const cz = d * j - e * g
    const scale = 1 / (a * cx + b * cy + c * cz)
    const dx = cx * scale * ex + (c * j - b * k) * scale * ey + (b * f - c * e) * scale * ez
    const dy = cy * scale * ex + (a * k - c * g) * scale * ey + (c * d - a * f) * scale * ez
    const dz = cz * scale * ex + (b * g - a * j) * scale * ey + (a * e - b * d) * scale * ez
    tx -= dx
    ty -= dy
    tz -= dz
    if (!(Math.sqrt(dx * dx + dy * dy + dz * dz) > SETTLED * Math.sqrt(tx * tx + ty * ty + tz * tz))) break
  }
  return [tx, ty, tz]
}

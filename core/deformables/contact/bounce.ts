/** What a particle does when it meets a surface [PBM01-C §7.2]. */

/**
 * Velocity after a collision, in place: V' = V_T − e V_N against a surface that moves with `surface`, and Coulomb friction of the impulse, which takes at most
 * μ (1 + e) |V_N| from the slip.
 *
 * @param at where the particle's velocity begins in `v`
 * @returns the impulse along the normal per mass, m/s; 0 where it does not approach
 */
export function bounce(v: Float64Array, at: number, normal: Float64Array, surface: Float64Array, restitution: number, friction: number): number {
  const ux = v[at]! - surface[0]!
  const uy = v[at + 1]! - surface[1]!
  const uz = v[at + 2]! - surface[2]!
  const un = ux * normal[0]! + uy * normal[1]! + uz * normal[2]!
  if (un >= 0) return 0
  const tx = ux - un * normal[0]!
  const ty = uy - un * normal[1]!
  const tz = uz - un * normal[2]!
  const slip = Math.sqrt(tx * tx + ty * ty + tz * tz)
  const impulse = -(1 + restitution) * un
  const kept = slip > friction * impulse ? 1 - (friction * impulse) / slip : 0
  v[at] = surface[0]! + kept * tx - restitution * un * normal[0]!
  v[at + 1] = surface[1]! + kept * ty - restitution * un * normal[1]!
  v[at + 2] = surface[2]! + kept * tz - restitution * un * normal[2]!
  return impulse
}

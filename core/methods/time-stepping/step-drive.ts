/**
 * Target and compliance of the row of a motor, joint friction or servo in a step: its coordinate's rate is u = rate − compliance × impulse, within
 * the bounds of its impulse.
 *
 * A motor's rate is its target velocity, with zero compliance. A servo, f = k (q* − q) + d (q̇* − q̇), is solved implicitly together with everything
 * else, so that any stiffness is stable [Catto 2011]. With contacts its whole impulse of the step is that at the step's end (backward
 * Euler):
 *
 *   p = h [k (q*₁ − q₀ − h u) + d (q̇*₁ − u)]
 *
 * Without contacts, half the kick acts at the start and half at the end,
 *
 *   p₁ = h/2 [k (q*₀ + α Δq* − q₀ − α h u) + d ((1 − α) (q̇*₀ − v₀) + α (q̇*₁ − u))]
 *   p₂ = h/2 [k (q*₁ + α Δq* − q₁ − α h v₁) + d (q̇*₁ − v₁)],   Δq* = q*₁ − q*₀,   α = s / (1 + s),   s = A h (h k + d)
 *
 * where u is the rate of the coordinate during the step and A its mobility. If the step resolves the servo's dynamics, α → 0, and this is the
 * trapezoidal rule (second order); if not, α → 1, and the coordinate ends at its target with its target's velocity. In between no frequency is
 * amplified.
 *
 * Where contacts persist (`leapfrog.ts`), p₁ acts over κ seconds, of which the last h/2 lie in this step. With the rate u' at the middle of the
 * previous step, the rate at its end is v₀ = u' + w (u − u'), w = 1 − h/(2κ):
 *
 *   p = κ [k (q*₀ + α Δq* − q₀ − α h u) + d ((1 − α) (q̇*₀ − v₀) + α (q̇*₁ − u))]
 */

import type { Drive } from '../../contact/constraints'
import type { Rows } from '../../contact/rows'

export interface StepDrive {
  readonly drive: Drive
  row: number
  /** s: start of the step. */
  readonly time: number
  /** Position and velocity of its coordinate at the start of the step, and the position at its end, once known. */
  readonly start: number
  readonly startVelocity: number
  end: number
  /** m/s or rad/s: rate without an impulse. */
  rate: number
  /** Decrease of the rate for each N s or N m s. */
  compliance: number
  /** α: near 1 for a servo whose dynamics are faster than the step. */
  implicit: number
  /** Share of a rate error that the coordinate itself must correct. */
  yielding: number
}

/** Least α: for very weak forces, so that the compliance stays finite. */
const MIN_ALPHA = 1e-9

/** @param time s, start of the step @param at its coordinate there */
export function stepDrive(drive: Drive, time: number, at: { readonly position: number; readonly velocity: number }): StepDrive {
  return { drive, row: -1, time, start: at.position, startVelocity: at.velocity, end: NaN, rate: drive.targetVelocity, compliance: 0, implicit: 0, yielding: 1 }
}

/**
 * Computes the drive's target for its row, whose inverse masses are known.
 *
 * @param h s, of the whole step
 * @param time s, over which its impulse acts
 * @param before rate h/2 − time s after the start, m/s or rad/s: at the middle of the previous step, or at the start
 */
export function drivenOver(
  entry: StepDrive, rows: Rows, part: 'step' | 'to the middle' | 'second half', h: number, time: number, before: number = entry.startVelocity,
): void {
  const { drive: { servo }, row, start, end } = entry
  if (servo === null) return
  const { stiffness: k, damping: d } = servo
  const from = servo.reference(entry.time)
  const to = servo.jumps ? from : servo.reference(entry.time + h)
  const change = to.position - from.position
  const A = rows.diagonal(row)
  const s = A * h * (h * k + d)
  const implicit = entry.implicit = Math.max(MIN_ALPHA, s / (1 + s))
  let [stiff, impulse] = [0, 0]
  if (part === 'step') {
    stiff = time * (h * k + d)
    impulse = time * (k * (to.position - start) + d * to.velocity)
  } else if (part === 'second half') {
    stiff = time * (implicit * h * k + d)
    impulse = time * (k * (to.position + implicit * change - end) + d * to.velocity)
  } else {
    const share = 1 - h / (2 * time)
    stiff = time * (implicit * (h * k + d) + (1 - implicit) * share * d)
    impulse = time * (k * (from.position + implicit * change - start)
      + d * ((1 - implicit) * (from.velocity - (1 - share) * before) + implicit * to.velocity))
  }
  entry.compliance = rows.compliance[row] = 1 / stiff
  entry.rate = impulse / stiff
  entry.yielding = A / (A + entry.compliance)
}

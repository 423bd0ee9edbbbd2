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
  /** Share of a rate error that the coordinate itself must correct. */
  yielding: number
}

/** Least α: for very weak forces, so that the compliance stays finite. */
const MIN_ALPHA = 1e-9

/** @param time s, start of the step @param at its coordinate there */
export function stepDrive(drive: Drive, time: number, at: { readonly position: number; readonly velocity: number }): StepDrive {
  return { drive, row: -1, time, start: at.position, startVelocity: at.velocity, end: NaN, rate: drive.targetVelocity, compliance: 0, yielding: 1 }
}

/** Computes the drive's target for its row, whose inverse masses are known. @param h s, of the whole step */
export function drivenOver(entry: StepDrive, rows: Rows, part: 'step' | 'first half' | 'second half', h: number): void {
  const { drive: { servo }, row, time, start, startVelocity, end } = entry
  if (servo === null) return
  const { stiffness: k, damping: d } = servo
  const from = servo.reference(time)
  const to = servo.jumps ? from : servo.reference(time + h)
  const change = to.position - from.position
  const A = rows.diagonal(row)
  const s = A * h * (h * k + d)
  const implicit = Math.max(MIN_ALPHA, s / (1 + s))
  let [stiff, impulse] = [0, 0]
  if (part === 'step') {
    stiff = h * (h * k + d)
    impulse = h * (k * (to.position - start) + d * to.velocity)
  } else if (part === 'first half') {
    stiff = h / 2 * implicit * (h * k + d)
    impulse = h / 2 * (k * (from.position + implicit * change - start) + d * ((1 - implicit) * (from.velocity - startVelocity) + implicit * to.velocity))
  } else {
    stiff = h / 2 * (implicit * h * k + d)
    impulse = h / 2 * (k * (to.position + implicit * change - end) + d * to.velocity)
  }
  entry.compliance = rows.compliance[row] = 1 / stiff
  entry.rate = impulse / stiff
  entry.yielding = A / (A + entry.compliance)
}

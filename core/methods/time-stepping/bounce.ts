/** Restitution in the problem of a step. */

import type { ActiveConstraint } from './active-constraint'
import type { StepContext } from './context'
import { BOUNCE } from './settings'

/**
 * Least normal velocity after the step of a contact that approaches faster than the bounce threshold. It is Newton's e v⁻, corrected for the normal
 * acceleration a of the step without impacts. So the impact has the energy of one at the surface, which is ψ away:
 *
 *   (v⁺)² − 2 a (ψ + h v⁺) = e² ((v⁻)² − 2 a ψ)                                          (v⁺ = −e v⁻ for a = 0)
 *
 * Sequential impact laws have already been applied when the step begins.
 *
 * @param share of the material's restitution
 */
export function bounceSpeed(context: StepContext, active: ActiveConstraint, h: number, share: number): number {
  const { constraint: { pair }, normalVelocity: approach, unmet, at: { gap } } = active
  const e = share * pair.material.restitution
  if (e === 0 || context.settings.impact !== 'simultaneous') return -Infinity
  return speedAfterBounce({ e, approach, unmet, gap, h, threshold: thresholdOf(context, active) })
}

/** Whether a contact has a restitution, and approaches faster than the threshold. */
export function bounces(context: StepContext, active: ActiveConstraint): boolean {
  return active.constraint.pair.material.restitution > 0 && -active.normalVelocity > thresholdOf(context, active)
}

/** m/s: slower approaches do not bounce, and end within the step without a noticeable error in time. */
export function thresholdOf(context: StepContext, active: ActiveConstraint): number {
  const { bodyA, bodyB } = active.constraint.pair
  return Math.max(context.settings.restingSpeed, BOUNCE * Math.max(Math.abs(gainAlong(context, bodyA, active)), Math.abs(gainAlong(context, bodyB, active))))
}

export interface Bounce {
  /** Restitution. */
  readonly e: number
  /** m/s: normal velocity before the step's forces, and at its end without impacts. */
  readonly approach: number
  readonly unmet: number
  /** m */
  readonly gap: number
  /** s */
  readonly h: number
  /** m/s: slower approaches do not bounce. */
  readonly threshold: number
}

/** The equation above; −Infinity if there is no restitution. */
export function speedAfterBounce({ e, approach, unmet, gap, h, threshold }: Bounce): number {
  if (approach >= 0 || gap + h * unmet > 0 || -approach <= threshold) return -Infinity
  const change = unmet - approach
  const a = change / h
  const square = change * change + 2 * a * gap + e * e * (approach * approach - 2 * a * gap)
  return square > 0 ? Math.max(change + Math.sqrt(square), -gap / h) : -Infinity
}

/** Normal velocity that forces give a body's centre of mass in the longest step, m/s. */
function gainAlong({ step, equations: { external, snapshot: { inverseMass } } }: StepContext, body: number, { at: { normal } }: ActiveConstraint): number {
  return step * inverseMass[body]! * (external[6 * body]! * normal[0] + external[6 * body + 1]! * normal[1] + external[6 * body + 2]! * normal[2])
}

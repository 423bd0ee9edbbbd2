/**
 * What the contacts of a step do, in closed form where forces act within the step of an impact.
 *
 * Between its ends and the surface a body falls, so that an impact's velocities are not those at the ends of its step. With Δ the change of the normal velocity
 * that the step brings without the impact (`unmet` − w⁻), a = Δ/h, and ψ the gap at the start,
 *
 *   before   w_s² = (w⁻)² − 2 a ψ            after   w_s² = (w⁺)² − 2 a (ψ + h w⁺)
 *
 * and an impulse p, which changes w by w⁺ − w⁻ − Δ, works as the difference of both for the mass p ÷ (w⁺ − w⁻ − Δ) that it meets:
 *
 *   W = p ((w⁺)² − (w⁻)² − 2 Δ w⁺) / (2 (w⁺ − w⁻ − Δ)) = p/2 (w⁺ + w⁻ − Δ − Δ² / (w⁺ − w⁻ − Δ))         (Δ = 0: p (w⁻ + w⁺)/2)
 *
 * That is booked for the speed that the law of the contact gives, never for more: whatever throws bodies faster is no impact, and shows in the audit.
 */

import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import { BOUNCE } from './settings'
import type { StepIsland } from './step-island'
import type { StepProblem } from './step-problem'

/** × Δ ÷ jump: a contact that only just meets is not worth more than this many times the fall within the step. */
const GRAZING = 8
/** × the way of its approach: contacts that meet slowly, and whose gap changes otherwise by more, turn. */
const TURNING = 0.1

/** Work of a contact's normal impulse in a step of h seconds, J. */
export function normalWork(active: ActiveConstraint, { rows, p }: StepProblem, { before, velocity }: Pick<BodyMotions, 'before' | 'velocity'>, h: number): number {
  const { row, aim, bounce, collides, unmet, gap, rowGap } = active
  const impulse = p[row]!
  if (impulse === 0) return 0
  const start = rows.along(row, before)
  const found = rows.along(row, velocity)
  // What pushes ends where it is solved for; what stands open although it pushes, beyond a bounce, was thrown.
  const open = Math.max(0, Math.min(gap, rowGap) - 2 * aim) / h
  const after = found - Math.min(Math.max(found - Math.max(bounce, 0), 0), open)
  const change = unmet - start
  // A contact that rolls approaches and parts because its features turn, and meets nothing.
  const rolls = -start < BOUNCE * Math.abs(change) && Math.abs(active.at.gap + h * found - rowGap) > -TURNING * h * start
  if (!collides || rolls) return impulse * (start + after) / 2
  const jump = found - unmet
  const early = jump > 0 ? Math.max(-GRAZING, Math.min(-change / jump, GRAZING)) : 1
  return impulse * (start + after - change + early * change) / 2
}

/** Work of a contact's frictional impulses, J. */
export function frictionWork({ row, friction }: ActiveConstraint, { rows, p }: StepProblem, { before, velocity }: Pick<BodyMotions, 'before' | 'velocity'>): number {
  let work = 0
  if (friction > 0) for (const i of [row + 1, row + 2]) work += p[i]! * (rows.along(i, before) + rows.along(i, velocity)) / 2
  return work
}

/** Energy that a step of an island brings, or loses, in its contacts, and that none of their works explains, J; to first order in what turns. */
export function unexplained(island: StepIsland, { kick, before, velocity }: BodyMotions, h: number): number {
  const problem = island.problem!
  const { rows, p } = problem
  let energy = 0
  for (const body of island.bodies) for (let k = 6 * body; k < 6 * body + 6; k++) energy -= kick[k]! * (velocity[k]! - before[k]!) / 2
  for (const active of island.constraints) {
    const { row } = active
    if (p[row]! > 0) energy += p[row]! * (rows.along(row, before) + rows.along(row, velocity)) / 2 - normalWork(active, problem, { before, velocity }, h)
  }
  return energy
}

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
 * so with E = −Δ / (w⁺ − w⁻ − Δ), how much of the step's fall the impact takes up, W = p/2 (w⁺ + w⁻ − (1 − E) Δ). The friction of bodies that collide acts in
 * the collision too, and works along their slip by the same formula.
 *
 * That is booked for the speed that the law of the contact gives, never for more: whatever throws bodies faster is no impact, and shows in the audit.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import { BOUNCE } from './settings'
import type { StepIsland } from './step-island'
import type { StepProblem } from './step-problem'

/** × Δ ÷ jump: a contact that only just meets is not worth more than this many times the fall within the step. */
const GRAZING = 8
/** × the distance of its approach: slow contacts whose gap changes by more for other reasons are rotating. */
const TURNING = 0.1

type Velocities = Pick<BodyMotions, 'before' | 'velocity'>

/** Of a contact's normal impulse. */
interface NormalWork {
  /** J */
  readonly work: number
  /** E; null where it meets nothing. */
  readonly early: number | null
}

/** In a step of h seconds. */
function ofNormal(active: ActiveConstraint, { rows, p }: StepProblem, { before, velocity }: Velocities, h: number): NormalWork {
  const { row, aim, bounce, collides, unmet, gap, rowGap } = active
  const impulse = p[row]!
  if (impulse === 0) return { work: 0, early: null }
  const start = rows.along(row, before)
  const found = rows.along(row, velocity)
  // Active contacts end at their gap target; one that is open in spite of its impulse, beyond a bounce, was thrown.
  const open = Math.max(0, Math.min(gap, rowGap) - 2 * aim) / h
  const after = found - Math.min(Math.max(found - Math.max(bounce, 0), 0), open)
  const change = unmet - start
  // A contact that rolls approaches and parts because its features turn, and meets nothing.
  const rolls = -start < BOUNCE * Math.abs(change) && Math.abs(active.at.gap + h * found - rowGap) > -TURNING * h * start
  if (!collides || rolls) return { work: impulse * (start + after) / 2, early: null }
  const jump = found - unmet
  const early = jump > 0 ? Math.max(-GRAZING, Math.min(-change / jump, GRAZING)) : 1
  return { work: impulse * (start + after - change + early * change) / 2, early }
}

/** What the contacts of an island did, J. */
export interface ContactWorks {
  readonly normal: number
  readonly friction: number
  /** That the step brings, or loses, in its contacts, and that none of their works explains; to first order in what turns. */
  readonly unexplained: number
}

/** In a step of h seconds. */
export function contactWorks({ constraints, bodies, problem }: StepIsland, { kick, before, velocity }: BodyMotions, h: number): ContactWorks {
  const { rows, p } = problem!
  const mean = (row: number): number => p[row]! * (rows.along(row, before) + rows.along(row, velocity)) / 2
  let [normal, friction, unexplained] = [0, 0, 0]
  for (const body of bodies) for (let k = 6 * body; k < 6 * body + 6; k++) unexplained -= kick[k]! * (velocity[k]! - before[k]!) / 2
  /** By pair: impulses that collide, and those × E. */
  const colliding = new Map<PrimitivePair, { impulse: number; early: number }>()
  for (const active of constraints) {
    const impulse = p[active.row]!
    const { work, early } = ofNormal(active, problem!, { before, velocity }, h)
    normal += work
    if (impulse > 0) unexplained += mean(active.row) - work
    if (early === null) continue
    const { pair } = active.constraint
    const sums = colliding.get(pair) ?? { impulse: 0, early: 0 }
    colliding.set(pair, { impulse: sums.impulse + impulse, early: sums.early + impulse * early })
  }
  for (const { row, friction: coefficient, unmetSlip, constraint: { pair } } of constraints) {
    if (!(coefficient > 0)) continue
    const sums = colliding.get(pair)
    const share = sums === undefined ? 0 : (1 - sums.early / sums.impulse) / 2
    unmetSlip.forEach((slip, k) => {
      const i = row + 1 + k
      const late = share * p[i]! * (slip - rows.along(i, before))
      friction += mean(i) - late
      unexplained += late
    })
  }
  return { normal, friction, unexplained }
}

/**
 * Work of the contacts of a step, in closed form including the effect of forces within the step of an impact.
 *
 * Bodies accelerate between the ends of the step and the surface, so the velocities of an impact are not those at the ends of its step. With the
 * change Δ of the normal velocity in the step without the impact (`unmet` − w⁻), a = Δ/h, and the gap ψ at the start,
 *
 *   before   w_s² = (w⁻)² − 2 a ψ            after   w_s² = (w⁺)² − 2 a (ψ + h w⁺)
 *
 * Let an impulse p change w by w⁺ − w⁻ − Δ. Its effective mass is p ÷ (w⁺ − w⁻ − Δ), and its work is that mass times half the difference of both squares:
 *
 *   W = p ((w⁺)² − (w⁻)² − 2 Δ w⁺) / (2 (w⁺ − w⁻ − Δ)) = p/2 (w⁺ + w⁻ − Δ − Δ² / (w⁺ − w⁻ − Δ))         (Δ = 0: p (w⁻ + w⁺)/2)
 *
 * so with E = −Δ / (w⁺ − w⁻ − Δ), the share of the step's acceleration that the impact takes up, W = p/2 (w⁺ + w⁻ − (1 − E) Δ). The friction of an
 * impact acts during the impact too, and works along the slip by the same formula.
 *
 * The work is that of the velocity given by the contact law, never more: faster separation is not an impact, and shows in the audit.
 *
 * In an island with joints, an impact of the first pass (p', w') is followed by corrections p − p' of further passes, which keep the bodies together while
 * joints turn them: they act after the impact, along the mean of w' and w⁺. Along the mean of w⁻ and w⁺ they would seem to lose energy, which the joints,
 * whose rates at the end of the step are not zero, would seem to supply: 0.1 of all energy where crates fall on a chain of planks.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import { BOUNCE } from './settings'
import type { EndKick, FirstPass, StepIsland } from './step-island'
import type { StepProblem } from './step-problem'

/** × Δ ÷ jump: bound on the work of a grazing contact in multiples of the acceleration within the step. */
const GRAZING = 8
/** × the distance of its approach: slow contacts whose gap changes by more for other reasons are rotating. */
const TURNING = 0.1

type Velocities = Pick<BodyMotions, 'before' | 'velocity'>

/** Of a contact's normal impulse. */
interface NormalWork {
  /** J */
  readonly work: number
  /** E; null without an impact. */
  readonly early: number | null
}

/** In a step of h seconds. @param firstPass null to count all impulses as those of the impact */
function ofNormal(active: ActiveConstraint, { rows, p }: StepProblem, firstPass: FirstPass | null, { before, velocity }: Velocities, h: number): NormalWork {
  const { row, aim, bounce, collides, unmet, gap, rowGap } = active
  const impulse = firstPass === null ? p[row]! : firstPass.p[row]!
  const start = rows.along(row, before)
  const end = rows.along(row, velocity)
  // Active contacts end at their gap target; a larger gap, beyond restitution, means that the contact was pushed too hard.
  const open = Math.max(0, Math.min(gap, rowGap) - 2 * aim) / h
  const byLaw = (rate: number): number => rate - Math.min(Math.max(rate - Math.max(bounce, 0), 0), open)
  const found = firstPass === null ? end : firstPass.rates[row]!
  const after = byLaw(found)
  const later = firstPass === null ? 0 : (p[row]! - impulse) * (after + byLaw(end)) / 2
  if (impulse === 0) return { work: later, early: null }
  const change = unmet - start
  // The gap of a rolling contact changes because its features rotate, without an impact.
  const rolls = -start < BOUNCE * Math.abs(change) && Math.abs(active.at.gap + h * end - rowGap) > -TURNING * h * start
  if (!collides || rolls) return { work: impulse * (start + after) / 2 + later, early: null }
  const jump = found - unmet
  const early = jump > 0 ? Math.max(-GRAZING, Math.min(-change / jump, GRAZING)) : 1
  return { work: impulse * (start + after - change + early * change) / 2 + later, early }
}

/** Work of the impulse of a row, J, in both parts if there is a first pass. */
export function rowWork({ rows, p }: Pick<StepProblem, 'rows' | 'p'>, firstPass: FirstPass | null, row: number, { before, velocity }: Velocities): number {
  const [start, end] = [rows.along(row, before), rows.along(row, velocity)]
  if (firstPass === null) return p[row]! * (start + end) / 2
  const [impulse, rate] = [firstPass.p[row]!, firstPass.rates[row]!]
  return impulse * (start + rate) / 2 + (p[row]! - impulse) * (rate + end) / 2
}

/** Works of the contacts of an island, J. */
interface Works {
  readonly normal: number
  readonly friction: number
}

export interface ContactWorks extends Works {
  /** Energy that the step gains or loses at its contacts beyond their works; to first order in rotations. */
  readonly unexplained: number
}

/**
 * Works of contacts that persist in a step of second order, along the velocity of its middle. Forces act over h. A contact
 * that keeps its gap does no work; friction works along the slip at the middle of the step, to which its rows' targets were corrected.
 */
export function persistentWorks(island: StepIsland, { velocity }: Pick<BodyMotions, 'velocity'>, h: number): Works {
  const { constraints, free } = island
  const { rows, b } = island.problem!
  let [normal, friction] = [0, 0]
  for (const { row, friction: coefficient, at: { gap }, rowGap } of constraints) {
    normal += island.meanForce(row) * (rowGap - gap)
    if (!(coefficient > 0)) continue
    for (let i = row + 1; i < row + 3; i++) friction += h * island.meanForce(i) * (rows.along(i, velocity) - free[i]! - b[i]!)
  }
  return { normal, friction }
}

/** Share of its bound below which a friction force counts as sticking. */
const STICKS = 1 - 1e-6

/**
 * The same where forces changed suddenly. A contact that persists, or sticks, works as in other steps. One that begins to push, slipped, or lets its bodies
 * slip works by its impulses between the velocities of both ends, along the means of those and that of the middle.
 */
export function suddenWorks(island: StepIsland, { before, velocity }: Velocities, endKick: EndKick, h: number): Works {
  const { constraints, free, led } = island
  const { rows, p, b } = island.problem!
  const between = (row: number, middle: number): number =>
    (p[row]! - led[row]!) * (rows.along(row, before) + middle) / 2 + endKick.p[row]! * (middle + endKick.rates[row]!) / 2
  let { normal, friction } = endKick
  for (const { row, friction: coefficient, pressed, at: { gap }, rowGap } of constraints) {
    normal += pressed ? island.meanForce(row) * (rowGap - gap) : between(row, (rowGap - gap) / h)
    if (!(coefficient > 0)) continue
    const stuck = pressed && Math.sqrt(led[row + 1]! * led[row + 1]! + led[row + 2]! * led[row + 2]!) < STICKS * coefficient * led[row]!
    for (let i = row + 1; i < row + 3; i++) {
      const middle = rows.along(i, velocity) - free[i]! - b[i]!
      friction += stuck ? h * island.meanForce(i) * middle : between(i, middle)
    }
  }
  return { normal, friction }
}

/**
 * In a step of h seconds.
 *
 * @param firstPass of the island, or null to count all impulses as those of impacts
 */
export function contactWorks(
  { constraints, bodies, problem }: StepIsland, { kick, before, velocity }: BodyMotions, h: number, firstPass: FirstPass | null = null,
): ContactWorks {
  const { rows, p } = problem!
  const mean = (row: number): number => p[row]! * (rows.along(row, before) + rows.along(row, velocity)) / 2
  let [normal, friction, unexplained] = [0, 0, 0]
  for (const body of bodies) for (let k = 6 * body; k < 6 * body + 6; k++) unexplained -= kick[k]! * (velocity[k]! - before[k]!) / 2
  /** By pair: impulses of impacts, and those × E. */
  const colliding = new Map<PrimitivePair, { impulse: number; early: number }>()
  for (const active of constraints) {
    const { work, early } = ofNormal(active, problem!, firstPass, { before, velocity }, h)
    normal += work
    if (p[active.row]! > 0) unexplained += mean(active.row) - work
    if (early === null) continue
    const { pair } = active.constraint
    const impulse = (firstPass?.p ?? p)[active.row]!
    const sums = colliding.get(pair) ?? { impulse: 0, early: 0 }
    colliding.set(pair, { impulse: sums.impulse + impulse, early: sums.early + impulse * early })
  }
  for (const { row, friction: coefficient, unmetSlip, constraint: { pair } } of constraints) {
    if (!(coefficient > 0)) continue
    const sums = colliding.get(pair)
    const share = sums === undefined ? 0 : (1 - sums.early / sums.impulse) / 2
    unmetSlip.forEach((slip, k) => {
      const i = row + 1 + k
      const late = share * (firstPass?.p ?? p)[i]! * (slip - rows.along(i, before))
      friction += rowWork(problem!, firstPass, i, { before, velocity }) - late
      unexplained += late
    })
  }
  return { normal, friction, unexplained }
}

/**
 * The face of every contact model of the time-stepping method: which non-penetration constraints one pair of primitives brings into one step.
 *
 * A constraint is a gap function that must not be negative at the end of the step. It is made of *candidates*, feature pairs ψ_1 … ψ_m of the one pair of
 * primitives, as
 *
 *   ψ = max(ψ_1, …, ψ_m) ≥ 0
 *
 * and its impulse pushes along the normal of one of its first `primaries` candidates, the *row in force*:
 *
 *   unilateral   U(C_1): one candidate, ψ_1 ≥ 0                                                                       [PEG17 eq. 17]
 *   inter        I(C_ι, C_κ): candidates are C_ι, then C_κ; `primaries` = |C_ι|                                       [PEG17 eq. 19]
 *   cross        X(C_a, C_b): candidates are C_a, then C_b; `primaries` says which of them may push, possibly none    [PEG17 eq. 25]
 *
 * How the stepper uses it, at every step:
 *
 * 1. it asks `constraints` for every pair of primitives that may meet in the step, with the poses at its start, the poses that free motion would lead to,
 *    and a bound on how far the pair can approach;
 * 2. of each constraint it takes as the row in force the primary candidate of the largest gap at the end of the step as it is foreseen, by free motion at
 *    first; the row is that candidate's normal and point at the *start* of the step, and its gap;
 * 3. it solves the step's problem, moves the bodies, evaluates every candidate anew at the end poses, and solves again with the true gaps (and, for the first
 *    two times, with the choices of 2. made anew; later they stay) until every ψ ≥ 0.
 *
 * A constraint all of whose candidates stay apart costs nothing but their evaluation. Constraints of one pair may share candidates. A model holds no state of
 * a run; what pairs remember (witnesses) lies in their colliders. One file a model, one entry in `contact-models.ts`.
 */

import type { FeaturePair } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import type { Pose } from '../../math/pose'
import type { ConstraintKind } from '../../vocabulary'

export type StepConstraintKind = Exclude<ConstraintKind, 'none'>

export interface StepConstraint {
  readonly kind: StepConstraintKind
  readonly pair: PrimitivePair
  /** Identity in the world, stable over time: impulses of the last step are found again by it. */
  readonly key: string
  /** At least one. The gap function is the largest of theirs. */
  readonly candidates: readonly FeaturePair[]
  /** Number of leading candidates that may be the active row; 0: the constraint is watched, but never active. */
  readonly primaries: number
  /** Of the other candidates those that have constraints of their own, which keep them: while one holds, this constraint has nothing to add. */
  readonly kept?: readonly FeaturePair[]
}

/** Data of a pair before its step is solved. Poses are of the body frames. */
export interface PairStep {
  readonly startA: Pose
  readonly startB: Pose
  /** End of the free motion: all forces, no contacts; or the last solution in a repeated call. */
  readonly endA: Pose
  readonly endB: Pose
  /** m: candidates with a greater gap at the start cannot close within the step. */
  readonly reach: number
  /** m: lateral tolerance within which features count as the same place. */
  readonly tolerance: number
  /** m, at least that: of contacts closer to each other one may be omitted as redundant. */
  readonly spacing: number
  /** Asked again, since the pair overlaps or passes through although the constraints known so far hold: the start is then where that happens. */
  readonly again: boolean
}

export interface ContactModel {
  readonly name: string
  /** Model of a step that does not go with this one. */
  readonly fallback?: ContactModel
  /** Appends the constraints of one pair; none if it cannot touch in this step. Their order must not depend on history. */
  constraints(pair: PrimitivePair, step: PairStep, out: StepConstraint[]): void
}

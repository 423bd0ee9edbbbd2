/**
 * The interface of every contact model of the time-stepping method: the non-penetration constraints of one pair of primitives in one step.
 *
 * A constraint is a gap function that must not be negative at the end of the step. It consists of *candidates*, feature pairs ψ_1 … ψ_m of the one
 * pair of primitives, as
 *
 *   ψ = max(ψ_1, …, ψ_m) ≥ 0
 *
 * and its impulse acts along the normal of one of its first `primaries` candidates, the *active row*:
 *
 *   unilateral   U(C_1): one candidate, ψ_1 ≥ 0                                                                       [PEG17 eq. 17]
 *   inter        I(C_ι, C_κ): candidates are C_ι, then C_κ; `primaries` = |C_ι|                                       [PEG17 eq. 19]
 *   cross        X(C_a, C_b): candidates are C_a, then C_b; `primaries` says which of them may push, possibly none    [PEG17 eq. 25]
 *
 * In every step the stepper does the following:
 *
 * 1. It calls `constraints` for every pair of primitives that may come into contact in the step, with the poses at its start, the poses after free
 *    motion, and a bound on the approach of the pair.
 * 2. The active row of each constraint is its primary candidate with the largest predicted gap at the end of the step, at first by free motion. The
 *    row has that candidate's normal and point at the *start* of the step, and its gap.
 * 3. It solves the step's problem, moves the bodies, evaluates all candidates at the end poses, and solves again with the true gaps until every
 *    ψ ≥ 0. The active rows are selected again in the first two passes, and then stay.
 *
 * A constraint whose candidates all stay separated costs only their evaluation. Constraints of one pair may share candidates. A model holds no state
 * of a run; cached data of pairs (witnesses) is in their colliders. Each model is one file and one entry in `contact-models.ts`.
 */

import type { FeaturePair } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import type { BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import type { ConstraintKind } from '../../vocabulary'

export type StepConstraintKind = Exclude<ConstraintKind, 'none'>

export interface StepConstraint {
  readonly kind: StepConstraintKind
  readonly pair: PrimitivePair
  /** Identity in the world, stable over time, for warm starts. */
  readonly key: string
  /** At least one. The gap function is the maximum of theirs. */
  readonly candidates: readonly FeaturePair[]
  /** Number of leading candidates that may be the active row; 0: the constraint is watched, but never active. */
  readonly primaries: number
  /** Of the other candidates those that have their own constraints: while one of these holds, this constraint is implied. */
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
  /** Whether this is a repeated call because the pair overlaps or passes through despite its constraints; the start is then the pose at that time. */
  readonly again: boolean
  /** Motion at the start of a step of h seconds; absent in a repeated call. */
  readonly moving?: { readonly a: BodyMotion, readonly b: BodyMotion, readonly h: number }
}

export interface ContactModel {
  readonly name: string
  /** Model to use when a step fails with this one. */
  readonly fallback?: ContactModel
  /** Appends the constraints of one pair; none if it cannot touch in this step. Their order must not depend on history. */
  constraints(pair: PrimitivePair, step: PairStep, out: StepConstraint[]): void
}

/**
 * The problem of one island in one step, at the velocity level: multipliers are impulses, and with the resulting velocities u = u_free + M⁻¹ Jᵀ p
 *
 *   a = J u − target = A p − b,   b = target − J u_free
 *
 * with rows, bounds and friction as in `core/lcp/problem`. A is not formed here; solvers that need it do so.
 */

import type { Rows } from '../../contact/rows'
import type { Elimination } from './elimination'
import type { Alternatives, FrictionRows, SpinRows } from '../../lcp/problem'

export interface StepProblem {
  readonly rows: Rows
  /**
   * Γ, 12 a row: derivatives of the conditions with respect to velocities, a = Γ M⁻¹ Jᵀ p − b; equal to J except for gaps that have rotated relative
   * to their rows. Pivoting solvers use J instead.
   */
  gradient: Float64Array
  readonly kind: Uint8Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** Static and dynamic coefficients are equal. */
  readonly friction: readonly FrictionRows[]
  /** Bounds of joints are impulses, N m s. */
  readonly spin: readonly SpinRows[]
  /** Normal rows of alternative candidates, of which one must hold per constraint; only if the solver selects them. */
  readonly alternatives: readonly Alternatives[]
  readonly b: Float64Array
  /** Impulses, N s and N m s: on input the guess, on output the solution. */
  readonly p: Float64Array
  /** Index sets and slip directions of the solution; and of the guess, if the solver uses any. */
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Whether `basis` holds a guess. */
  warm: boolean
  /** Whether the longest search for its index set has failed: the next passes have similar targets. */
  pivotingFailed: boolean
  /** Its rows without those of joints, built when first used; copies with other targets share it. */
  readonly eliminated: { value: Elimination | null }
  /** Number of the island's dynamic bodies, and the indices of each row's two bodies among them; −1 for immovable ones. */
  readonly bodyCount: number
  readonly slotA: Int32Array
  readonly slotB: Int32Array
  /** The same of the rows of `rows.second`. */
  readonly secondSlotA: Int32Array
  readonly secondSlotB: Int32Array
  /** Called by long solutions every few milliseconds; throws where the run was cancelled. */
  readonly interrupt?: () => void
}

export interface StepSolution {
  readonly solved: boolean
  readonly solver: string
  /** Pivots, or sweeps. */
  readonly iterations: number
  /** Normalised residual as defined by `core/lcp/residual` for exact solvers; for iterative ones the worst row, m/s ÷ its velocity scale. */
  readonly residual: number
  readonly basisHit: boolean
  /** Residual after each sweep; empty for exact solvers. */
  readonly history: Float64Array
}

export interface StepSolver {
  readonly name: string
  /** Whether the residual is usually rounding only. */
  readonly exact: boolean
  /**
   * Solves in place.
   * @param accuracy m/s: sufficient accuracy of velocities
   */
  solve(problem: StepProblem, accuracy: number): StepSolution
}

/**
 * The problem of one island in one step, at the velocity level: multipliers are impulses, and with the velocities u = u_free + M⁻¹ Jᵀ p that they lead to
 *
 *   a = J u − target = A p − b,   b = target − J u_free
 *
 * with rows, bounds and friction as in `core/lcp/problem`. A is never formed here; a solver that wants it does so.
 */

import type { Rows } from '../../contact/rows'
import type { Alternatives, FrictionRows, SpinRows } from '../../lcp/problem'

export interface StepProblem {
  readonly rows: Rows
  /**
   * Γ, 12 a row: what conditions see of velocities, a = Γ M⁻¹ Jᵀ p − b; J itself but where gaps have turned away from their rows. Pivoting solvers take J
   * for it.
   */
  gradient: Float64Array
  readonly kind: Uint8Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  /** One coefficient a contact: both are the same. */
  readonly friction: readonly FrictionRows[]
  /** Bounds of joints are impulses, N m s. */
  readonly spin: readonly SpinRows[]
  /** Normal rows that need not hold where another candidate of their constraint does; only where the solver decides which. */
  readonly alternatives: readonly Alternatives[]
  readonly b: Float64Array
  /** Impulses, N s and N m s: first the guess, then the solution. */
  readonly p: Float64Array
  /** Index sets and slip directions of the solution, and of the guess if the solver keeps any. */
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Whether `basis` holds a guess. */
  warm: boolean
  /** Whether the longest search for its index set has failed: the next passes have similar targets. */
  pivotingFailed: boolean
  /** Number of the island's dynamic bodies, and of each row's two bodies the place among them; −1 for one that nothing moves. */
  readonly bodyCount: number
  readonly slotA: Int32Array
  readonly slotB: Int32Array
  /** The same of the rows of `rows.second`. */
  readonly secondSlotA: Int32Array
  readonly secondSlotB: Int32Array
}

export interface StepSolution {
  readonly solved: boolean
  readonly solver: string
  /** Pivots, or sweeps. */
  readonly iterations: number
  /** Normalised residual as `core/lcp/residual` defines it for exact solvers; for iterative ones the worst row, m/s ÷ the speed it is measured by. */
  readonly residual: number
  readonly basisHit: boolean
  /** Residual after each sweep; empty for exact solvers. */
  readonly history: Float64Array
}

export interface StepSolver {
  readonly name: string
  /** Leaves rounding only, as a rule. */
  readonly exact: boolean
  /**
   * Solves in place.
   * @param accuracy m/s: velocities that need not be found better
   */
  solve(problem: StepProblem, accuracy: number): StepSolution
}

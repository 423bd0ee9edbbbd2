/**
 * The common problem and result type of all contact-force solvers.
 *
 * Rows are unknown multipliers f with relative accelerations (or velocities, at an impact or a time step)
 *
 *   a = A f − b                                                                    [Baraff92 eq. 8-1]
 *
 * where A is symmetric and positive semidefinite, very often rank-deficient (a box on four corners), and
 *
 *   equality    a = 0, f free                                joints
 *   unilateral  a ≥ 0, f ≥ 0, a f = 0                        contact normals, joint limits
 *   box         f ∈ [lower, upper]; a = 0 inside, a ≥ 0 at lower, a ≤ 0 at upper          motors, joint friction
 *   friction    the tangential rows of a contact: |f_t| ≤ μ f_N (exact cone), see `FrictionRows`
 *   spin        torques against relative rotation, at most a length times f_N or at most a constant, see `SpinRows`
 *
 * A sliding contact has an unsymmetric column, because its friction is slaved to its normal force. Solvers build it from `FrictionRows`.
 */

export const ROW_EQUALITY = 0
export const ROW_UNILATERAL = 1
export const ROW_BOX = 2
export const ROW_FRICTION = 3
export const ROW_SPIN = 4
/** Has no multiplier; other rows use its velocity. */
export const ROW_WATCHED = 5

/** Friction of one contact. */
export interface FrictionRows {
  /** Row of the normal force, a unilateral row. */
  readonly normal: number
  /** Rows of the two tangential forces along orthogonal unit tangents. */
  readonly tangent1: number
  readonly tangent2: number
  /** μ_s and μ_d, μ_d ≤ μ_s. */
  readonly staticFriction: number
  readonly dynamicFriction: number
  /**
   * `sliding`: f_t = −μ_d f_N ŝ with the slip direction ŝ = (slip1, slip2).
   * `static`: either a_t = 0 with |f_t| ≤ μ_s f_N, or (onset of slip) |f_t| = μ_d f_N antiparallel to a_t; μ_s decides whether it sticks.
   * At the velocity level (`level: 'velocity'`) "static" means that one coefficient μ_s bounds both.
   */
  readonly state: 'sliding' | 'static'
  readonly slip1: number
  readonly slip2: number
}

/**
 * Friction against relative rotation: torsional (one row, about the normal) and rolling (two, about the tangents) of a contact, or Coulomb
 * friction of a ball joint (three). The torque is at most the bound. During rotation it equals the bound and opposes the rotation: the law of sliding
 * friction, with one coefficient.
 */
export interface SpinRows {
  /** Row of the normal force that scales the bound, a unilateral row; −1 if the bound is constant. */
  readonly normal: number
  /** Rows of the torques about orthogonal axes, one to three. */
  readonly rows: readonly number[]
  /** |τ| ≤ limit × f_N, m; |τ| ≤ limit, N m, without a normal row. */
  readonly limit: number
  /** As in `FrictionRows`: τ = −bound × slip, or either a = 0 or the bound antiparallel to a. */
  readonly state: 'sliding' | 'static'
  /** Slip direction of the rotation, unit, one component per row. */
  readonly slip: readonly number[]
}

/**
 * A normal row that need not hold if one of some watched rows holds. Its multiplier is complementary to the largest of their velocities, as in an
 * I-constraint with one primary contact [PEG17 eq. 20–24],
 *
 *   0 ≤ f_N ⟂ max(a_N, a_r…) ≥ 0
 */
export interface Alternatives {
  /** A unilateral row. */
  readonly normal: number
  /** Rows of kind `ROW_WATCHED`. */
  readonly rows: readonly number[]
}

export interface ContactProblem {
  /** Number of rows. */
  readonly size: number
  /** size × size, row-major, symmetric. */
  readonly A: Float64Array
  /** size. */
  readonly b: Float64Array
  /** `ROW_…` of each row. */
  readonly kind: Uint8Array
  /** Bounds of box rows, ±Infinity allowed; ignored elsewhere. */
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly friction: readonly FrictionRows[]
  /** Absent if there are none. Only solvers made by `withSpin` accept problems with spins. */
  readonly spin?: readonly SpinRows[]
  readonly level: 'acceleration' | 'velocity'
  /** Called between pivots, sweeps and factorisations; throws to end the solve. */
  readonly interrupt?: () => void
}

/** State of a row in a solution: the index sets of [Baraff94 §4–6]. */
export const BASIS_CLAMPED = 0 // C: a = 0, f solved for (equality, sticking and holding rows)
export const BASIS_FREE = 1 // NC: f = 0 (separated contacts), or a friction row of such a contact
export const BASIS_LOWER = 2 // box row at its lower bound
export const BASIS_UPPER = 3 // box row at its upper bound
export const BASIS_LIMITED = 4 // friction or spin row at its bound, slaved to its normal force
export const BASIS_IDLE = 5 // f = 0 although a = 0: redundant rows carry the load (least norm); not a release
export const BASIS_CONE = 6 // friction or spin row at its bound although a_t = 0: slaved as with LIMITED, held by other rows; not a slip

/**
 * `solved`; `ray`: unbounded, inconsistent configuration [Baraff92 §10, §13]; `infeasible`: contradictory equalities; `limit`: pivots or iterations ran out.
 */
export type SolveStatus = 'solved' | 'ray' | 'infeasible' | 'limit'

export interface ContactSolution {
  /** Multipliers, size. */
  readonly f: Float64Array
  /** A f − b, size. */
  readonly a: Float64Array
  readonly status: SolveStatus
  /** Pivots or iterations made. */
  readonly pivots: number
  /** Largest violation of the row conditions above, normalised as `residual.ts` defines. */
  readonly residual: number
  /** `BASIS_…` of each row. */
  readonly basis: Uint8Array
  /**
   * Slip directions of slipping friction rows, 2 per contact in the order of `friction`, then one component per row in the order of `spin`; zero where
   * sticking.
   */
  readonly slip: Float64Array
  /** Direction of unbounded growth for `ray`, size; empty otherwise. */
  readonly ray: Float64Array
  /** Residual after each sweep, for iterative solvers; empty otherwise. */
  readonly history: Float64Array
  /** The given start basis was accepted without pivoting. */
  readonly basisHit: boolean
  /** Rank of the linear system of `basis`, for `solveFrozen`; only for least-norm forces (`leastNorm`). */
  readonly rank?: number
}

export interface SolveOptions {
  /** Index set to try first [Baraff92 §8.2, §13.3]. */
  readonly start?: { readonly basis: Uint8Array; readonly slip: Float64Array }
  /** Required normalised residual. */
  readonly tolerance?: number
  readonly maxPivots?: number
}

/** A solver; registered by its name in `simulation.eventDriven.solver` or `timeStepping.solver`. */
export interface ContactSolver {
  readonly name: string
  solve(problem: ContactProblem, options?: SolveOptions): ContactSolution
}

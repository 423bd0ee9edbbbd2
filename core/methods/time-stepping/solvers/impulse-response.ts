/** How velocities follow from the impulses of an island's rows, for Newton's method: the velocities of bodies, or the rates of the rows themselves. */

import type { NewtonVectors } from './newton-vectors'

export interface ImpulseResponse {
  /** Of which those passed to the methods below must be. `slopes` are −dΠ/da, as the matrix has them. */
  readonly vectors: NewtonVectors
  /** A_ii of every row. */
  readonly diagonal: Float64Array
  /** A_ij of two rows of one contact. */
  across(i: number, j: number): number
  /** s of each row (`force-law.ts`). */
  readonly shares: Float64Array
  /** The rates of all rows for velocities u, m/s or rad/s. */
  rates(u: Float64Array, out: Float64Array): void
  /** out = the velocities that impulses p cause. */
  push(p: Float64Array, out: Float64Array): void
  /** m/s: the largest sum of absolute terms in b and the rate of a row. */
  magnitude(p: Float64Array, b: Float64Array): number
  /** Cost of a factorisation, in products of 6 × 6 blocks. */
  readonly products: number
  /** Fills I + (velocities from impulses) S (rates) with the present slopes S. */
  fill(): void
  /** @returns whether the factorisation succeeded */
  factor(): boolean
  /** Solves in place. */
  solve(x: Float64Array): void
}

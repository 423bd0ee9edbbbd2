/** The rows of conditions that are held by multipliers [held-conditions.ts]. */

import type { Condition } from '../condition'

export interface HeldCondition {
  readonly condition: Condition
  /** k_s, 1/s², and k_d, 1/s; null: C = 0 at the end of every step. */
  readonly feedback: { readonly stiffness: number; readonly damping: number } | null
}

/** The rows of one set of conditions, with columns of one number a row. */
export interface Rows extends HeldCondition {
  readonly values: Float64Array
  /** c, in the unit of C. */
  readonly targets: Float64Array
  /** With feedback: C and Ċ at the start of the step, and Ċ at the end of the last stage. */
  readonly firsts: Float64Array
  readonly firstRates: Float64Array
  readonly rates: Float64Array
  /** λ and p: N for lengths. */
  readonly pressures: Float64Array
  readonly presses: Float64Array
  readonly kept: Float64Array
  /** ρ and σ. */
  readonly penalties: Float64Array
  readonly holds: Float64Array
  /** ∂C/∂x at the last evaluation, rows × 3·arity an element. */
  readonly jacobians: Float64Array
}

/** Columns of zeros. */
export function rowsOf(one: HeldCondition): Rows {
  const { count, rows, arity } = one.condition
  const column = (): Float64Array => new Float64Array(count * rows)
  return {
    ...one, values: column(), targets: column(), firsts: column(), firstRates: column(), rates: column(),
    pressures: column(), presses: column(), kept: column(), penalties: column(), holds: column(), jacobians: new Float64Array(count * rows * 3 * arity),
  }
}

/** Removes the parts of multipliers that exert no force at x. */
export function reduce({ condition, pressures }: Rows, x: Float64Array): void {
  if (condition.reduce) for (let e = 0; e < condition.count; e++) condition.reduce(e, x, pressures, e * condition.rows)
}

/** Impulses of an island's joints, drives, limits and joint friction in half a step: joints are eliminated, the rest is solved by pivoting. */

import { dantzig } from '../../lcp'
import { Elimination, type EliminatedRows } from './elimination'
import { NEARLY_SOLVED } from './solvers/exact'

export class HalfKick {
  readonly elimination: Elimination
  private start: { readonly basis: Uint8Array; readonly slip: Float64Array } | null = null
  /** Normalised, of the last solution. */
  residual = 0

  /** @param idle inactive rows: limits that are not reached */
  constructor(rows: EliminatedRows, idle?: ReadonlySet<number>) {
    this.elimination = new Elimination(rows, idle)
  }

  /** Whether there is anything but joints. */
  get bounded(): boolean {
    return this.elimination.bounded.length > 0
  }

  /**
   * Changes the impulses so that the rates of the rows change by `missing`, as far as their bounds permit.
   *
   * @param missing m/s and rad/s, one a row
   * @param p N s and N m s, one a row
   * @returns the reason of a failure, or null
   */
  solve(missing: Float64Array, p: Float64Array): string | null {
    const { elimination } = this
    if (!this.bounded) {
      elimination.complete(missing, NONE, p)
      return null
    }
    elimination.reduce(missing, p)
    const found = dantzig.solve(elimination.remaining, this.start === null ? {} : { start: this.start })
    this.residual = found.residual
    if (found.status !== 'solved' && !(found.status === 'limit' && found.residual <= NEARLY_SOLVED)) {
      return `drives, limits and friction of joints left a residual of ${found.residual}`
    }
    this.start = { basis: found.basis, slip: found.slip }
    elimination.complete(missing, found.f, p)
    return null
  }
}

const NONE = new Float64Array(0)

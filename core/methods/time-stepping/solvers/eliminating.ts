/**
 * Islands with joints and few other rows: the joints are eliminated (`elimination.ts`), and the remaining contacts, drives and limits are solved in their own
 * rates. In order: the index set of the last pass; Newton's method, and the exact solution on the index set that it finds; Dantzig's pivoting, which
 * alone knows spins.
 */

import { dantzig } from '../../../lcp'
import { fastDantzig } from '../../../lcp/dantzig'
import { tryBasis } from '../../../lcp/basis'
import { SOLVED_RESIDUAL } from '../../../math/tolerances'
import { Elimination } from '../elimination'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { solveWith } from './augmented'
import { lightness } from './body-response'
import { NEARLY_SOLVED } from './exact'
import { FAILED, FINAL } from './newton'
import { onIndexSet } from './on-index-set'
import { RowResponse } from './row-response'

export const eliminating: StepSolver = {
  name: 'exact',
  exact: true,
  solve(step, accuracy) {
    const elimination = step.eliminated.value ??= new Elimination(step)
    const missing = elimination.missing(step.b, step.p)
    elimination.reduce(missing, step.p)
    const { f, solution } = solveRemaining(elimination, step, accuracy)
    if (solution.solved) elimination.complete(missing, f, step.p)
    return solution
  },
}

function solveRemaining(
  { remaining, bounded }: Elimination, step: StepProblem, accuracy: number,
): { readonly f: Float64Array, readonly solution: StepSolution } {
  const { basis, slip } = step
  const own = Uint8Array.from(bounded, row => basis[row]!)
  const warm = step.warm
  const keep = (found: { readonly basis: Uint8Array, readonly slip: Float64Array }): void => {
    bounded.forEach((row, k) => { basis[row] = found.basis[k]! })
    slip.set(found.slip)
    step.warm = true
  }
  const solved = { solved: true, solver: 'exact', basisHit: false, history: NONE }
  const p = Float64Array.from(bounded, row => step.p[row]!)
  let left: number | null = null
  if (remaining.spin!.length === 0) {
    const held = warm ? tryBasis(remaining, { basis: own, slip: slip.slice() }, SOLVED_RESIDUAL) : undefined
    if (held !== undefined) {
      keep(held)
      return { f: held.f, solution: { ...solved, iterations: 0, residual: held.residual, basisHit: true } }
    }
    step.warm = false
    const shares = lightness(step)
    const { kind, lower, upper, friction, b, size } = remaining
    const law = { kind, lower, upper, friction, b, p, compliance: new Float64Array(size) }
    const response = new RowResponse(remaining, Float64Array.from(bounded, row => shares[row]!))
    const found = solveWith(law, response, true, { accuracy: FINAL * accuracy, sufficient: accuracy, shifts: SHIFTS })
    if (found !== null && found.residual <= FAILED * accuracy) {
      const exact = onIndexSet(remaining, p)
      if (exact !== null) {
        keep(exact)
        return { f: exact.f, solution: { ...solved, iterations: found.steps, residual: exact.residual } }
      }
      left = found.residual
      if (left <= accuracy) return { f: p, solution: { ...solved, solver: 'newton', iterations: found.steps, residual: left } }
    }
  }
  // With a nearly exact solution at hand, the slow fallbacks of pivoting are not worth their time.
  const pivoted = left !== null ? fastDantzig.solve(remaining) : dantzig.solve(remaining, warm ? { start: { basis: own, slip: slip.slice() } } : {})
  if (pivoted.status === 'solved' || pivoted.status === 'limit' && pivoted.residual <= NEARLY_SOLVED) {
    keep(pivoted)
    return { f: pivoted.f, solution: { ...solved, iterations: pivoted.pivots, residual: pivoted.residual, basisHit: pivoted.basisHit } }
  }
  return { f: p, solution: { ...solved, solver: 'newton', solved: left !== null, iterations: pivoted.pivots, residual: left ?? pivoted.residual } }
}

/** Contacts that may open or slip so that redundant rows no longer contradict each other. */
const SHIFTS = 10
const NONE = new Float64Array(0)

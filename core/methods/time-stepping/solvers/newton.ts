/**
 * Newton's method in the velocities for islands of any size whose bodies touch few others, with the accelerated iteration as fallback.
 *
 * It may stop short of the target accuracy if the remaining error could be reduced only by ever larger forces (contacts that stick on all sides). Its
 * result is then more accurate than that of sweeps.
 */

import type { StepIsland } from '../step-island'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { augmented } from './augmented'
import { BodyPattern } from './body-pattern'
import { accelerate } from './iterative'

/** × the target accuracy: a guess of this accuracy is exact to rounding. */
export const ROUNDING = 1e-5
/** × the target accuracy: a result with a larger residual counts as a failure. */
export const FAILED = 1e3
/** × the target accuracy: final accuracy of Newton's method if rounding allows it, so that a resting island stays unchanged bit for bit. */
export const FINAL = 1e-2
const FINAL_AT_REST = 1e-7

export const newton: StepSolver = { name: 'newton', exact: true, solve: iterate }

/** For islands at rest. */
export const newtonAtRest: StepSolver = { name: 'newton', exact: true, solve: (step, accuracy) => iterate(step, accuracy, true, FINAL_AT_REST) }

/** For resting islands of a pile: if it fails, sweeps continue only while they converge. */
export const newtonInPile: StepSolver = { name: 'newton', exact: true, solve: (step, accuracy) => iterate(step, accuracy, false, FINAL_AT_REST) }

/** Without sweeps as fallback, for rows with gradients of the end of the step: where those differ much from the rows, sweeps diverge. */
export const newtonAlone: StepSolver = {
  name: 'newton', exact: true,
  solve(step, accuracy) {
    const found = augmented(step, { accuracy: FINAL * accuracy, sufficient: accuracy })
    if (found === null) return { solved: false, solver: 'newton', iterations: 0, residual: Infinity, basisHit: false, history: new Float64Array(0) }
    const { residual, steps, history } = found
    return { solved: residual <= FAILED * accuracy, solver: 'newton', iterations: steps, residual, basisHit: steps === 0, history: Float64Array.from(history) }
  },
}

/**
 * @param patient whether the fallback sweeps continue up to their limit
 * @param left × the target accuracy: final accuracy of Newton's method
 * @returns the solution with the residual of the guess, m/s
 */
export function iterate(step: StepProblem, accuracy: number, patient = true, left = FINAL): StepSolution & { readonly guess: number } {
  const start = step.p.slice()
  const found = augmented(step, { accuracy: left * accuracy, sufficient: left === FINAL ? accuracy : 0 })
  if (found !== null && found.residual <= FAILED * accuracy) {
    const { residual, steps, guess, history } = found
    return { solved: true, solver: 'newton', iterations: steps, residual, basisHit: steps === 0, history: Float64Array.from(history), guess }
  }
  step.p.set(start)
  const swept = accelerate(step, 0, ROUNDING * accuracy, accuracy, patient)
  return { ...swept, guess: swept.history[0]! }
}

/**
 * Whether the matrix of an island stays sparse when factored, and Newton's method in the velocities supports all its rows.
 *
 * @param most block products in one factorisation
 */
export function staysSparse({ bodies, constraints, joints, jointSpins }: StepIsland, most: number): boolean {
  if (jointSpins.length > 0 || constraints.some(({ spins }) => spins.length > 0)) return false
  if (joints.some(({ element: { constraint } }) => constraint.second !== undefined)) return false
  const placeOf = new Map(bodies.map((body, place) => [body, place]))
  const pairs = [...constraints.map(({ constraint: { pair } }) => pair), ...joints.map(({ element: { constraint } }) => constraint)]
  const placesOf = (bodyOf: (pair: { bodyA: number, bodyB: number }) => number): Int32Array => Int32Array.from(pairs, pair => placeOf.get(bodyOf(pair)) ?? -1)
  return new BodyPattern(bodies.length, placesOf(pair => pair.bodyA), placesOf(pair => pair.bodyB), most).sparse
}

/**
 * Islands of any size whose bodies touch few others each: Newton's method in their velocities, and the accelerated iteration where that finds nothing.
 *
 * It may stop short of the accuracy asked for: where the end of a step is missed by so little that only ever larger forces would mend it (contacts that
 * stick on all sides). What it has come to then is nearer than sweeps come.
 */

import type { StepIsland } from '../step-island'
import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { augmented } from './augmented'
import { BodyPattern } from './body-pattern'
import { accelerate } from './iterative'

/** × the accuracy asked for: impulses that already meet this are rounding. */
export const ROUNDING = 1e-5
/** × the accuracy asked for: beyond this nothing has been found. */
export const LOST = 1e3
/** × the accuracy asked for: as far as Newton's method goes on where rounding lets it; and of an island at rest, so that it stays where it is to the bit. */
const LEFT = 1e-2
const LEFT_AT_REST = 1e-7

export const newton: StepSolver = { name: 'newton', exact: true, solve: iterate }

/** For islands at rest. */
export const newtonAtRest: StepSolver = { name: 'newton', exact: true, solve: (step, accuracy) => iterate(step, accuracy, true, LEFT_AT_REST) }

/** For those of a pile that rest: where it finds nothing, sweeps go on only while they get on. */
export const newtonInPile: StepSolver = { name: 'newton', exact: true, solve: (step, accuracy) => iterate(step, accuracy, false, LEFT_AT_REST) }

/**
 * @param patient sweeps that have to do instead go on for as long as they may
 * @param left × the accuracy asked for: as far as Newton's method goes on
 * @returns with the residual of the guess, m/s
 */
export function iterate(step: StepProblem, accuracy: number, patient = true, left = LEFT): StepSolution & { readonly guess: number } {
  const start = step.p.slice()
  const found = augmented(step, left * accuracy)
  if (found !== null && found.residual <= LOST * accuracy) {
    const { residual, steps, guess, history } = found
    return { solved: true, solver: 'newton', iterations: steps, residual, basisHit: steps === 0, history: Float64Array.from(history), guess }
  }
  step.p.set(start)
  const swept = accelerate(step, 0, ROUNDING * accuracy, accuracy, patient)
  return { ...swept, guess: swept.history[0]! }
}

/**
 * Whether the matrix of an island stays sparse when it is factored, and nothing acts in it that Newton's method in the velocities does not know.
 *
 * @param most products of blocks in one factorisation
 */
export function staysSparse({ bodies, constraints, joints, jointSpins }: StepIsland, most: number): boolean {
  if (jointSpins.length > 0 || constraints.some(({ spins }) => spins.length > 0)) return false
  if (joints.some(({ element: { constraint } }) => constraint.second !== undefined)) return false
  const placeOf = new Map(bodies.map((body, place) => [body, place]))
  const pairs = [...constraints.map(({ constraint: { pair } }) => pair), ...joints.map(({ element: { constraint } }) => constraint)]
  const placesOf = (bodyOf: (pair: { bodyA: number, bodyB: number }) => number): Int32Array => Int32Array.from(pairs, pair => placeOf.get(bodyOf(pair)) ?? -1)
  return new BodyPattern(bodies.length, placesOf(pair => pair.bodyA), placesOf(pair => pair.bodyB), most).sparse
}

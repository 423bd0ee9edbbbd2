/**
 * Iterative solvers on projected sweeps: Gauss–Seidel, over-relaxed (SOR), Jacobi, and accelerated.
 *
 * `accelerated` is a nonsmooth nonlinear conjugate gradient method after Silcowitz, Niebe and Erleben (2010): a symmetric pair of sweeps is taken as the
 * gradient step, Fletcher–Reeves' β as its momentum, dropped where the step did not shrink. On piles it needs a tenth of the sweeps of Gauss–Seidel.
 */

import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { Cone } from './cone'
import { Sweeps } from './sweeps'

/** Pairs of sweeps at most; what is left of the residual is said. */
const MAX_ITERATIONS = 250
const RELAXATION = 1.3
/** × the accuracy asked for: as well as the accelerated solver goes on where the guess does not do, so that the next steps' guesses do. */
const FINISH = 0.3

export function gaussSeidel(directions: number): StepSolver {
  return sweeping('gauss-seidel', directions, (sweeps, k) => sweeps.sweep(1, k % 2 === 1))
}

export function sor(directions: number): StepSolver {
  return sweeping('sor', directions, (sweeps, k) => sweeps.sweep(RELAXATION, k % 2 === 1))
}

/** Damped by the number of rows that meet at a body, without which it diverges on stacks. */
export function jacobi(directions: number): StepSolver {
  return sweeping('jacobi', directions, (sweeps, k, scratch) => {
    if (k === 0) scratch.damping = 1 / crowding(sweeps.problem)
    return sweeps.jacobi(scratch.damping, scratch.next)
  })
}

interface Scratch {
  next: Float64Array
  damping: number
}

function sweeping(name: string, directions: number, once: (sweeps: Sweeps, k: number, scratch: Scratch) => number): StepSolver {
  return {
    name,
    exact: false,
    solve(problem, accuracy) {
      const sweeps = new Sweeps(problem, new Cone(directions))
      const scratch = { next: new Float64Array(problem.rows.count), damping: 1 }
      const history: number[] = []
      let worst = Infinity
      while (worst > accuracy && history.length < 2 * MAX_ITERATIONS) history.push(worst = once(sweeps, history.length, scratch))
      return found(name, worst, accuracy, history)
    },
  }
}

export function accelerated(directions: number): StepSolver {
  return {
    name: 'accelerated',
    exact: false,
    solve: (problem, accuracy) => accelerate(problem, directions, accuracy, FINISH * accuracy),
  }
}

/** @param atOnce m/s: what the guess must meet to be kept as it is; otherwise it goes on to `accuracy` */
export function accelerate(problem: StepProblem, directions: number, atOnce: number, accuracy: number): StepSolution {
  const sweeps = new Sweeps(problem, new Cone(directions))
  const { p, rows: { count } } = problem
  const { diagonal, u } = sweeps
  // Velocities are linear in the impulses, so momentum is carried in both, and no row has to be visited for it.
  const before = new Float64Array(count)
  const direction = new Float64Array(count)
  const velocityBefore = new Float64Array(u.length)
  const velocityDirection = new Float64Array(u.length)
  const history: number[] = []
  let worst = Infinity
  let sizeBefore = Infinity
  while (history.length < MAX_ITERATIONS) {
    before.set(p)
    velocityBefore.set(u)
    sweeps.sweep(1, false)
    worst = sweeps.sweep(1, true)
    history.push(worst)
    // Momentum leaves the cones: the last impulses are those of a sweep.
    if (worst <= (history.length === 1 ? atOnce : accuracy) || history.length === MAX_ITERATIONS) break
    let size = 0
    let agreement = 0
    for (let i = 0; i < count; i++) {
      const change = p[i]! - before[i]!
      size += change * change * diagonal[i]!
      agreement += change * direction[i]! * diagonal[i]!
    }
    const beta = size / sizeBefore
    sizeBefore = size
    if (beta > 1 || agreement < 0) {
      direction.fill(0)
      velocityDirection.fill(0)
    } else {
      carry(p, before, direction, beta)
      carry(u, velocityBefore, velocityDirection, beta)
    }
  }
  return found('accelerated', worst, accuracy, history)
}

/** direction ← β direction + (x − before); x ← x + β direction (as it was). */
function carry(x: Float64Array, before: Float64Array, direction: Float64Array, beta: number): void {
  for (let i = 0; i < x.length; i++) {
    const momentum = beta * direction[i]!
    direction[i] = momentum + x[i]! - before[i]!
    x[i] = x[i]! + momentum
  }
}

function found(solver: string, residual: number, accuracy: number, history: readonly number[]): StepSolution {
  return {
    solved: residual < Infinity, solver, iterations: history.length, residual, basisHit: history.length === 1 && residual <= accuracy,
    history: Float64Array.from(history),
  }
}

/** Most rows that meet at one body. */
function crowding({ rows: { count }, slotA, slotB, bodyCount }: StepProblem): number {
  const meeting = new Int32Array(bodyCount)
  for (let i = 0; i < count; i++) {
    if (slotA[i]! >= 0) meeting[slotA[i]!]!++
    if (slotB[i]! >= 0) meeting[slotB[i]!]!++
  }
  return meeting.reduce((most, n) => Math.max(most, n), 1)
}

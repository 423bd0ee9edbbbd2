/**
 * Iterative solvers with projected sweeps: Gauss–Seidel, over-relaxed (SOR), Jacobi, and accelerated.
 *
 * `accelerated` adds momentum to Gauss–Seidel. A sweep takes the place of the gradient step of Nesterov's method, and starts from an extrapolated
 * point,
 *
 *   y ← x_k + β (x_k − x_{k−1}),   x_{k+1} ← sweep(y),   β = min((θ_k − 1) ÷ θ_{k+1}, cap),   θ_{k+1} = (1 + √(1 + 4 θ_k²)) / 2
 *
 * It restarts with θ = 1 whenever a step points against the last one, (y − x_{k+1})·(x_{k+1} − x_k) > 0 [O'Donoghue and Candès 2015]. The product is
 * weighted by A_ii, which makes impulses and angular impulses commensurable. With friction, or with linearised gaps that have rotated, a sweep is not
 * a gradient step, and β near 1 makes the iteration oscillate or diverge. Whenever the residual grows, the cap on β is lowered; it recovers slowly.
 */

import type { StepProblem, StepSolution, StepSolver } from '../step-problem'
import { Cone } from './cone'
import { Sweeps } from './sweeps'

/** The residual that remains after these sweeps is reported. */
const MAX_SWEEPS = 500
/** Final share of these sweeps without momentum. Friction may make a non-convergent iteration oscillate; plain sweeps damp this. */
const PLAIN_SHARE = 0.2
/** Relaxation of accelerated sweeps, and × the least residual since the last reduction of the cap: a larger residual lowers the cap again. */
const PATIENT = { relaxation: 1, grown: 4 }
/** The same for piles, where friction and rotated gaps make sweeps oscillate. */
const IMPATIENT = { relaxation: 0.9, grown: 2 }
/** × the cap: factor of each reduction, factor of recovery after every other sweep; sweeps between two reductions. */
const CAP_REDUCTION = 0.5
const CAP_INTERVAL = 3
const CAP_RECOVERY = 1.05
/** Sweeps within which an impatient iteration must reduce the residual by the factor `WINDOW_REDUCTION`. */
const WINDOW = 50
const WINDOW_REDUCTION = 0.5
/** × the first residual: rows whose gradient differs from their direction of action may make sweeps diverge. */
const DIVERGED = 1e3
const RELAXATION = 1.3
/** × the target accuracy: final accuracy of the accelerated solver if the guess is not accepted, so that the guesses of later steps are. */
const FINAL = 0.3
/** × the target accuracy: a residual that ends the iteration from `SweepLimits.coarseAfter` sweeps on. */
const COARSE = 10

/** Limits of an iteration that the next substep continues. */
export interface SweepLimits {
  /** Sweeps after which a coarse residual is enough. */
  readonly coarseAfter: number
  /** Most sweeps. */
  readonly most: number
}

const UNLIMITED: SweepLimits = { coarseAfter: Infinity, most: MAX_SWEEPS }

/** Projected Gauss–Seidel, in alternating order. @param directions edges of the polyhedral cone; 0: the exact cone */
export function gaussSeidel(directions: number): StepSolver {
  return sweeping('gauss-seidel', directions, (sweeps, k) => sweeps.sweep(1, k % 2 === 1))
}

/** Gauss–Seidel with over-relaxation by `RELAXATION`. */
export function sor(directions: number): StepSolver {
  return sweeping('sor', directions, (sweeps, k) => sweeps.sweep(RELAXATION, k % 2 === 1))
}

/** Damped by the largest number of rows at one body; undamped Jacobi diverges on stacks. */
export function jacobi(directions: number): StepSolver {
  return sweeping('jacobi', directions, (sweeps, k, scratch) => {
    if (k === 0) scratch.damping = 1 / contactsPerBody(sweeps.problem)
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
      while (worst > accuracy && history.length < MAX_SWEEPS) {
        problem.interrupt?.()
        history.push(worst = once(sweeps, history.length, scratch))
      }
      sweeps.finish()
      return found(name, worst, accuracy, history)
    },
  }
}

/** @param patient whether to continue up to the limit of sweeps; otherwise, in a pile, only while it converges */
export function accelerated(directions: number, patient = true): StepSolver {
  return {
    name: 'accelerated',
    exact: false,
    solve: (problem, accuracy) => accelerate(problem, directions, accuracy, FINAL * accuracy, patient),
  }
}

/**
 * @param atOnce m/s: residual at which the guess is accepted unchanged; otherwise the iteration continues to `accuracy`
 * @param patient whether to continue up to the limit of sweeps; otherwise, in a pile, only while it converges
 */
export function accelerate(
  problem: StepProblem, directions: number, atOnce: number, accuracy: number, patient = true, { coarseAfter, most }: SweepLimits = UNLIMITED,
): StepSolution {
  const sweeps = new Sweeps(problem, new Cone(directions))
  const { count: size } = problem.rows
  const { u, p, diagonal } = sweeps
  const { relaxation, grown } = patient ? PATIENT : IMPATIENT
  // Velocities are linear in the impulses, so both are extrapolated together without a pass over the rows.
  const before = new Float64Array(size)
  const last = p.slice()
  const velocityLast = u.slice()
  const history: number[] = []
  let worst = Infinity
  let least = Infinity
  let marked = Infinity
  let age = 1
  let cap = 1
  let lowered = 0
  while (history.length < most) {
    problem.interrupt?.()
    before.set(p)
    const count = history.push(worst = sweeps.sweep(relaxation, false))
    // Extrapolated impulses violate the cones: the result must be that of a sweep.
    const enough = count === 1 ? atOnce : count < coarseAfter ? accuracy : COARSE * accuracy
    if (worst <= enough || count === most || !(worst <= DIVERGED * Math.max(history[0]!, accuracy))) break
    if (!patient && count % WINDOW === 0) {
      if (least > WINDOW_REDUCTION * marked) break
      marked = least
    }
    let against = 0
    for (let i = 0; i < size; i++) against += (before[i]! - p[i]!) * (p[i]! - last[i]!) * diagonal[i]!
    if (against > 0 || history.length > (1 - PLAIN_SHARE) * most) age = 1
    if (worst > grown * least && count - lowered > CAP_INTERVAL) {
      age = 1
      cap *= CAP_REDUCTION
      least = worst
      lowered = count
    } else {
      cap = Math.min(1, CAP_RECOVERY * cap)
    }
    least = Math.min(least, worst)
    const next = (1 + Math.sqrt(1 + 4 * age * age)) / 2
    const momentum = Math.min(cap, (age - 1) / next)
    age = next
    carry(p, last, momentum)
    carry(u, velocityLast, momentum)
  }
  sweeps.finish()
  return found('accelerated', worst, accuracy, history)
}

/** x ← x + momentum (x − last); last ← x (as it was). */
function carry(x: Float64Array, last: Float64Array, momentum: number): void {
  for (let i = 0; i < x.length; i++) {
    const now = x[i]!
    x[i] = now + momentum * (now - last[i]!)
    last[i] = now
  }
}

function found(solver: string, residual: number, accuracy: number, history: readonly number[]): StepSolution {
  return {
    solved: residual < Infinity, solver, iterations: history.length, residual, basisHit: history.length === 1 && residual <= accuracy,
    history: Float64Array.from(history),
  }
}

/** Largest number of rows at one body. */
function contactsPerBody({ rows: { count }, slotA, slotB, bodyCount }: StepProblem): number {
  const meeting = new Int32Array(bodyCount)
  for (let i = 0; i < count; i++) {
    if (slotA[i]! >= 0) meeting[slotA[i]!]!++
    if (slotB[i]! >= 0) meeting[slotB[i]!]!++
  }
  return meeting.reduce((most, n) => Math.max(most, n), 1)
}

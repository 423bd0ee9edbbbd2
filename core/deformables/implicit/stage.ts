/**
 * One implicit stage: the X and V with
 *
 *   X = x* + a V,   M (V − v*) = a f(X, V, t),
 *
 * by Newton's method. Implicit Euler is one stage with a = h and the old state for x*, v* [PBM01-D]; other methods are several with other x*, v*, a. The rate
 * of
 * a condition comes from the same formula, Ċ = (C(X) − C*) / a.
 *
 * With one iteration from the old positions this is the notes' linearised step, (I − h M⁻¹ ∂f/∂v − h² M⁻¹ ∂f/∂x) Δv = h M⁻¹ (f₀ + h ∂f/∂x v₀) [PBM01-D eq.
 * 4-6].
 */

import type { StageContacts } from '../contact/stage-contacts'
import type { ParticleSystem } from '../system'
import { stageMatrix, type LinearSolver } from './stage-matrix'
import { StageProblem, type StageStart } from './stage-problem'

export interface StageSettings {
  /** Newton iterations at most; 1 is the notes' linearised step. */
  readonly iterations: number
  /** Largest residual of the equation of motion, × the largest force of one element, load or inertia. */
  readonly tolerance: number
  /** Relative residual of the linear systems, where they are solved by iteration. */
  readonly linearTolerance: number
  /** Absent: by the fill of the direct factor. */
  readonly solver?: LinearSolver
}

export const STAGE_SETTINGS: StageSettings = { iterations: 50, tolerance: 1e-8, linearTolerance: 1e-3 }

export interface StageReport {
  converged: boolean
  /** Newton iterations. */
  iterations: number
  /** Iterations of the linear solver; 1 for each direct solve. */
  linearIterations: number
  /** Largest residual of the equation of motion, × the largest force. */
  residual: number
  /** Newton steps for which the exact Hessian was not positive definite, and a semidefinite one was taken. */
  indefinite: number
  /** Whether it was accepted with its iterations used up, before it was solved. */
  exhausted: boolean
}

/** Least decrease of the potential along a step, × what its slope promises [Armijo]. */
const DECREASE = 1e-4

/** Promised decreases smaller than this × the potential are lost in its rounding. */
const LOST = 1e-9

/** Slope that may be left there after a step. */
const SLOPE_LEFT = 0.9

/** Trials of a line search; each at least halves the step. */
const TRIALS = 30

/** Multipliers are renewed when what Newton's method leaves is below this × what they changed by last: solving for old ones to the end is work for nothing. */
const INEXACT = 0.1

/** m: contacts no deeper than this stand: half of what is promised of the positions that are recorded. */
const DEEPEST = 5e-10

/** Newton iterations, × the setting, where there are contacts: sticking and pressing change one after another. */
const WITH_CONTACTS = 4

/** Residual at which a stage with contacts stands when its iterations are used up, × the largest force: nothing passes through anything, whatever is left. */
const NEARLY = 1e-3

/**
 * Where more contacts press than hold something, what each presses with is not determined, and multipliers wander for ever while nothing moves: renewals that
 * leave more than this share of the change before, and how many of them are the last.
 */
const SETTLING = 0.5
const WANDERINGS = 2

/** Residual at which a stage with contacts stands when it took as many iterations as one without them may: penalties make the rounding of forces so large. */
const ROUNDED = 1e-6

/** So many steps within what rounding may make: the first may still remove most of it. */
const POLISH = 3

/** After an indefinite Hessian, so many steps take the semidefinite one at once where solving is by iteration: trying costs a solve. */
const PATIENCE = 3

export interface StageSolver {
  readonly solver: LinearSolver
  /**
   * @param X positions to begin with, held particles where they are to be at `t`; the solution on return
   * @param V velocities of held particles; all on return
   * @param reactions N on held particles, by whatever holds them; 0 for others
   * @param contacts what may touch, and what is tied
   */
  solve(t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array, reactions: Float64Array, contacts?: StageContacts): StageReport
}

export function stageSolver(system: ParticleSystem, settings: StageSettings): StageSolver {
  const { masses, held } = system
  const n = masses.length
  const matrix = stageMatrix(system, settings.solver)
  const problem = new StageProblem(system, matrix.elements)
  const { g, force } = problem
  const three = (): Float64Array => new Float64Array(3 * n)
  const d = three()
  const trial = three()
  const rhs = three()
  let links: StageContacts | null = null

  return {
    solver: matrix.solver,
    solve(t, a, start, X, V, reactions, contacts) {
      links = contacts ?? null
      const report: StageReport = { converged: false, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0, exhausted: false }
      const linearBefore = matrix.iterations
      const once = settings.iterations === 1
      const most = settings.iterations * (links !== null && links.links.count > 0 && !once ? WITH_CONTACTS : 1)
      // By iteration the first step, far from the solution, takes the semidefinite Hessian: that the exact one is none shows only after most of a solve.
      let patience = matrix.solver === 'direct' ? 0 : 1
      let rounded = 0
      if (links && links.links.count > 0) {
        // What flies goes on: from there fewer contacts have to be found.
        for (let k = 0; k < 3 * n; k++) d[k] = held[Math.floor(k / 3)] ? 0 : start.positions[k]! + a * start.velocities[k]! - X[k]!
        const share = links.limit(X, d)
        for (let k = 0; k < 3 * n; k++) X[k]! += share * d[k]!
      }
      for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) V[k] = (X[k]! - start.positions[k]!) / a
      if (links && links.links.count > 0) {
        matrix.assemble(t, X, V, start.conditions, a, true, null)
        links.weigh(matrix.impedances, matrix.solver === 'direct')
      }
      let largest = problem.residual(t, a, start, X, V, links)
      /** N: by which multipliers changed last. */
      let open = links ? problem.scale : 0
      let wandered = 0
      while (true) {
        report.residual = problem.scale > 0 ? largest / problem.scale : 0
        const enough = Math.max(settings.tolerance * problem.scale, INEXACT * open)
        if (links && wandered < WANDERINGS && (largest <= enough || largest <= rounding(a, start, X, V))) {
          const before = open
          open = links.renew(X)
          wandered = links.links.shared && open > SETTLING * before && open <= NEARLY * problem.scale && links.links.violation <= DEEPEST ? wandered + 1 : 0
          largest = problem.residual(t, a, start, X, V, links)
        }
        if (links && links.links.violation > DEEPEST) {
          // Multipliers go on until it is pressed out.
        } else if ((open <= settings.tolerance * problem.scale || wandered >= WANDERINGS) && largest <= settings.tolerance * problem.scale) {
          report.converged = true
        } else if (links?.links.shared === true && report.iterations >= settings.iterations
          && open <= NEARLY * problem.scale && largest <= ROUNDED * problem.scale) {
          report.converged = true
        } else if (Math.max(largest, open) <= rounding(a, start, X, V) && ++rounded === POLISH) {
          report.converged = true
        }
        if (report.converged || report.iterations === most) break
        let found = false
        if (patience === 0 || matrix.solver === 'direct') {
          found = matrix.assemble(t, X, V, start.conditions, a, false, links) && step(report.residual)
          if (!found) {
            report.indefinite++
            patience = PATIENCE
          }
        } else {
          patience--
        }
        if (!found && !(matrix.assemble(t, X, V, start.conditions, a, true, links) && step(report.residual))) break
        report.iterations++
        let share = 1
        if (links) {
          links.step(d)
          share = links.limit(X, d)
          // What was met on the way pushes too, or harder.
          links.weigh(matrix.impedances, matrix.solver === 'direct')
          problem.residual(t, a, start, X, V, links)
        }
        largest = advance(t, a, start, X, V, once, share)
        if (once) report.converged = true
      }
      if (!report.converged && links && report.iterations === most && largest <= NEARLY * problem.scale) {
        report.converged = true
        report.exhausted = true
      }
      report.residual = problem.scale > 0 ? largest / problem.scale : 0
      report.linearIterations = matrix.iterations - linearBefore
      // What is left of the equation goes to the velocities, so that links give to one side what they take from the other, to rounding.
      if (links && links.links.count > 0) for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) V[k]! += (a * g[k]!) / masses[i]!
      for (let i = 0; i < n; i++) for (let k = 3 * i; k < 3 * i + 3; k++) reactions[k] = held[i] ? -force[k]! : 0
      return report
    },
  }

  /** Solves for d. @returns whether the matrix was positive definite */
  function step(left: number): boolean {
    rhs.set(g)
    links?.addErrors(rhs)
    return matrix.solve(rhs, d, linearTolerance(left))
  }

  /** Far from the solution its direction counts, near it every digit. */
  function linearTolerance(left: number): number {
    return Math.min(settings.linearTolerance, Math.max(left, 1e-12))
  }

  function rounding(a: number, start: StageStart, X: Float64Array, V: Float64Array): number {
    return problem.rounding(a, start, X, V, Math.max(matrix.stiffest, links?.links.stiffest ?? 0))
  }

  /** Goes along d as far as the slope allows, at most this share of it. @returns the largest residual there */
  function advance(t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array, whole: boolean, share: number): number {
    const first = problem.slope(d)
    trial.set(V)
    const enough = rounding(a, start, X, V)
    const before = problem.hold(start.positions, X)
    let alpha = share
    let largest = 0
    for (let round = 0; round < TRIALS; round++) {
      for (let k = 0; k < 3 * n; k++) V[k] = trial[k]! + (alpha / a) * d[k]!
      largest = problem.residual(t, a, start, X, V, links)
      if (whole || largest <= enough) break
      // Where the change of the potential is lost in its rounding, the slope tells: it may be what it was, or half as steep beyond the minimum.
      const now = problem.slope(d)
      const lost = Math.abs(first) <= LOST * Math.abs(before)
      if (lost ? Math.abs(now) <= SLOPE_LEFT * Math.abs(first) : problem.sums.potential <= before - DECREASE * alpha * first) break
      alpha *= Math.min(Math.max(first / (first - now), 0.1), 0.5)
    }
    return largest
  }
}

/**
 * One implicit stage: the X and V with
 *
 *   X = x* + a V,   M (V − v*) = a f(X, V, t),
 *
 * by Newton's method. Implicit Euler is one stage with a = h and the old state for x*, v* [PBM01-D]; other methods are several stages with other x*,
 * v*, a. The rate of a condition follows from the same formula, Ċ = (C(X) − C*) / a.
 *
 * With one iteration from the old positions this is the notes' linearised step, (I − h M⁻¹ ∂f/∂v − h² M⁻¹ ∂f/∂x) Δv = h M⁻¹ (f₀ + h ∂f/∂x v₀)
 * [PBM01-D eq. 4-6].
 */

import { displacementBy } from '../contact/carriers'
import { MAX_PENETRATION } from '../contact/links'
import type { StageContacts } from '../contact/stage-contacts'
import type { ParticleSystem } from '../system'
import { FirstIterate } from './first-iterate'
import { lineSearch } from './line-search'
import { stageMatrix, type LinearSolver } from './stage-matrix'
import { StageProblem, type StageStart } from './stage-problem'
import type { StageReport, StageSettings } from './stage-settings'

/**
 * Near the solution a step is also accepted if it leaves at most this share of the residual. The potential does not always decrease along a step that
 * solves the forces: of an ellipsoid that turned on a net, no step decreased it once 2e-4 of the forces were left. With 0.5, a box that lands flat on a
 * sheet is solved less well.
 */
const RESIDUAL_LEFT = 0.1

/**
 * Multipliers are renewed once the residual of Newton's method is below this × their last change: solving exactly for outdated multipliers is wasted
 * work.
 */
const INEXACT = 0.1

/** Residual, × the largest force, below which a step with an indefinite Hessian is tried. */
const NEAR = 1e-3

/** Newton iterations, × the setting, if there are contacts: contact and stick–slip states change one after another. */
const WITH_CONTACTS = 4

/**
 * Residual, × the largest force, at which a stage with contacts is accepted at its iteration limit. The result is free of penetration in any case.
 */
const ACCEPTED_AT_LIMIT = 1e-3

/**
 * For redundant contacts the distribution of forces is undetermined, and multipliers may drift without any motion. A renewal with more than this
 * share of the previous change counts as drift, and after this many of them the renewals end.
 */
const DRIFT_SHARE = 0.5
const MAX_DRIFTS = 2

/**
 * Residual at which a stage with contacts is accepted after as many iterations as one without contacts may take: penalties raise the rounding error
 * of forces to this level.
 */
const ROUNDED = 1e-6

/**
 * m: displacement of a body by the rest of its forces, which only its velocity takes over. A body that presses a sheet against another has to end in its place
 * in the stage.
 */
const MISPLACED = 1e-11

/** Most steps with a residual within rounding: the first may still reduce it considerably. */
const POLISH = 3

/**
 * Near the solution the factorisation is used again as long as the same contacts press, stick and slide, and each step leaves at most this share of the
 * residual: multipliers then take dozens of renewals that hardly change the matrix. With 0.3, or far from the solution too, the steps of 625 vertices on a box
 * take half as many iterations again.
 */
const STILL_GOOD = 0.1

/** Most iterations, × those with a new factorisation. */
const WITH_OLD_MATRICES = 2

/** Number of steps after an indefinite Hessian that use the semidefinite one without trying the exact one, which would cost a factorisation or a solve. */
const PATIENCE = 3

export interface StageSolver {
  readonly solver: LinearSolver
  /**
   * @param X initial positions, with held particles at their positions at `t`; the solution on return
   * @param V velocities of held particles; all on return
   * @param reactions N on held particles; 0 for others
   * @param contacts possible contacts, and ties
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
  /** V before a trial step. */
  const kept = three()
  const first = new FirstIterate(held)
  let links: StageContacts | null = null

  return {
    solver: matrix.solver,
    solve(t, a, start, X, V, reactions, contacts) {
      links = contacts ?? null
      const report: StageReport = { converged: false, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0, exhausted: false }
      const linearBefore = matrix.iterations
      const once = settings.iterations === 1
      const most = settings.iterations * (links?.any === true && !once ? WITH_CONTACTS : 1)
      // Iterative solvers use the semidefinite Hessian in the first step, far from the solution: an indefinite exact one would be detected only late
      // in the solve.
      let patience = matrix.solver === 'direct' ? 0 : 1
      let rounded = 0
      first.move(a, start, X, V, links)
      if (links?.any === true) {
        matrix.impede(t, X, V, start.conditions, a)
        links.weigh(matrix.impedances, matrix.solver === 'direct')
        links.soften()
      }
      let largest = first.shorten(problem, t, a, start, X, V, links)
      /** N: last change of the multipliers. */
      let open = links ? problem.scale : 0
      let drifts = 0
      /** Whether the last matrix may serve again, and the number of matrices. */
      let serves = false
      let matrices = 0
      const atLimit = (): boolean => matrices === most || report.iterations === WITH_OLD_MATRICES * most
      /** Renews multipliers along d, and takes the step. @param left residual before it */
      const take = (left: number): number => {
        report.iterations++
        const share = blocked(X)
        if (links) problem.residual(t, a, start, X, V, links, true)
        const after = advance(t, a, start, X, V, once, share, left <= ACCEPTED_AT_LIMIT * problem.scale ? RESIDUAL_LEFT * left : 0)
        serves = share === 1 && after <= STILL_GOOD * left
        return after
      }
      while (true) {
        settings.interrupt?.()
        if (links?.soften() === true) largest = problem.residual(t, a, start, X, V, links, true)
        report.residual = problem.scale > 0 ? largest / problem.scale : 0
        const enough = Math.max(settings.tolerance * problem.scale, INEXACT * open)
        if (links && drifts < MAX_DRIFTS && (largest <= enough || largest <= rounding(a, start, X, V))) {
          const before = open
          open = links.renew(X)
          const accepted = open <= ACCEPTED_AT_LIMIT * problem.scale && links.links.violation <= MAX_PENETRATION
          drifts = links.links.shared && open > DRIFT_SHARE * before && accepted ? drifts + 1 : 0
          links.links.settled = drifts >= MAX_DRIFTS
          largest = problem.residual(t, a, start, X, V, links, true)
        }
        const placed = links === null || displacementBy(links.links.all, problem.loose, masses, a) <= MISPLACED
        if (links && links.links.violation > MAX_PENETRATION) {
          // Multipliers are renewed until the penetration is removed.
        } else if (placed && (open <= settings.tolerance * problem.scale || drifts >= MAX_DRIFTS) && largest <= settings.tolerance * problem.scale) {
          report.converged = true
        } else if (placed && links?.links.shared === true && report.iterations >= settings.iterations
          && open <= ACCEPTED_AT_LIMIT * problem.scale && largest <= ROUNDED * problem.scale) {
          report.converged = true
        } else if (Math.max(largest, open) <= rounding(a, start, X, V) && ++rounded === POLISH) {
          report.converged = true
        }
        if (report.converged && links) links.measure()
        // Contacts that static friction does not hold slide in the whole step. The last Newton step with settled multipliers may also have closed a gap.
        if (report.converged && !atLimit() && links && (links.links.slip(a) || links.links.violation > MAX_PENETRATION)) {
          report.converged = false
          open = problem.scale
          drifts = 0
          links.links.settled = false
          largest = problem.residual(t, a, start, X, V, links, true)
        }
        if (report.converged || atLimit()) break
        const left = largest
        const near = left <= NEAR * problem.scale
        if (serves && near && matrix.solver === 'direct' && links?.unchanged === true) {
          step(report.residual)
          largest = take(left)
          continue
        }
        let found = false
        if (patience === 0 || (near && matrix.solver === 'direct')) {
          found = matrix.assemble(t, X, V, start.conditions, a, false, links, near)
          if (!found && near && matrix.factored) {
            // The equilibrium may be a saddle point of the potential, as for a symmetric sheet about to buckle. Newton's method converges to it.
            kept.set(V)
            links?.keep()
            step(report.residual)
            const share = blocked(X)
            largest = share < 1 ? Infinity : moved(t, a, start, X, V)
            if (largest <= RESIDUAL_LEFT * left) {
              report.iterations++
              matrices++
              serves = true
              continue
            }
            links?.restore()
            V.set(kept)
            largest = problem.residual(t, a, start, X, V, links)
          }
          found &&= step(report.residual) && (near || !far(a))
          if (!found) {
            report.indefinite++
            patience = PATIENCE
          }
        } else {
          patience--
        }
        if (!found && !(matrix.assemble(t, X, V, start.conditions, a, true, links, false) && step(report.residual))) break
        matrices++
        largest = take(left)
        if (once) report.converged = true
      }
      if (!report.converged && links && atLimit() && largest <= ACCEPTED_AT_LIMIT * problem.scale) {
        report.converged = true
        report.exhausted = true
      }
      report.residual = problem.scale > 0 ? largest / problem.scale : 0
      report.linearIterations = matrix.iterations - linearBefore
      // The remaining residual changes the velocities, so that momentum is exact to rounding.
      for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) V[k]! += (a * g[k]!) / masses[i]!
      for (let i = 0; i < n; i++) for (let k = 3 * i; k < 3 * i + 3; k++) reactions[k] = held[i] ? -force[k]! : 0
      return report
    },
  }

  /** Whether d is longer than the step of any matrix ≥ M / a² with the last right-hand side: then the exact matrix is nearly singular. */
  function far(a: number): boolean {
    let [moved, most] = [0, 0]
    for (let i = 0; i < n; i++) {
      if (held[i]) continue
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        moved += masses[i]! * d[k]! * d[k]!
        most += rhs[k]! * rhs[k]! / masses[i]!
      }
    }
    return moved > a * a * a * a * most
  }

  /** Updates the multipliers along d, and turns the pairs that limit it into contacts. @returns the feasible share of d */
  function blocked(X: Float64Array): number {
    if (!links) return 1
    links.step(d)
    const share = links.limit(X, d)
    // Gives those pairs a penalty, or a larger one.
    links.weigh(matrix.impedances, matrix.solver === 'direct')
    return share
  }

  /** Takes the whole step. @returns the largest residual at its end */
  function moved(t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array): number {
    for (let k = 0; k < 3 * n; k++) V[k]! += d[k]! / a
    return problem.residual(t, a, start, X, V, links)
  }

  /** Solves for d. @returns whether the matrix was positive definite */
  function step(left: number): boolean {
    rhs.set(g)
    links?.addErrors(rhs)
    return matrix.solve(rhs, d, linearTolerance(left))
  }

  /** Far from the solution only the direction matters; near it every digit does. */
  function linearTolerance(left: number): number {
    return Math.min(settings.linearTolerance, Math.max(left, 1e-12))
  }

  function rounding(a: number, start: StageStart, X: Float64Array, V: Float64Array): number {
    return problem.rounding(a, start, X, V, Math.max(matrix.stiffest, links?.stiffest ?? 0))
  }

  /** Line search along d up to the given share. @param small N: residual that ends the search. @returns the largest residual at the result */
  function advance(t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array, whole: boolean, share: number, small: number): number {
    trial.set(V)
    const first = problem.slope(d)
    const enough = Math.max(rounding(a, start, X, V), small)
    const before = problem.hold(start.positions, X, links)
    const at = (alpha: number): number => {
      for (let k = 0; k < 3 * n; k++) V[k] = trial[k]! + (alpha / a) * d[k]!
      return problem.residual(t, a, start, X, V, links)
    }
    return whole ? at(share) : lineSearch({ at, slope: () => problem.slope(d), potential: () => problem.sums.potential }, share, first, before, enough)
  }
}

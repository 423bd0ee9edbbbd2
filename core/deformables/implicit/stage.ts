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

import { addStageForces, elementRoom, type StageSums } from '../energy'
import type { StageContacts } from '../contact/stage-contacts'
import type { ParticleSystem } from '../system'
import { stageMatrix, type LinearSolver } from './stage-matrix'

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

/** What a stage starts from. */
export interface StageStart {
  /** x*, v*: 3n; held particles have none. */
  readonly positions: Float64Array
  readonly velocities: Float64Array
  /** C* of every energy. */
  readonly conditions: readonly Float64Array[]
}

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

/** Rounding of a position, × the largest, and of a velocity; times the largest stiffness, or mass ÷ a, it is a force that no iteration removes. */
const ROUNDING = 4 * 2.220446049250313e-16

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
  const { masses, energies, loads, held } = system
  const n = masses.length
  const matrix = stageMatrix(system, settings.solver)
  const room = elementRoom(energies.map(({ condition }) => condition))
  const three = (): Float64Array => new Float64Array(3 * n)
  const g = three()
  const d = three()
  const force = three()
  const trial = three()
  const heaviest = masses.reduce((most, m) => Math.max(most, m), 0)
  const sums: StageSums = { largest: 0, potential: 0 }
  /** Force of the loads now, and at the start of a Newton step: along the step its potential is reckoned as that of a constant force. */
  const loaded = three()
  const constant = three()
  let scale = 0
  let links: StageContacts | null = null
  /** g of what is free. */
  const loose = three()

  /** g = −M (V − v*) / a + f at X: what Newton's step has to remove. @returns the largest component on a free particle */
  function residual(t: number, a: number, { positions, velocities, conditions }: StageStart, X: Float64Array, V: Float64Array): number {
    // V is the unknown and X follows: an inertia reckoned from positions would lose the digits that m/a² makes large.
    for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) X[k] = positions[k]! + a * V[k]!
    force.fill(0)
    for (const load of loads) load.addForces(t, X, V, force)
    sums.largest = 0
    sums.potential = 0
    for (let k = 0; k < 3 * n; k++) sums.largest = Math.max(sums.largest, Math.abs(force[k]!))
    loaded.set(force)
    for (let k = 0; k < 3 * n; k++) sums.potential -= constant[k]! * (X[k]! - positions[k]!)
    energies.forEach((energy, k) => addStageForces(energy, X, conditions[k]!, a, force, room, sums))
    links?.addForces(X, force, sums)
    scale = sums.largest
    let largest = 0
    for (let i = 0; i < n; i++) {
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        const change = V[k]! - velocities[k]!
        const inertia = held[i] ? 0 : (masses[i]! * change) / a
        if (!held[i]) sums.potential += 0.5 * masses[i]! * change * change
        scale = Math.max(scale, Math.abs(inertia))
        g[k] = force[k]! - inertia
        loose[k] = held[i] ? 0 : g[k]!
      }
    }
    for (let k = 0; k < 3 * n; k++) largest = Math.max(largest, Math.abs(loose[k]!))
    return largest
  }

  /** g · d over what is free: minus the slope of the stage's potential along d. */
  function slope(): number {
    let sum = 0
    for (let k = 0; k < 3 * n; k++) sum += loose[k]! * d[k]!
    return sum
  }

  return {
    solver: matrix.solver,
    solve(t, a, start, X, V, reactions, contacts) {
      links = contacts ?? null
      const report: StageReport = { converged: false, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0, exhausted: false }
      const linearBefore = matrix.iterations
      const once = settings.iterations === 1
      const most = settings.iterations * (links !== null && links.links.count > 0 && !once ? WITH_CONTACTS : 1)
      let patience = 0
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
        links.weigh(matrix.impedances)
      }
      let largest = residual(t, a, start, X, V)
      /** N: by which multipliers changed last. */
      let open = links ? scale : 0
      let wandered = 0
      while (true) {
        report.residual = scale > 0 ? largest / scale : 0
        const enough = Math.max(settings.tolerance * scale, INEXACT * open)
        if (links && wandered < WANDERINGS && (largest <= enough || largest <= rounding(a, start, X, V))) {
          const before = open
          open = links.renew(X)
          wandered = links.links.shared && open > SETTLING * before && open <= NEARLY * scale && links.links.violation <= DEEPEST ? wandered + 1 : 0
          largest = residual(t, a, start, X, V)
        }
        if (links && links.links.violation > DEEPEST) {
          // Multipliers go on until it is pressed out.
        } else if ((open <= settings.tolerance * scale || wandered >= WANDERINGS) && largest <= settings.tolerance * scale) {
          report.converged = true
        } else if (links?.links.shared === true && report.iterations >= settings.iterations && open <= NEARLY * scale && largest <= ROUNDED * scale) {
          report.converged = true
        } else if (Math.max(largest, open) <= rounding(a, start, X, V) && ++rounded === POLISH) {
          report.converged = true
        }
        if (report.converged || report.iterations === most) break
        let found = false
        if (patience === 0 || matrix.solver === 'direct') {
          found = matrix.assemble(t, X, V, start.conditions, a, false, links) && matrix.solve(g, d, linearTolerance(report.residual))
          if (!found) {
            report.indefinite++
            patience = PATIENCE
          }
        } else {
          patience--
        }
        if (!found && !(matrix.assemble(t, X, V, start.conditions, a, true, links) && matrix.solve(g, d, linearTolerance(report.residual)))) break
        report.iterations++
        let share = 1
        if (links) {
          share = links.limit(X, d)
          // What was met on the way pushes too, or harder.
          links.weigh(matrix.impedances)
          residual(t, a, start, X, V)
        }
        largest = advance(t, a, start, X, V, once, share)
        if (once) report.converged = true
      }
      if (!report.converged && links && report.iterations === most && largest <= NEARLY * scale) {
        report.converged = true
        report.exhausted = true
      }
      report.residual = scale > 0 ? largest / scale : 0
      report.linearIterations = matrix.iterations - linearBefore
      // What is left of the equation goes to the velocities, so that links give to one side what they take from the other, to rounding.
      if (links && links.links.count > 0) for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) V[k]! += (a * g[k]!) / masses[i]!
      for (let i = 0; i < n; i++) for (let k = 3 * i; k < 3 * i + 3; k++) reactions[k] = held[i] ? -force[k]! : 0
      return report
    },
  }

  /** Far from the solution its direction counts, near it every digit. */
  function linearTolerance(left: number): number {
    return Math.min(settings.linearTolerance, Math.max(left, 1e-12))
  }

  /** Forces that the rounding of positions and velocities makes, N. */
  function rounding(a: number, { positions, velocities }: StageStart, X: Float64Array, V: Float64Array): number {
    let far = 0
    let fast = 0
    for (let k = 0; k < 3 * n; k++) {
      far = Math.max(far, Math.abs(X[k]!), Math.abs(positions[k]!))
      fast = Math.max(fast, Math.abs(V[k]!), Math.abs(velocities[k]!))
    }
    return ROUNDING * (Math.max(matrix.stiffest, links?.links.stiffest ?? 0) * far + (heaviest / a) * fast)
  }

  /** Goes along d as far as the slope allows, at most this share of it. @returns the largest residual there */
  function advance(t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array, whole: boolean, share: number): number {
    const first = slope()
    trial.set(V)
    const enough = rounding(a, start, X, V)
    let before = sums.potential
    for (let k = 0; k < 3 * n; k++) before += (constant[k]! - loaded[k]!) * (X[k]! - start.positions[k]!)
    constant.set(loaded)
    let alpha = share
    let largest = 0
    for (let round = 0; round < TRIALS; round++) {
      for (let k = 0; k < 3 * n; k++) V[k] = trial[k]! + (alpha / a) * d[k]!
      largest = residual(t, a, start, X, V)
      if (whole || largest <= enough) break
      // Where the change of the potential is lost in its rounding, the slope tells: it may be what it was, or half as steep beyond the minimum.
      const now = slope()
      const lost = Math.abs(first) <= LOST * Math.abs(before)
      if (lost ? Math.abs(now) <= SLOPE_LEFT * Math.abs(first) : sums.potential <= before - DECREASE * alpha * first) break
      alpha *= Math.min(Math.max(first / (first - now), 0.1), 0.5)
    }
    return largest
  }
}

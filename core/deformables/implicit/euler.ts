/**
 * Implicit Euler [PBM01-D]: one stage of the length of the step. Of first order; what it takes from the energy beyond damping is told in the report.
 */

import type { StageContacts } from '../contact/stage-contacts'
import { conditionValues, elementWorkspace } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import { stageSolver, type StageReport, type StageSettings } from './stage'

/** A method of integration: takes a state from t to t + h, or leaves it as it was and says so. */
export interface ImplicitMethod {
  /**
   * Writes the new state over the old one where the stage converged.
   *
   * @param reactions N on held particles at the end of the step; 3n
   */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array): StageReport
  /** Largest error of a position that the last step made, m, estimated. */
  readonly error: number
}

/** The one method that knows contact: forces at both ends of a step, which second-order methods take, jump where something touches. */
export interface ImplicitEuler extends ImplicitMethod {
  /**
   * @param contacts what may touch, and what is tied; carriers that are led are where they are at both ends of the step
   */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array, contacts?: StageContacts): StageReport
}

/** What is led would pass through something in this step: a shorter one may do. */
const PASSED: StageReport = { converged: false, iterations: 0, linearIterations: 0, residual: Infinity, indefinite: 0, exhausted: false }

/** Whether the way of what goes on as it does meets nothing; else the step begins anew. @param X the first iterate */
function flies(contacts: StageContacts, x0: Float64Array, v0: Float64Array, h: number, X: Float64Array): boolean {
  if (contacts.passes(x0, x0.map((x, k) => x + h * v0[k]!))) return true
  contacts.begin(x0, v0, h, X)
  return false
}

export function implicitEuler(system: ParticleSystem, settings: StageSettings): ImplicitEuler {
  const n3 = 3 * system.masses.length
  const solver = stageSolver(system, settings)
  const workspace = elementWorkspace(system.energies.map(({ condition }) => condition))
  const conditions = system.energies.map(({ condition }) => new Float64Array(condition.count * condition.rows))
  const X = new Float64Array(n3)
  const V = new Float64Array(n3)
  let error = 0
  return {
    get error() { return error },
    step({ positions, velocities }, t, h, reactions, contacts) {
      system.energies.forEach(({ condition }, k) => conditionValues(condition, positions, conditions[k]!, workspace))
      X.set(positions)
      V.set(velocities)
      system.lead?.(t + h, X, V)
      if (contacts?.begin(positions, velocities, h, X) === false) return PASSED
      const start = { positions, velocities, conditions }
      // Where nothing touched before, it is tried whether that stays so, unless what goes on as it does meets something.
      let report = contacts?.idle === true && flies(contacts, positions, velocities, h, X) ? solver.solve(t + h, h, start, X, V, reactions) : null
      if (report?.converged === true && !contacts!.passes(positions, X)) {
        X.set(positions)
        V.set(velocities)
        system.lead?.(t + h, X, V)
        contacts!.begin(positions, velocities, h, X)
        report = null
      }
      report ??= solver.solve(t + h, h, start, X, V, reactions, contacts)
      if (!report.converged) return report
      // Half the difference of the velocities at both ends is what the trapezoidal rule, of second order, takes instead.
      error = 0
      for (let k = 0; k < n3; k++) if (!system.held[Math.floor(k / 3)]) error = Math.max(error, (h / 2) * Math.abs(V[k]! - velocities[k]!))
      positions.set(X)
      velocities.set(V)
      contacts?.accept()
      return report
    },
  }
}

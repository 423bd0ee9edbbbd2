/** Implicit Euler [PBM01-D]: one stage of the length of the step, of first order. The report gives the energy that it dissipates beyond damping. */

import type { StageContacts } from '../contact/stage-contacts'
import type { StageOfStep } from '../contact/stage-of-step'
import { conditionValues, elementWorkspace } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import { stageSolver } from './stage'
import type { StageReport, StageSettings } from './stage-settings'

/** An integration method: advances a state from t to t + h, or leaves it unchanged and reports the failure. */
export interface ImplicitMethod {
  /**
   * Overwrites the state if the stage converged.
   *
   * @param reactions N on held particles at the end of the step; 3n
   */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array): StageReport
  /** Estimated largest position error of the last step, m. */
  readonly error: number
}

export interface ImplicitEuler extends ImplicitMethod {
  /** @param contacts possible contacts, and ties; kinematic carriers have their poses at both ends of the step */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array, contacts?: StageContacts): StageReport
}

/** A kinematic motion would pass through something in this step; a shorter step may succeed. */
export const PASSED: StageReport = { converged: false, iterations: 0, linearIterations: 0, residual: Infinity, indefinite: 0, exhausted: false }

/** Whether the motion with unchanged velocity is free of contacts; otherwise the step or stage starts again. @param X the first iterate */
export function flies(contacts: StageContacts, x0: Float64Array, v0: Float64Array, h: number, X: Float64Array, stage?: StageOfStep): boolean {
  if (contacts.passes(x0, x0.map((x, k) => x + h * v0[k]!))) return true
  contacts.begin(x0, v0, h, X, stage)
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
      // If there was no contact before, a contact-free step is tried first, unless motion with unchanged velocity meets something.
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
      // The estimate is half the velocity difference of both ends × h: the difference to the trapezoidal rule, which has second order.
      error = 0
      for (let k = 0; k < n3; k++) if (!system.held[Math.floor(k / 3)]) error = Math.max(error, (h / 2) * Math.abs(V[k]! - velocities[k]!))
      positions.set(X)
      velocities.set(V)
      contacts?.accept()
      return report
    },
  }
}

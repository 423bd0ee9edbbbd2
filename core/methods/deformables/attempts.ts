/**
 * An implicit step by the chosen method, and by implicit Euler if one of second order does not converge. Forces on bodies are constant in a step of the run,
 * so that a divided step moves them elsewhere; an undivided one of first order is better. Implicit Euler then takes the next steps too, twice as many each
 * time: what makes stages hard, such as many contacts of hair, lasts.
 */

import type { ParticleState, ParticleSystem, StageReport, StageSettings } from '../../deformables'
import { chosenMethod, type ChosenMethod, type Records } from './chosen-method'

/** Share of a step up to which a part that ends at its iteration limit is accepted; a longer one is divided, so that fewer contacts close in each part. */
const EXHAUSTED = 1 / 8
/** m: penetration at the limit above which bodies leave less space than the thickness of a sheet between them; then dividing is of no use. */
const FEASIBLE = 1e-6
/** Most steps by implicit Euler after one that did not converge. */
const MAX_RETREAT = 64
/** Most Newton iterations of a stage of second order without contacts: usual ones take fewer than ten. */
const SECOND_ORDER_ITERATIONS = 25

/** Number of steps that implicit Euler takes after the last that did not converge, and those left. */
export interface Retreat {
  readonly steps: number
  readonly left: number
}

export class Attempts {
  /** The method of the last step, and the state at its start. */
  taken: ChosenMethod
  readonly before: ParticleState
  retreat: Retreat = { steps: 1, left: 0 }
  /** Steps of a scene of second order that implicit Euler has taken. */
  firstOrder = 0
  private readonly method: ChosenMethod
  private simple: ChosenMethod | null = null

  constructor(private readonly name: 'euler' | 'tr-bdf2', private readonly system: ParticleSystem, private readonly accuracy: StageSettings,
    private readonly records: Records) {
    this.method = chosenMethod(name, system, name === 'euler' ? accuracy : { ...accuracy, iterations: SECOND_ORDER_ITERATIONS }, records)
    this.taken = this.method
    const size = 3 * system.masses.length
    this.before = { positions: new Float64Array(size), velocities: new Float64Array(size) }
  }

  /** @returns the report; not converged if the step has to be divided */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array): StageReport {
    const { name, system, accuracy, records, method, before, retreat } = this
    if (retreat.left === 0) {
      const report = this.attempt(method, state, t, h, reactions)
      if (report.converged) this.retreat = { steps: 1, left: 0 }
      if (report.converged || name === 'euler') return report
      state.positions.set(before.positions)
      state.velocities.set(before.velocities)
      const steps = Math.min(MAX_RETREAT, 2 * retreat.steps)
      this.retreat = { steps, left: steps }
    }
    this.simple ??= chosenMethod('euler', system, accuracy, records)
    const report = this.attempt(this.simple, state, t, h, reactions)
    if (report.converged) {
      this.firstOrder++
      this.retreat = { steps: this.retreat.steps, left: this.retreat.left - 1 }
    }
    return report
  }

  private attempt(by: ChosenMethod, state: ParticleState, t: number, h: number, reactions: Float64Array): StageReport {
    const { before, records: { bodies, other, touching: { contacts }, step } } = this
    bodies.beginStage(h, other, state.positions, state.velocities)
    before.positions.set(state.positions)
    before.velocities.set(state.velocities)
    const { memory } = contacts
    const report = by.step(state, t, h, reactions)
    this.taken = by
    if (!report.converged) by.refuse()
    else if (report.exhausted && h > step() * EXHAUSTED && contacts.links.violation < FEASIBLE) {
      contacts.memory = memory
      by.refuse()
      return { ...report, converged: false }
    }
    return report
  }
}

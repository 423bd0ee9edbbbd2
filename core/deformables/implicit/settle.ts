/**
 * Bringing a system to rest: steps of implicit Euler, each from zero velocity, that grow until inertia counts for nothing. What is left then is a minimum of
 * the energy; short first steps lead there where forces alone are singular, as those of a slack rope are.
 */

import type { ParticleState, ParticleSystem } from '../system'
import { implicitEuler } from './euler'
import type { StageReport, StageSettings } from './stage'

export interface SettleReport extends StageReport {
  steps: number
}

/** Growth of the step after one that converged; after one that did not, it shrinks by the square of it. */
const GROWTH = 4

/** Steps at most: from a hundredth of a second to `longest` takes some twenty. */
const STEPS = 400

/**
 * Writes positions at rest and zero velocities. The report's `converged` says whether the last, longest step was solved.
 *
 * @param first length of the first step, s: a part of the period of the slowest swing
 * @param longest length at which inertia is nothing, s
 */
export function settle(
  system: ParticleSystem, settings: StageSettings, state: ParticleState, first: number, longest: number, reactions: Float64Array,
): SettleReport {
  const method = implicitEuler(system, settings)
  const total: SettleReport = { converged: false, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0, exhausted: false, steps: 0 }
  let h = first
  while (total.steps < STEPS && !total.converged) {
    state.velocities.fill(0)
    const report = method.step(state, 0, h, reactions)
    total.steps++
    total.iterations += report.iterations
    total.linearIterations += report.linearIterations
    total.indefinite += report.indefinite
    total.residual = report.residual
    if (report.converged && h >= longest) total.converged = true
    h *= report.converged ? GROWTH : 1 / (GROWTH * GROWTH)
  }
  state.velocities.fill(0)
  return total
}

/**
 * Static equilibrium by implicit Euler steps, each from zero velocity, of increasing length until inertia is negligible. The result is a minimum of
 * the energy. Short first steps reach it even where the stiffness matrix alone is singular, as for a slack rope.
 */

import type { ParticleState, ParticleSystem } from '../system'
import { implicitEuler } from './euler'
import type { StageReport, StageSettings } from './stage-settings'

export interface SettleReport extends StageReport {
  steps: number
}

/** Growth of the step after convergence; after a failure it shrinks by the square of this. */
const GROWTH = 4

/** Most steps: from a hundredth of a second to `longest` takes about twenty. */
const STEPS = 400

/**
 * Writes the equilibrium positions and zero velocities. The report's `converged` says whether the last, longest step was solved.
 *
 * @param first length of the first step, s: a fraction of the longest period of oscillation
 * @param longest length at which inertia is negligible, s
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

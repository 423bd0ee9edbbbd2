/**
 * Ensures that contacts never add energy in a step. Newton's hypothesis with friction may do so; then the restitution of all impacts of the island is
 * scaled by the largest factor without energy gain. If features rotate so far from their rows that energy is added, the step is too
 * long.
 */

import { kineticEnergy } from '../../dynamics/body'
import { length } from '../../math/vector'
import { contactWorks } from './contact-work'
import type { StepContext } from './context'
import { gapTarget, solveContacts } from './linearise'
import { BOUNCE } from './settings'
import type { StepArrays } from './step-arrays'
import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'
import { ENERGY_FLOOR, GAP_CORRECTION_GAIN, MAX_IMPACT_GAIN, MAX_IMPACT_LOSS, SMALL_GAIN } from './tolerances'

/** × the gap target: largest open gap. */
const OPEN_GAPS = 4
/** Share explained by rounding. */
const ROUNDING = 1e-6
/** × the longest step: shorter steps are not rejected. */
const SHORT = 0.2
/** Bisections of the restitution factor. */
const BISECTIONS = 6

/** Solves the island with contacts. @returns the reason of a failure, or null */
export function solveWithoutGain(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver): string | null {
  const attempt = (share: number): string | null => {
    island.restitutionScale = share
    // Targets found with another restitution are not used, neither for this factor nor in a later solution in this step.
    if (share < 1) forget(island)
    const reason = solveContacts(context, island, step, solver)
    if (share < 1) forget(island)
    return reason
  }
  const reason = attempt(1)
  // Separation of initial overlaps gains energy, which the scene has accepted.
  if (reason !== null || context.settings.linearizations !== null) return reason
  if (island.constraints.some(({ bounce }) => bounce > -Infinity) && impactsGain(context, island, step, solver)) {
    const failed = attempt(0)
    if (failed !== null) return failed
    if (!impactsGain(context, island, step, solver)) {
      let [low, high, tried] = [0, 1, 0]
      for (let k = 0; k < BISECTIONS; k++) {
        tried = (low + high) / 2
        if (attempt(tried) === null && !impactsGain(context, island, step, solver)) low = tried
        else high = tried
      }
      const last = tried === low ? null : attempt(low)
      if (last !== null) return last
    }
  }
  return gains(island, step) ? 'contacts would add energy' : unexplainedEnergy(context, island, step)
}

/**
 * Whether the step is too long for one velocity to describe it: energy added by contacts, or an energy change because an impact is placed at the
 * start of the step, is not explained by any work and shows in the audit. @returns the reason to shorten it, or null
 */
function unexplainedEnergy({ settings, scales }: StepContext, island: StepIsland, { motions, h }: StepArrays): string | null {
  // In a pile some body always exceeds the bounds; there the energy residual shows it.
  if (island.pile || island.leapfrog) return null
  const problem = island.problem!
  const pushing = island.constraints.filter(({ row }) => problem.p[row]! > 0)
  const { kick, snapshot: { inverseMass } } = motions
  const fall = island.bodies.reduce((most, body) => Math.max(most, inverseMass[body]! * length([kick[6 * body]!, kick[6 * body + 1]!, kick[6 * body + 2]!])), 0)
  // Resting and slow contacts, below the velocity change of gravity in a step, are as exact as their gaps.
  if (!pushing.some(({ normalVelocity }) => -normalVelocity > Math.max(settings.restingSpeed, BOUNCE * fall))) return null
  const { normal, friction, unexplained } = contactWorks(island, motions, h)
  const loss = -unexplained
  const gain = Math.max(0, normal + friction) - loss
  const floor = ENERGY_FLOOR * scales.force(...island.bodies) * scales.size(...island.bodies)
  if (gain <= floor && loss <= floor) return null
  const energy = kineticEnergyAtStart(island, motions)
  if (gain > floor + MAX_IMPACT_GAIN * energy) return 'its contacts would gain unexplained energy'
  return h >= SHORT * settings.step && loss > floor + MAX_IMPACT_LOSS * energy ? 'its impacts would lose unexplained energy' : null
}

function kineticEnergyAtStart({ bodies }: StepIsland, { snapshot }: StepArrays['motions']): number {
  return bodies.reduce((sum, body) => snapshot.inverseMass[body]! > 0 ? sum + kineticEnergy(snapshot.bodies[body]!, snapshot.motions[body]!) : sum, 0)
}

function forget({ constraints }: StepIsland): void {
  for (const active of constraints) active.forget()
}

/**
 * Whether contacts do work on the velocities at the start of the step: Σ p (w⁻ + w⁺)/2, with the relative velocities w at the contacts. The change of
 * w by forces within the step is ignored, because the time of the impact within the step is unknown.
 */
function impactsGain(context: StepContext, island: StepIsland, { motions, h }: StepArrays, solver: StepSolver): boolean {
  const { rows, p } = island.problem!
  const inaccuracy = gapTarget(context, island, solver) / h
  let work = 0
  let turnover = 0
  for (const { row, friction } of island.constraints) {
    for (let i = row; i < row + (friction > 0 ? 3 : 1); i++) {
      const impulse = p[i]!
      if (impulse === 0) continue
      const before = rows.along(i, motions.before)
      const after = rows.along(i, motions.velocity)
      work += impulse * (before + after) / 2 - Math.abs(impulse) * (Math.abs(island.free[i]! - before) + inaccuracy)
      turnover += Math.abs(impulse) * (Math.abs(before) + Math.abs(after)) / 2
    }
  }
  return work > ROUNDING * turnover
}

/**
 * Whether the contacts' impulses do positive work beyond rounding: Σ p (w_free + w⁺)/2, with the relative velocities w at the contacts without and
 * with them. Contacts can only dissipate energy, since they neither drive nor rebound faster than the approach. A row that cannot reach its target,
 * because its features rotate away from each other, grows impulses that gain energy.
 */
function gains(island: StepIsland, { motions, h }: StepArrays): boolean {
  const { rows, p } = island.problem!
  let work = 0
  let turnover = 0
  for (const { row, friction, aim } of island.constraints) {
    work -= p[row]! * OPEN_GAPS * aim / h
    for (let i = row; i < row + (friction > 0 ? 3 : 1); i++) {
      const impulse = p[i]!
      if (impulse === 0) continue
      const before = island.free[i]!
      const after = rows.along(i, motions.velocity)
      work += impulse * (before + after) / 2
      turnover += Math.abs(impulse) * (Math.abs(before) + Math.abs(after)) / 2
    }
  }
  return work > GAP_CORRECTION_GAIN * turnover && work > SMALL_GAIN * kineticEnergyAtStart(island, motions)
}

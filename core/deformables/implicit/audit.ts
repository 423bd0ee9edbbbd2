/**
 * Energy balance of a step of implicit Euler. With Δx = x₁ − x₀, Δv = v₁ − v₀ and forces at the end of the step,
 *
 *   ΔT = f₁ · Δx − ½ |Δv|²_M   of the free particles,   ΔE = ∇E₁ · Δx − (E₀ − E₁ + ∇E₁ · Δx),
 *
 * so T + E changes by the work of loads and of held particles, minus damping, minus the numerical loss: ½ |Δv|²_M and, for each energy, the excess of
 * the work of its end force over the energy released. Each term is computed independently, so that the balance tests the solution.
 *
 * Of a method of two stages, forces are their means over the step, as they give its impulse, and the first term of the numerical loss is
 * M Δv · (Δx / h − (v₀ + v₁) / 2), of either sign.
 */

import { elementWorkspace, spread, storedEnergy } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import { GAMMA, WEIGHTS, type TwoStages } from './tr-bdf2'

export interface StepAudit {
  /** Change of the kinetic energy of free particles and of stored energy, J. */
  readonly kinetic: number
  readonly stored: number
  /** Work of loads, and of held particles on the rest, J. */
  readonly work: number
  readonly led: number
  /** Lost in damping, J ≥ 0. */
  readonly damped: number
  /** Numerical loss of the method, J; ≥ 0 for convex energies. */
  readonly numerical: number
}

export function stepAudit(system: ParticleSystem): (before: ParticleState, after: ParticleState, t: number, h: number, reactions: Float64Array) => StepAudit {
  const { masses, loads, held } = system
  // Rods have a strain, but no energy.
  const energies = system.energies.filter(({ stiffness, damping }) => stiffness.some(k => k !== 0) || damping.some(d => d !== 0))
  const n = masses.length
  const workspace = elementWorkspace(energies.map(({ condition }) => condition))
  const old = elementWorkspace(energies.map(({ condition }) => condition))
  const f = new Float64Array(3 * n)
  const elastic = new Float64Array(3 * n)
  const resistance = new Float64Array(3 * n)
  return (before, after, t, h, reactions) => {
    const x0 = before.positions
    const x1 = after.positions
    let kinetic = 0
    let numerical = 0
    let led = 0
    f.fill(0)
    for (const load of loads) load.addForces(t + h, x1, after.velocities, f)
    let work = 0
    for (let i = 0; i < n; i++) {
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        const moved = x1[k]! - x0[k]!
        work += f[k]! * moved
        if (held[i]) led += reactions[k]! * moved
        const change = after.velocities[k]! - before.velocities[k]!
        if (held[i]) continue
        kinetic += 0.5 * masses[i]! * change * (after.velocities[k]! + before.velocities[k]!)
        numerical += 0.5 * masses[i]! * change * change
      }
    }
    let stored = 0
    let damped = 0
    for (const energy of energies) {
      const change = storedEnergy(energy, x1, workspace) - storedEnergy(energy, x0, workspace)
      stored += change
      elastic.fill(0)
      const { condition, stiffness, damping } = energy
      const { count, rows } = condition
      resistance.fill(0)
      for (let e = 0; e < count; e++) {
        condition.evaluate(e, x0, old.C, old.J)
        condition.evaluate(e, x1, workspace.C, workspace.J)
        for (let r = 0; r < rows; r++) {
          spread(condition, e, r, stiffness[e * rows + r]! * workspace.C[r]!, workspace.J, elastic)
          spread(condition, e, r, (damping[e * rows + r]! * (workspace.C[r]! - old.C[r]!)) / h, workspace.J, resistance)
        }
      }
      let along = 0
      for (let k = 0; k < 3 * n; k++) {
        along += elastic[k]! * (x1[k]! - x0[k]!)
        damped += resistance[k]! * (x1[k]! - x0[k]!)
      }
      numerical += along - change
    }
    return { kinetic, stored, work, led, damped, numerical }
  }
}

/** The same for a step of TR-BDF2. @param reactions N: means of the step */
export function twoStageAudit(system: ParticleSystem):
(before: ParticleState, after: ParticleState, stages: TwoStages, t: number, h: number, reactions: Float64Array) => StepAudit {
  const { masses, loads, held } = system
  const energies = system.energies.map((energy, k) => ({ energy, k })).filter(({ energy: { stiffness, damping } }) =>
    stiffness.some(k => k !== 0) || damping.some(d => d !== 0))
  const n = masses.length
  const workspace = elementWorkspace(system.energies.map(({ condition }) => condition))
  const [f, elastic, resistance] = [new Float64Array(3 * n), new Float64Array(3 * n), new Float64Array(3 * n)]
  return (before, after, { middle, rates }, t, h, reactions) => {
    const [x0, x1, v0, v1] = [before.positions, after.positions, before.velocities, after.velocities]
    const moved = f.slice()
    for (let k = 0; k < 3 * n; k++) moved[k] = x1[k]! - x0[k]!
    const along = (force: Float64Array): number => moved.reduce((sum, d, k) => sum + force[k]! * d, 0)
    let [kinetic, numerical, led, work, stored, damped] = [0, 0, 0, 0, 0, 0]
    const instants = [t, t + GAMMA * h, t + h]
    const states = [before, middle, after]
    states.forEach(({ positions, velocities }, s) => {
      f.fill(0)
      for (const load of loads) load.addForces(instants[s]!, positions, velocities, f)
      work += WEIGHTS[s]! * along(f)
    })
    for (let i = 0; i < n; i++) {
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        if (held[i]) {
          led += reactions[k]! * moved[k]!
          continue
        }
        const change = masses[i]! * (v1[k]! - v0[k]!)
        kinetic += 0.5 * change * (v1[k]! + v0[k]!)
        numerical += change * (moved[k]! / h - 0.5 * (v1[k]! + v0[k]!))
      }
    }
    for (const { energy, energy: { condition, stiffness, damping }, k: which } of energies) {
      const change = storedEnergy(energy, x1, workspace) - storedEnergy(energy, x0, workspace)
      stored += change
      elastic.fill(0)
      resistance.fill(0)
      const { count, rows } = condition
      states.forEach(({ positions }, s) => {
        for (let e = 0; e < count; e++) {
          condition.evaluate(e, positions, workspace.C, workspace.J)
          for (let r = 0; r < rows; r++) {
            const row = e * rows + r
            spread(condition, e, r, WEIGHTS[s]! * stiffness[row]! * workspace.C[r]!, workspace.J, elastic)
            if (damping[row] !== 0) spread(condition, e, r, WEIGHTS[s]! * damping[row]! * rates[s]![which]![row]!, workspace.J, resistance)
          }
        }
      })
      numerical += along(elastic) - change
      damped += along(resistance)
    }
    return { kinetic, stored, work, led, damped, numerical }
  }
}

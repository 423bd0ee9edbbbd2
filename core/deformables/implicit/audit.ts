/**
 * Energy balance of a step of implicit Euler. With Δx = x₁ − x₀, Δv = v₁ − v₀ and forces at the end of the step,
 *
 *   ΔT = f₁ · Δx − ½ |Δv|²_M   of the free particles,   ΔE = ∇E₁ · Δx − (E₀ − E₁ + ∇E₁ · Δx),
 *
 * so T + E changes by the work of loads and of held particles, minus damping, minus the numerical loss: ½ |Δv|²_M and, for each energy, the excess of
 * the work of its end force over the energy released. Each term is computed independently, so that the balance tests the solution.
 */

import { elementWorkspace, spread, storedEnergy } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'

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

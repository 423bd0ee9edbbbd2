/**
 * TR-BDF2 [Bank et al. 85; Hosea & Shampine 96]: the trapezoidal rule over γ h, then the backward difference formula over the rest, γ = 2 − √2. It
 * has second order and is L-stable. Both stages have the same length a = γ h / 2 and so nearly the same matrix.
 *
 *   x_γ = x₀ + a (v₀ + v_γ)                     x* = x₀ + a v₀,   v* = v₀ + a M⁻¹ f₀,   C* = C₀ + a Ċ₀
 *   x₁ = x₀ + p (x_γ − x₀) + a v₁,  p = 1 / (γ (2 − γ))     and the same for v and C
 *
 * Position error: the difference to the embedded third-order formula, h ((1 − w)/3 · v₀ + (3 w + 1)/3 · v_γ + γ/6 · v₁) minus h (w v₀ + w v_γ + γ/2
 * v₁), w = √2 / 4.
 */

import { addForces, conditionRates, conditionValues, elementWorkspace } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import type { ImplicitMethod } from './euler'
import { stageSolver } from './stage'
import type { StageSettings } from './stage-settings'

const GAMMA = 2 - Math.SQRT2
const WEIGHT = Math.SQRT2 / 4
const PART = 1 / (GAMMA * (2 - GAMMA))

export function trBdf2(system: ParticleSystem, settings: StageSettings): ImplicitMethod {
  const { masses, energies, loads, held } = system
  const n = masses.length
  const solver = stageSolver(system, settings)
  const workspace = elementWorkspace(energies.map(({ condition }) => condition))
  const three = (): Float64Array => new Float64Array(3 * n)
  const [X, V, first, firstVelocities, positions, velocities, f] = [three(), three(), three(), three(), three(), three(), three()]
  const conditions = energies.map(({ condition }) => new Float64Array(condition.count * condition.rows))
  const before = conditions.map(values => values.slice())
  const rates = conditions.map(values => values.slice())
  const start = { positions, velocities, conditions }
  let error = 0
  return {
    get error() { return error },
    step(state: ParticleState, t, h, reactions) {
      const a = (GAMMA * h) / 2
      const { positions: x0, velocities: v0 } = state
      f.fill(0)
      for (const load of loads) load.addForces(t, x0, v0, f)
      energies.forEach((energy, k) => {
        addForces(energy, x0, v0, f, workspace)
        conditionValues(energy.condition, x0, before[k]!, workspace)
        conditionRates(energy.condition, x0, v0, rates[k]!, workspace)
        for (let c = 0; c < before[k]!.length; c++) conditions[k]![c] = before[k]![c]! + a * rates[k]![c]!
      })
      for (let k = 0; k < 3 * n; k++) {
        positions[k] = x0[k]! + a * v0[k]!
        velocities[k] = v0[k]! + (a * f[k]!) / masses[Math.floor(k / 3)]!
      }
      X.set(x0)
      V.set(v0)
      system.lead?.(t + GAMMA * h, X, V)
      const report = solver.solve(t + GAMMA * h, a, start, X, V, reactions)
      if (!report.converged) return report
      first.set(X)
      firstVelocities.set(V)
      for (let k = 0; k < 3 * n; k++) {
        positions[k] = x0[k]! + PART * (X[k]! - x0[k]!)
        velocities[k] = v0[k]! + PART * (V[k]! - v0[k]!)
      }
      energies.forEach(({ condition }, k) => {
        conditionValues(condition, X, rates[k]!, workspace)
        for (let c = 0; c < before[k]!.length; c++) conditions[k]![c] = before[k]![c]! + PART * (rates[k]![c]! - before[k]![c]!)
      })
      system.lead?.(t + h, X, V)
      const second = solver.solve(t + h, a, start, X, V, reactions)
      second.iterations += report.iterations
      second.linearIterations += report.linearIterations
      second.indefinite += report.indefinite
      second.residual = Math.max(second.residual, report.residual)
      if (!second.converged) return second
      error = 0
      for (let k = 0; k < 3 * n; k++) {
        if (held[Math.floor(k / 3)]) continue
        const difference = ((1 - 4 * WEIGHT) / 3) * v0[k]! + (1 / 3) * firstVelocities[k]! + (GAMMA / 6 - GAMMA / 2) * V[k]!
        error = Math.max(error, h * Math.abs(difference))
      }
      x0.set(X)
      v0.set(V)
      return second
    },
  }
}

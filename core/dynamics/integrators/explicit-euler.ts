import type { Integrator } from '../integrator'
import { advanceBy, FixedStepIntegrator } from './fixed-step'

/** y₁ = y₀ + h f(t₀, y₀) [PBM01-B §2]: first order; for comparison. */
export function explicitEuler(): Integrator {
  return new FixedStepIntegrator('euler', 1, 0, (_derivative, _time, state, step, f0, _work, end) => {
    advanceBy(state, step, f0, end)
  })
}

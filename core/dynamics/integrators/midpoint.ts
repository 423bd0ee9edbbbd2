import type { Integrator } from '../integrator'
import { advanceBy, FixedStepIntegrator } from './fixed-step'

/** y₁ = y₀ + h f(t₀ + h/2, y₀ + h/2 f₀) [PBM01-B §3]: second order. */
export function midpoint(): Integrator {
  return new FixedStepIntegrator('midpoint', 2, 1, (derivative, time, state, step, f0, work, end) => {
    const middle = work[0]!
    advanceBy(state, step / 2, f0, end)
    derivative(time + step / 2, end, middle)
    advanceBy(state, step, middle, end)
  })
}

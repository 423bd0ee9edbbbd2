import type { Integrator } from '../integrator'
import { advanceBy, FixedStepIntegrator } from './fixed-step'

/** The classical fourth-order method of Runge and Kutta [PBM01-B §3]. */
export function rk4(): Integrator {
  return new FixedStepIntegrator('rk4', 4, 4, (derivative, time, state, step, k1, work, end) => {
    const [k2, k3, k4, stage] = work as [Float64Array, Float64Array, Float64Array, Float64Array]
    advanceBy(state, step / 2, k1, stage)
    derivative(time + step / 2, stage, k2)
    advanceBy(state, step / 2, k2, stage)
    derivative(time + step / 2, stage, k3)
    advanceBy(state, step, k3, stage)
    derivative(time + step, stage, k4)
    for (let i = 0; i < state.length; i++) end[i] = state[i]! + (step / 6) * (k1[i]! + 2 * (k2[i]! + k3[i]!) + k4[i]!)
  })
}

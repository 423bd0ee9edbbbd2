import { pow } from '../../math/elementary'
import type { Derivative } from '../integrator'

/** s: the first step if neither the state nor the derivative has a scale. */
const BLIND_STEP = 1e-6

/**
 * A first step for an adaptive integrator of `order`, s: from the sizes of y, ẏ and a difference quotient of ÿ [Hairer, Nørsett, Wanner, Solving ODEs
 * I, §II.4]. Costs two evaluations.
 *
 * @param tolerance and @param scale as the integrator measures errors
 */
export function initialStep(
  derivative: Derivative, time: number, state: Float64Array, scale: Float64Array, tolerance: number, order: number,
): number {
  const n = state.length
  const first = new Float64Array(n)
  const second = new Float64Array(n)
  const moved = new Float64Array(n)
  derivative(time, state, first)
  const size = (i: number) => tolerance * Math.max(scale[i]!, Math.abs(state[i]!))
  const norm = (value: (i: number) => number) => {
    let worst = 0
    for (let i = 0; i < n; i++) {
      const v = Math.abs(value(i))
      if (v > 0) worst = Math.max(worst, v / size(i))
    }
    return worst
  }
  const d0 = norm(i => state[i]!)
  const d1 = norm(i => first[i]!)
  const h0 = d0 < 1e-5 || d1 < 1e-5 ? BLIND_STEP : 0.01 * (d0 / d1)
  for (let i = 0; i < n; i++) moved[i] = state[i]! + h0 * first[i]!
  derivative(time + h0, moved, second)
  const d2 = norm(i => second[i]! - first[i]!) / h0
  const steepest = Math.max(d1, d2)
  const h1 = steepest <= 1e-15 ? Math.max(BLIND_STEP, h0 * 1e-3) : pow(0.01 / steepest, 1 / (order + 1))
  const step = Math.min(100 * h0, h1)
  return step > 0 && step < Infinity ? step : BLIND_STEP
}

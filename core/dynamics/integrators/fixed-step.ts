/** Explicit Runge–Kutta methods without error control [PBM01-B], given a rule for the end of a step. */

import type { Derivative, Integrator, StepResult } from '../integrator'
import { HermiteDense, type StepRecord } from './dense'

/** Writes y(t₀ + h) into `end`; `f0` is ẏ at the start; `work` has the requested number of scratch vectors. */
export type Advance = (
  derivative: Derivative, time: number, state: Float64Array, step: number,
  f0: Float64Array, work: readonly Float64Array[], end: Float64Array,
) => void

export class FixedStepIntegrator implements Integrator {
  private record: StepRecord | null = null
  private dense: HermiteDense | null = null
  private work: Float64Array[] = []

  constructor(
    readonly name: string,
    readonly order: number,
    private readonly scratch: number,
    private readonly advance: Advance,
  ) {}

  /** Nothing is kept from step to step. */
  reset(): void {}

  step(derivative: Derivative, time: number, state: Float64Array, step: number, _scale: Float64Array, out: Float64Array): StepResult {
    const n = state.length
    if (this.record === null || this.dense === null || this.record.y0.length !== n) {
      this.record = { derivative, time, step, y0: new Float64Array(n), y1: new Float64Array(n), f0: new Float64Array(n) }
      this.dense = new HermiteDense(this.record)
      this.work = Array.from({ length: this.scratch }, () => new Float64Array(n))
    }
    const record = this.record
    record.derivative = derivative
    record.time = time
    record.step = step
    record.y0.set(state)
    derivative(time, state, record.f0)
    this.advance(derivative, time, record.y0, step, record.f0, this.work, record.y1)
    out.set(record.y1)
    const finite = record.y1.every(Number.isFinite)
    return { accepted: finite, error: finite ? 0 : Infinity, nextStep: finite ? step : step / 2, dense: this.dense.renew() }
  }
}

/** `out = y + s f`. */
export function advanceBy(y: Float64Array, s: number, f: Float64Array, out: Float64Array): void {
  for (let i = 0; i < y.length; i++) out[i] = y[i]! + s * f[i]!
}

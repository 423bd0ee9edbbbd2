/** Interface of every integrator [PBM01-B]: it uses a state vector and its derivative, independent of bodies. */

/** Writes ẏ at (t, y) into `out`. Called at every stage, rejected ones too: a pure function of its arguments. */
export type Derivative = (time: number, state: Float64Array, out: Float64Array) => void

/**
 * y(t) within one accepted step, for any t of it; writes into `out`. Exact at both ends. The first evaluation inside the step may call the derivative a few
 * more times, so evaluate before the derivative's inputs (index sets, existing bodies) change.
 */
export interface DenseOutput {
  /** s */
  readonly start: number
  readonly end: number
  at(time: number, out: Float64Array): void
}

export interface StepResult {
  /** False: the error was too large; try again with `nextStep`. */
  readonly accepted: boolean
  /** Estimated local error ÷ tolerance (≤ 1 when accepted); 0 for fixed-step integrators. */
  readonly error: number
  /** s, proposed. */
  readonly nextStep: number
  readonly dense: DenseOutput
}

export interface Integrator {
  readonly name: string
  /** Of the global error. */
  readonly order: number
  /**
   * Tries a step of exactly `step` seconds from (`time`, `state`) into `out`; never changes `state`. The result is valid until the next call.
   * `scale[i]` is the absolute size of component i against which errors are measured (atol = rtol × scale).
   */
  step(derivative: Derivative, time: number, state: Float64Array, step: number, scale: Float64Array, out: Float64Array): StepResult
  /** Discards derivatives kept from the last step (first same as last): after an event the right-hand side has changed. */
  reset(): void
}

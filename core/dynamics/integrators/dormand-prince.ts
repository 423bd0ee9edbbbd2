/**
 * Dormand and Prince's embedded Runge–Kutta pair of orders 5 and 4 [J. Comput. Appl. Math. 6, 1980], stepping with the fifth-order result.
 *
 * Its seventh stage is the derivative at the end, reused as the first stage of the next step if that starts from the same state bit for bit (first
 * same as last). Step sizes follow a PI controller [Hairer, Nørsett, Wanner, Solving ODEs I, §II.4 and IV.2]. They do not grow beyond the prediction
 * from the last two steps [Gustafsson, ACM Trans. Math. Software 20, 1994]: before an instant at which the solution becomes steep, steps shrink by a
 * constant factor; without this prediction every second step would be rejected.
 */

import { pow } from '../../math/elementary'
import type { Derivative, Integrator, StepResult } from '../integrator'
import { QuinticDense, type StepRecord } from './dense'

const C = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1] as const
const A2 = [1 / 5] as const
const A3 = [3 / 40, 9 / 40] as const
const A4 = [44 / 45, -56 / 15, 32 / 9] as const
const A5 = [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729] as const
const A6 = [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656] as const
/** Weights of the fifth-order result; the second one is zero and omitted. */
const B1 = 35 / 384
const B3 = 500 / 1113
const B4 = 125 / 192
const B5 = -2187 / 6784
const B6 = 11 / 84
/** Weights of the fifth-order minus those of the fourth-order result. */
const E1 = 71 / 57600
const E3 = -71 / 16695
const E4 = 71 / 1920
const E5 = -17253 / 339200
const E6 = 22 / 525
const E7 = -1 / 40
/** Quartic term of the free extension [Hairer, Nørsett, Wanner, §II.6]. */
const D1 = -12715105075 / 11282082432
const D3 = 87487479700 / 32700410799
const D4 = -10690763975 / 1880347072
const D5 = 701980252875 / 199316789632
const D6 = -1453857185 / 822651844
const D7 = 69997945 / 29380423

const SAFETY = 0.9
const MIN_FACTOR = 0.2
const MAX_FACTOR = 10
/** Exponents of the PI controller: h ∝ err^−α errₙ₋₁^β. */
const BETA = 0.04
const ALPHA = 0.2 - 0.75 * BETA
/** Factor for a step whose error is not finite. */
const FAILURE_FACTOR = 0.1
/** Smaller errors count as this one: an error that is small by chance would otherwise make the next step too long. */
const MIN_ERROR = 1e-4

/** @param tolerance relative, of one step: |error| ≤ tolerance × max(scale, |y|) for every component */
export function dormandPrince(tolerance: number): Integrator {
  return new DormandPrince(tolerance)
}

class DormandPrince implements Integrator {
  readonly name = 'dormand-prince'
  readonly order = 5
  /** k₁ … k₇ */
  private stages = stagesOf(0)
  private stage = new Float64Array(0)
  private record: StepRecord | null = null
  private dense: QuinticDense | null = null
  /** Whether the derivatives of the last step may be reused: f0 at its start, and the seventh stage at its end. */
  private reusable = false
  private lastError = MIN_ERROR
  /** s: length of the last accepted step; 0 if there is none. */
  private lastStep = 0
  private rejected = false

  constructor(private readonly tolerance: number) {
    if (!(tolerance > 0)) throw new RangeError(`tolerance ${tolerance} is not positive`)
  }

  reset(): void {
    this.reusable = false
    this.rejected = false
    this.lastError = MIN_ERROR
    this.lastStep = 0
  }

  step(derivative: Derivative, time: number, state: Float64Array, step: number, scale: Float64Array, out: Float64Array): StepResult {
    const { record, dense } = this.prepare(state.length)
    this.firstStage(record, derivative, time, state)
    record.derivative = derivative
    record.time = time
    record.step = step
    record.y0.set(state)
    this.innerStages(derivative, time, state, step)
    this.combine(state, step, record.y1)
    derivative(time + step, record.y1, this.stages[6])
    const error = this.error(state, record.y1, step, scale)
    this.reusable = true
    out.set(record.y1)
    const accepted = error <= 1
    const nextStep = step * (accepted ? this.growth(error, step) : this.cut(error))
    return { accepted, error, nextStep, dense: dense.renew() }
  }

  private prepare(n: number): { record: StepRecord; dense: QuinticDense } {
    if (this.record === null || this.dense === null || this.record.y0.length !== n) {
      this.stages = stagesOf(n)
      this.stage = new Float64Array(n)
      this.record = {
        derivative: () => undefined, time: 0, step: 0, y0: new Float64Array(n), y1: new Float64Array(n), f0: this.stages[0],
      }
      this.dense = new QuinticDense(this.record, this.stages[6], (theta, out) => this.quartic(theta, out))
      this.reusable = false
    }
    return { record: this.record, dense: this.dense }
  }

  private firstStage(record: StepRecord, derivative: Derivative, time: number, state: Float64Array): void {
    const first = this.stages[0]
    const known = this.reusable && record.derivative === derivative
    if (known && time === record.time && sameBits(state, record.y0)) return
    if (known && time === record.time + record.step && sameBits(state, record.y1)) first.set(this.stages[6])
    else derivative(time, state, first)
  }

  private innerStages(derivative: Derivative, time: number, y: Float64Array, h: number): void {
    const { stage, stages: [k1, k2, k3, k4, k5, k6] } = this
    const n = y.length
    for (let i = 0; i < n; i++) stage[i] = y[i]! + h * A2[0] * k1[i]!
    derivative(time + C[0] * h, stage, k2)
    for (let i = 0; i < n; i++) stage[i] = y[i]! + h * (A3[0] * k1[i]! + A3[1] * k2[i]!)
    derivative(time + C[1] * h, stage, k3)
    for (let i = 0; i < n; i++) stage[i] = y[i]! + h * (A4[0] * k1[i]! + A4[1] * k2[i]! + A4[2] * k3[i]!)
    derivative(time + C[2] * h, stage, k4)
    for (let i = 0; i < n; i++) stage[i] = y[i]! + h * (A5[0] * k1[i]! + A5[1] * k2[i]! + A5[2] * k3[i]! + A5[3] * k4[i]!)
    derivative(time + C[3] * h, stage, k5)
    for (let i = 0; i < n; i++) {
      stage[i] = y[i]! + h * (A6[0] * k1[i]! + A6[1] * k2[i]! + A6[2] * k3[i]! + A6[3] * k4[i]! + A6[4] * k5[i]!)
    }
    derivative(time + C[4] * h, stage, k6)
  }

  private combine(state: Float64Array, step: number, out: Float64Array): void {
    const [k1, , k3, k4, k5, k6] = this.stages
    for (let i = 0; i < state.length; i++) {
      out[i] = state[i]! + step * (B1 * k1[i]! + B3 * k3[i]! + B4 * k4[i]! + B5 * k5[i]! + B6 * k6[i]!)
    }
  }

  /** Largest component of error ÷ tolerance; Infinity if any component is not finite. */
  private error(state: Float64Array, end: Float64Array, step: number, scale: Float64Array): number {
    const [k1, , k3, k4, k5, k6, k7] = this.stages
    let worst = 0
    for (let i = 0; i < state.length; i++) {
      const size = Math.max(scale[i]!, Math.abs(state[i]!), Math.abs(end[i]!))
      const e = Math.abs(step * (E1 * k1[i]! + E3 * k3[i]! + E4 * k4[i]! + E5 * k5[i]! + E6 * k6[i]! + E7 * k7[i]!))
      const ratio = e === 0 ? 0 : e / (this.tolerance * size)
      if (!(ratio < Infinity) || !Number.isFinite(end[i]!)) return Infinity
      if (ratio > worst) worst = ratio
    }
    return worst
  }

  private growth(error: number, step: number): number {
    const e = Math.max(error, MIN_ERROR)
    // Steps after a rejection do not enter the prediction: a discontinuity shortened them.
    const trend = this.lastStep > 0 && e > MIN_ERROR && !this.rejected ? SAFETY * step / this.lastStep * pow(this.lastError / (e * e), 0.2) : Infinity
    const factor = clamp(Math.min(SAFETY * pow(e, -ALPHA) * pow(this.lastError, BETA), trend))
    this.lastError = e
    this.lastStep = step
    const most = this.rejected ? 1 : MAX_FACTOR
    this.rejected = false
    return Math.min(factor, most)
  }

  private cut(error: number): number {
    this.rejected = true
    return error < Infinity ? Math.max(MIN_FACTOR, SAFETY * pow(error, -ALPHA)) : FAILURE_FACTOR
  }

  private quartic(x: number, out: Float64Array): void {
    const { y0, y1, step } = this.record!
    const [k1, , k3, k4, k5, k6, k7] = this.stages
    const r = 1 - x
    for (let i = 0; i < y0.length; i++) {
      const chord = y1[i]! - y0[i]!
      const bend = step * k1[i]! - chord
      const skew = chord - step * k7[i]! - bend
      const rest = step * (D1 * k1[i]! + D3 * k3[i]! + D4 * k4[i]! + D5 * k5[i]! + D6 * k6[i]! + D7 * k7[i]!)
      out[i] = y0[i]! + x * (chord + r * (bend + x * (skew + r * rest)))
    }
  }
}

type Stages = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]

function stagesOf(n: number): Stages {
  return Array.from({ length: 7 }, () => new Float64Array(n)) as Stages
}

function clamp(factor: number): number {
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, factor))
}

function sameBits(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false
  }
  return true
}

/**
 * Continuous extensions of one step, as piecewise polynomials in θ = (t − t₀)/h. Missing derivatives are evaluated at the first evaluation inside the
 * step, so that steps whose inside is never evaluated cost nothing more.
 */

import type { DenseOutput, Derivative } from '../integrator'

/** Data of a finished step; arrays belong to the integrator and are valid until its next step. */
export interface StepRecord {
  derivative: Derivative
  /** s: start and length of the step. */
  time: number
  step: number
  /** y at the start and at the end. */
  readonly y0: Float64Array
  readonly y1: Float64Array
  /** ẏ at the start. */
  readonly f0: Float64Array
}

/** θ of `time`, exactly 0 and 1 at the ends. */
function fraction(record: StepRecord, time: number): number {
  return time === record.time + record.step ? 1 : (time - record.time) / record.step
}

/** Copies an end of the step if `theta` is one; returns whether it did. */
function copyEnd(record: StepRecord, theta: number, out: Float64Array): boolean {
  if (theta === 0) out.set(record.y0)
  else if (theta === 1) out.set(record.y1)
  else return false
  return true
}

/** Cubic Hermite interpolation of both ends and their derivatives: third order. */
export class HermiteDense implements DenseOutput {
  private readonly f1: Float64Array
  private ready = false

  constructor(private readonly record: StepRecord) {
    this.f1 = new Float64Array(record.y0.length)
  }

  get start(): number {
    return this.record.time
  }

  get end(): number {
    return this.record.time + this.record.step
  }

  renew(): this {
    this.ready = false
    return this
  }

  at(time: number, out: Float64Array): void {
    const { record, f1 } = this
    const x = fraction(record, time)
    if (copyEnd(record, x, out)) return
    if (!this.ready) {
      record.derivative(this.end, record.y1, f1)
      this.ready = true
    }
    const { y0, y1, f0 } = record
    const u = x * x * (3 - 2 * x)
    const w0 = record.step * x * (1 - x) * (1 - x)
    const w1 = record.step * x * x * (x - 1)
    for (let i = 0; i < y0.length; i++) out[i] = y0[i]! + u * (y1[i]! - y0[i]!) + w0 * f0[i]! + w1 * f1[i]!
  }
}

const ROOT3 = Math.sqrt(3)
/** The two Gauss points, at which the quintic's derivative is sampled: there its error at mid-step vanishes to leading order. */
const ALPHA = 0.5 - ROOT3 / 6
const BETA = 0.5 + ROOT3 / 6

/**
 * Quintic extension of fifth order by bootstrapping [Shampine, Interpolation for Runge–Kutta methods, SIAM J. Numer. Anal. 22, 1985]. The quartic
 * that the step gives without further evaluations gives y at two inner points, and ẏ is evaluated there. The quintic interpolates both ends, both end
 * derivatives and these two derivatives. The quartic alone is one order less accurate than the step itself.
 */
export class QuinticDense implements DenseOutput {
  private readonly inner: Float64Array
  private readonly fAlpha: Float64Array
  private readonly fBeta: Float64Array
  private ready = false

  /**
   * @param f1 ẏ at the end
   * @param quartic writes the free extension at θ
   */
  constructor(
    private readonly record: StepRecord,
    private readonly f1: Float64Array,
    private readonly quartic: (theta: number, out: Float64Array) => void,
  ) {
    const n = record.y0.length
    this.inner = new Float64Array(n)
    this.fAlpha = new Float64Array(n)
    this.fBeta = new Float64Array(n)
  }

  get start(): number {
    return this.record.time
  }

  get end(): number {
    return this.record.time + this.record.step
  }

  renew(): this {
    this.ready = false
    return this
  }

  at(time: number, out: Float64Array): void {
    const { record, f1, fAlpha, fBeta } = this
    const x = fraction(record, time)
    if (copyEnd(record, x, out)) return
    if (!this.ready) this.bootstrap()
    const { y0, y1, f0, step } = record
    // Integrals of the Lagrange basis on 0, α, β, 1, and U = ∫ x(x−α)(x−β)(x−1) / ∫₀¹, which closes the gap to y₁.
    const x2 = x * x
    const u = x2 * (-15 + x * (70 + x * (-90 + 36 * x)))
    const w0 = step * x * (1 + x * (-3.5 + x * (4 - 1.5 * x)))
    const w1 = step * x2 * (0.5 + x * (-2 + 1.5 * x))
    const wa = step * (6 * ROOT3 * x2 * (BETA / 2 + x * (-(1 + BETA) / 3 + x / 4)) - u / 2)
    const wb = step * (-6 * ROOT3 * x2 * (ALPHA / 2 + x * (-(1 + ALPHA) / 3 + x / 4)) - u / 2)
    for (let i = 0; i < y0.length; i++) {
      out[i] = y0[i]! + u * (y1[i]! - y0[i]!) + w0 * f0[i]! + wa * fAlpha[i]! + wb * fBeta[i]! + w1 * f1[i]!
    }
  }

  private bootstrap(): void {
    const { derivative, time, step } = this.record
    this.quartic(ALPHA, this.inner)
    derivative(time + ALPHA * step, this.inner, this.fAlpha)
    this.quartic(BETA, this.inner)
    derivative(time + BETA * step, this.inner, this.fBeta)
    this.ready = true
  }
}

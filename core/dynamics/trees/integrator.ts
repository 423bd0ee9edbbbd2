/** An integrator that advances trees of bodies by joint coordinates. Its interface uses the full state, in which joints of trees are always satisfied. */

import type { DenseOutput, Derivative, Integrator, StepResult } from '../integrator'
import type { TreeCoordinates } from './coordinates'

/** Relative difference of two states that are equal up to the rounding of unpacking and normalising. */
const SAME = 16 * Number.EPSILON

export class TreeIntegrator implements Integrator {
  private readonly full: Float64Array
  private readonly rate: Float64Array
  private readonly start: Float64Array
  private readonly end: Float64Array
  private readonly scale: Float64Array
  /** Full states at the start and end of the last step. A step from a state that is equal up to rounding continues from the stored coordinates. */
  private readonly before: Float64Array
  private readonly after: Float64Array
  private known = false
  private of: Derivative | null = null
  private reduced: Derivative = () => undefined

  /**
   * @param length doubles of a full state
   * @param rates accelerations of the coordinates, which the derivative of the full state stores there
   */
  constructor(
    private readonly inner: Integrator, private readonly coordinates: TreeCoordinates, length: number, private readonly rates: Float64Array,
  ) {
    this.full = new Float64Array(length)
    this.rate = new Float64Array(length)
    this.before = new Float64Array(length)
    this.after = new Float64Array(length)
    this.start = new Float64Array(coordinates.length)
    this.end = new Float64Array(coordinates.length)
    this.scale = new Float64Array(coordinates.length)
  }

  get name(): string {
    return this.inner.name
  }

  get order(): number {
    return this.inner.order
  }

  reset(): void {
    this.known = false
    this.inner.reset()
  }

  step(derivative: Derivative, time: number, state: Float64Array, step: number, scale: Float64Array, out: Float64Array): StepResult {
    const { coordinates, inner, start, end, before, after } = this
    if (this.known && same(state, after)) {
      start.set(end)
      coordinates.keep(state, start)
    } else if (!this.known || !same(state, before)) coordinates.reduce(state, start)
    before.set(state)
    coordinates.scales(scale, this.scale)
    const result = inner.step(this.derivativeOf(derivative), time, start, step, this.scale, end)
    coordinates.expand(end, out)
    after.set(out)
    this.known = true
    return { ...result, dense: new TreeDense(result.dense, coordinates) }
  }

  private derivativeOf(derivative: Derivative): Derivative {
    if (this.of === derivative) return this.reduced
    const { coordinates, full, rate, rates } = this
    this.of = derivative
    return this.reduced = (time, reduced, out) => {
      coordinates.expand(reduced, full)
      derivative(time, full, rate)
      coordinates.derivative(reduced, rate, rates, out)
    }
  }
}

class TreeDense implements DenseOutput {
  private readonly reduced: Float64Array

  constructor(private readonly inner: DenseOutput, private readonly coordinates: TreeCoordinates) {
    this.reduced = new Float64Array(coordinates.length)
  }

  get start(): number {
    return this.inner.start
  }

  get end(): number {
    return this.inner.end
  }

  at(time: number, out: Float64Array): void {
    this.inner.at(time, this.reduced)
    this.coordinates.expand(this.reduced, out)
  }
}

function same(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (!(Math.abs(a[i]! - b[i]!) <= SAME * Math.max(Math.abs(a[i]!), Math.abs(b[i]!)))) return false
  return true
}

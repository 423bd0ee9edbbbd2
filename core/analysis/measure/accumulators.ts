/** Reductions of a series over a run: each receives the values in order of time, with bounded memory. */

export interface Accumulator {
  /** Reduction of the values of several contacts in one frame: the sum by default. */
  readonly ofContacts: 'sum' | 'largest' | 'smallest'
  /** @param value NaN if there is none at this time */
  add(time: number, value: number): void
  /** NaN without values. */
  result(): number
}

/** Names of aggregates with one argument. */
export const AGGREGATES = ['max', 'min', 'mean', 'integral', 'first', 'last'] as const
export type Aggregate = (typeof AGGREGATES)[number]

export function aggregate(name: Aggregate): Accumulator {
  switch (name) {
    case 'max': return extreme(1)
    case 'min': return extreme(-1)
    case 'mean': return new Trapezoid(true)
    case 'integral': return new Trapezoid(false)
    case 'first': return new Instant('first')
    case 'last': return new Instant('last')
  }
}

function extreme(sign: 1 | -1): Accumulator {
  let most = NaN
  return {
    ofContacts: sign === 1 ? 'largest' : 'smallest',
    add: (_, value) => { if (!Number.isNaN(value) && !(sign * value <= sign * most)) most = value },
    result: () => most,
  }
}

/** ∫ v dt by the trapezoidal rule over the intervals with values at both ends, or that ÷ their total length. */
class Trapezoid implements Accumulator {
  readonly ofContacts = 'sum'
  private area = 0
  private length = 0
  private time = NaN
  private value = NaN
  /** The mean if there is no interval. */
  private only = NaN

  constructor(private readonly mean: boolean) {}

  add(time: number, value: number): void {
    if (!Number.isNaN(value) && !Number.isNaN(this.value)) {
      this.area += (time - this.time) * (value + this.value) / 2
      this.length += time - this.time
    }
    if (!Number.isNaN(value)) this.only = value
    this.time = time
    this.value = value
  }

  result(): number {
    if (Number.isNaN(this.only)) return NaN
    if (!this.mean) return this.area
    return this.length > 0 ? this.area / this.length : this.only
  }
}

/** Time of the first or last frame at which a condition holds, s. */
class Instant implements Accumulator {
  readonly ofContacts = 'largest'
  private time = NaN

  constructor(private readonly which: 'first' | 'last') {}

  add(time: number, value: number): void {
    if (value === 0 || Number.isNaN(value)) return
    if (this.which === 'last' || Number.isNaN(this.time)) this.time = time
  }

  result(): number {
    return this.time
  }
}

/** The value at the start, at the end, or at a time, s; linear interpolation between two frames. */
export class ValueAt implements Accumulator {
  readonly ofContacts = 'sum'
  private found = NaN
  private settled = false
  private time = NaN
  private value = NaN

  constructor(private readonly when: 'start' | 'end' | number) {}

  add(time: number, value: number): void {
    const { when } = this
    if (when === 'end') this.found = value
    if (when === 'start' && !this.settled) this.settle(value)
    if (typeof when === 'number' && !this.settled && time >= when) {
      // A time before the first frame has no value.
      if (time === when) this.settle(value)
      else if (!Number.isNaN(this.time)) this.settle(this.value + (value - this.value) * (when - this.time) / (time - this.time))
      else this.settle(NaN)
    }
    this.time = time
    this.value = value
  }

  result(): number {
    return this.found
  }

  private settle(value: number): void {
    this.found = value
    this.settled = true
  }
}

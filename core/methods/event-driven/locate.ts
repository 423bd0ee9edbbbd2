/** Finds the first event inside an integrator's step, on the step's dense output. */

import type { DenseOutput } from '../../dynamics/integrator'
import { bracketedRoot } from '../../math/root'
import type { Monitor, MonitorKind, Monitors } from './monitors'

/**
 * Number of equal parts of a step at whose ends the monitors are evaluated. A pair of zeros within one part remains undetected until the check of the
 * next frame.
 */
const PARTS = 4
/**
 * A monitor has no zero between samples if its distance from zero exceeds this factor times its change over either half of the step: along a step
 * that meets its tolerance every monitor is a smooth function of time.
 */
const SMOOTHNESS = 4
/** Bisections in the search for the instant at which a value that starts at zero exceeds rounding. */
const RISE_HALVINGS = 50

export interface LocatedEvent {
  /** s */
  readonly time: number
  readonly monitor: Monitor
  readonly index: number
  /** Reference of the monitor's value: its value at the restart if that was already negative. */
  readonly base: number
}

export class EventSearch {
  private readonly state: Float64Array
  private readonly values: Float64Array
  /** Values at the restart if negative, else 0. */
  readonly base: Float64Array
  /** Allowed decrease of each value below its base. */
  private readonly noise: Float64Array
  /** Values at the start of the step, and at the start of the present part. */
  private readonly initial: Float64Array
  private previous: Float64Array
  /** At the ends of the parts. */
  private readonly ends: Float64Array[]

  /** @param last the previous search, whose storage may be reused */
  constructor(private readonly monitors: Monitors, stateLength: number, last?: EventSearch) {
    const n = monitors.list.length
    const known = last?.values.length === n ? last : undefined
    const values = (): Float64Array => new Float64Array(n)
    this.state = known?.state ?? new Float64Array(stateLength)
    this.values = known?.values ?? values()
    this.base = known?.base ?? values()
    this.noise = known?.noise ?? values()
    this.initial = known?.initial ?? values()
    this.previous = known?.previous ?? values()
    this.ends = known?.ends ?? Array.from({ length: PARTS }, values)
  }

  /** Evaluates the monitors at the restart: a value that is negative by rounding becomes the reference. */
  begin(time: number, state: Float64Array): void {
    this.monitors.sample(time, state, this.initial)
    this.initial.forEach((value, i) => {
      const { noise, hair } = this.monitors.list[i]!
      const starts = hair !== undefined && value <= noise
      this.noise[i] = starts ? hair : noise
      // A value already slightly beyond its bound gets no further tolerance at each step.
      this.base[i] = starts ? Math.max(Math.min(value, 0), -noise) : Math.min(value, 0)
    })
  }

  /** The first event in (dense.start, end], or null, among the `watched` monitors. Continues from the last `begin` or event-free `find`. */
  find(dense: DenseOutput, end: number, watched: (kind: MonitorKind) => boolean = () => true): LocatedEvent | null {
    const n = this.monitors.list.length
    if (n === 0) return null
    const { start } = dense
    const endOf = (part: number): number => part === PARTS ? end : start + (end - start) * part / PARTS
    const half = this.ends[PARTS / 2 - 1]!
    const last = this.ends[PARTS - 1]!
    this.read(dense, endOf(PARTS / 2), half)
    this.read(dense, end, last)
    this.previous.set(this.initial)
    const calm = this.calm(half, last)
    let t0 = start
    for (let part = 1; part <= PARTS && !calm; part++) {
      const t1 = endOf(part)
      const current = this.ends[part - 1]!
      if (part !== PARTS / 2 && part !== PARTS) this.read(dense, t1, current)
      const first = this.firstIn(dense, t0, t1, current, watched)
      if (first !== null) return first
      this.ends[part - 1] = this.previous
      this.previous = current
      t0 = t1
    }
    if (calm) {
      this.ends[PARTS - 1] = this.previous
      this.previous = last
    }
    this.initial.set(this.previous)
    return null
  }

  /** Whether no value comes near zero between the samples at the start, middle and end of a step. */
  private calm(half: Float64Array, last: Float64Array): boolean {
    return this.previous.every((before, i) => {
      const base = this.base[i]!
      const least = Math.min(before, half[i]!, last[i]!) - base
      return least > SMOOTHNESS * (Math.abs(half[i]! - before) + Math.abs(last[i]! - half[i]!)) + this.noise[i]!
    })
  }

  /** The first event in (t0, t1], with the values at t1. */
  private firstIn(
    dense: DenseOutput, t0: number, t1: number, current: Float64Array, watched: (kind: MonitorKind) => boolean,
  ): LocatedEvent | null {
    let first: LocatedEvent | null = null
    for (let i = 0; i < current.length; i++) {
      const monitor = this.monitors.list[i]!
      const value = current[i]! - this.base[i]!
      if (!(value < -this.noise[i]!) || !watched(monitor.kind)) continue
      let end = t1
      let endValue = value
      if (first !== null) {
        // A value that is not negative at the earliest event so far becomes negative later.
        end = first.time
        endValue = this.values[i]! - this.base[i]!
        if (!(endValue < -this.noise[i]!)) continue
      }
      const time = this.root(dense, i, t0, this.previous[i]! - this.base[i]!, end, endValue)
      if (first !== null && !(time < first.time)) continue
      first = { time, monitor, index: i, base: this.base[i]! }
      this.read(dense, time, this.values)
    }
    return first
  }

  /** Value of one monitor at a time of the step, relative to its base. */
  valueAt(dense: DenseOutput, index: number, time: number): number {
    dense.at(time, this.state)
    return this.monitors.sampleOne(time, this.state, index) - this.base[index]!
  }

  private read(dense: DenseOutput, time: number, out: Float64Array): void {
    dense.at(time, this.state)
    this.monitors.sample(time, this.state, out)
  }

  /**
   * Zero of monitor i in [t0, t1], negative at t1. For a value that starts at zero, the search first finds where it exceeds rounding, then where it
   * returns.
   */
  private root(dense: DenseOutput, i: number, t0: number, v0: number, t1: number, v1: number): number {
    const noise = this.noise[i]!
    const value = (t: number): number => this.valueAt(dense, i, t)
    if (v0 > noise) return bracketedRoot(value, t0, v0, t1, v1)
    let late = t1
    let lateValue = v1
    for (let k = 0; k < RISE_HALVINGS; k++) {
      const t = t0 + (late - t0) / 2
      if (t === t0 || t === late) break
      const v = value(t)
      if (v > noise) return bracketedRoot(value, t, v, late, lateValue)
      if (v >= -noise) break
      late = t
      lateValue = v
    }
    // The value never exceeded rounding: the event is where it falls below −noise.
    return v0 + noise > 0 ? bracketedRoot(t => value(t) + noise, t0, v0 + noise, late, lateValue + noise) : t0
  }
}

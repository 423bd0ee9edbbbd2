/**
 * Times at which a method has to stop, in ascending order and without duplicates. There may be billions of them, so only the next one of each kind is
 * computed.
 */

/** × a time: two times that differ by less are the same instant with different rounding. */
const ROUNDING = 1e-12

/** Whether two times, s, differ by rounding only. */
export function isSameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= ROUNDING * Math.min(Math.abs(a), Math.abs(b))
}

/** The given times; a time that differs from a frame's only by rounding is replaced by it. @param outputRate frames per second */
export function* onFrames(times: Iterable<number>, outputRate: number): Generator<number> {
  for (const time of times) {
    const frame = Math.round(time * outputRate) / outputRate
    yield isSameTime(frame, time) ? frame : time
  }
}

export class Marks {
  /** s: the next mark; Infinity after the last. */
  next = 0
  private readonly exact: Source[]
  private readonly rounded: Source[]

  /**
   * @param exact times to stop at, ascending in each list
   * @param rounded the same, with rounding errors; a time near an exact one is replaced by it
   * @param from s: marks are later than this
   * @param to s: marks are at most this
   */
  constructor(exact: readonly Iterable<number>[], rounded: readonly Iterable<number>[], from: number, to: number) {
    this.exact = exact.map(times => new Source(times, from, to))
    this.rounded = rounded.map(times => new Source(times, from + ROUNDING * from, to))
    this.next = from
    this.advance()
  }

  /** Advances to the next mark. */
  advance(): void {
    const last = this.next
    const exact = first(this.exact)
    let other = first(this.rounded)
    while (other < exact && !isSameTime(other, exact) && isSameTime(last, other)) other = this.pass(other)
    while (other !== Infinity && isSameTime(other, exact)) other = this.pass(other)
    this.next = Math.min(exact, other)
    for (const source of [...this.exact, ...this.rounded]) source.pass(this.next)
  }

  /** Adds a time to stop at, after the last mark. */
  add(time: number): void {
    this.exact.push(new Source([Math.max(time, this.next)], -Infinity, Infinity))
    this.next = Math.min(time, this.next)
    this.exact.at(-1)!.pass(this.next)
  }

  /** Skips a rounded time. @returns the one after it */
  private pass(time: number): number {
    for (const source of this.rounded) source.pass(time)
    return first(this.rounded)
  }
}

/** A list of times that is read on demand. */
class Source {
  /** s; Infinity at the end. */
  head: number
  private readonly rest: Iterator<number>

  constructor(times: Iterable<number>, from: number, private readonly to: number) {
    this.rest = times[Symbol.iterator]()
    this.head = -Infinity
    this.pass(from)
  }

  /** Advances to the first time after this one. */
  pass(time: number): void {
    while (this.head <= time && this.head !== Infinity) {
      const { value, done } = this.rest.next()
      this.head = done === true || value > this.to ? Infinity : value
    }
  }
}

function first(sources: readonly Source[]): number {
  return sources.reduce((least, { head }) => Math.min(least, head), Infinity)
}

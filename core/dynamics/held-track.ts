/** A piecewise constant value. A live session appends to it during the run, never earlier than the next frame to be recorded. */
export class HeldTrack<Value = number> {
  /** s, ascending: time from which each value holds. */
  readonly times: number[] = []
  private readonly values: Value[] = []

  /** @param first value before the first time */
  constructor(private readonly first: Value, keys: readonly (readonly [time: number, value: Value])[] = []) {
    for (const [time, value] of keys) this.append(time, value)
  }

  /** A second value at the last time replaces the first one. */
  append(time: number, value: Value): void {
    if (this.times.at(-1) === time) this.values.pop()
    else this.times.push(time)
    this.values.push(value)
  }

  at(time: number): Value {
    let [low, high] = [-1, this.times.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.times[middle]! <= time) low = middle
      else high = middle
    }
    return low < 0 ? this.first : this.values[low]!
  }
}

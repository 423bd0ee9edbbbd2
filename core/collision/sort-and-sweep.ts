/**
 * Overlaps of axis-aligned boxes by coherent sort-and-sweep [Baraff92 §5.3, PBM01-G §7.1].
 *
 * On each axis the 2 n ends of the boxes stay in a list that is kept sorted by insertion: between two similar situations almost nothing moves,
 * and two boxes can only begin or cease to overlap where an end of one passes an end of the other, so the table of overlaps is mended on
 * those exchanges alone. O(n + exchanges).
 */

import type { Bounds } from '../geometry/shape'

export class SortAndSweep {
  /** Exchanges of two ends since the beginning, over all axes. */
  exchanges = 0
  /** Lower and upper ends, three axes a box. */
  private readonly low: Float64Array
  private readonly high: Float64Array
  /** By axis: 2 box for a lower end, 2 box + 1 for an upper one, ascending. */
  private readonly ends: readonly Int32Array[]
  private readonly overlaps = new Set<number>()
  private sorted = false

  constructor(readonly count: number) {
    this.low = new Float64Array(3 * count).fill(Infinity)
    this.high = new Float64Array(3 * count).fill(Infinity)
    this.ends = [0, 1, 2].map(() => Int32Array.from({ length: 2 * count }, (_, end) => end))
  }

  /** Moves a box; overlaps follow at the next `update`. Ends may be infinite. */
  set(box: number, bounds: Bounds): void {
    this.low.set(bounds.min, 3 * box)
    this.high.set(bounds.max, 3 * box)
  }

  overlap(i: number, j: number): boolean {
    const { low, high } = this
    for (let axis = 0; axis < 3; axis++) {
      if (low[3 * i + axis]! > high[3 * j + axis]! || low[3 * j + axis]! > high[3 * i + axis]!) {
        return false
      }
    }
    return true
  }

  update(): void {
    if (this.sorted) {
      this.ends.forEach((ends, axis) => this.insertionSort(ends, axis))
    } else {
      this.sortAfresh()
    }
  }

  /** Overlapping boxes as i · count + j with i < j, in no order; touching counts. */
  get pairs(): ReadonlySet<number> {
    return this.overlaps
  }

  private value(end: number, axis: number): number {
    return (end & 1 ? this.high : this.low)[3 * (end >> 1) + axis]!
  }

  private insertionSort(ends: Int32Array, axis: number): void {
    for (let k = 1; k < ends.length; k++) {
      const end = ends[k]!
      const value = this.value(end, axis)
      let at = k
      while (at > 0) {
        const other = ends[at - 1]!
        const there = this.value(other, axis)
        // At equal values lower ends come first, so that touching boxes overlap.
        if (there < value || (there === value && (end & 1) >= (other & 1))) {
          break
        }
        ends[at] = other
        at--
        this.exchanges++
        this.passed(end, other)
      }
      ends[at] = end
    }
  }

  /** `end` now comes before `other`. */
  private passed(end: number, other: number): void {
    const i = end >> 1
    const j = other >> 1
    if (i === j || (end & 1) === (other & 1)) {
      return
    }
    const key = i < j ? i * this.count + j : j * this.count + i
    if (end & 1) {
      this.overlaps.delete(key)
    } else if (this.overlap(i, j)) {
      this.overlaps.add(key)
    }
  }

  /** The first time: sort, then sweep along x with the list of boxes that are open there. */
  private sortAfresh(): void {
    this.sorted = true
    this.ends.forEach((ends, axis) => {
      ends.sort((a, b) => {
        const difference = this.value(a, axis) - this.value(b, axis)
        return difference < 0 ? -1 : difference > 0 ? 1 : (a & 1) - (b & 1) || a - b
      })
    })
    const open = new Set<number>()
    for (const end of this.ends[0]!) {
      const i = end >> 1
      if (end & 1) {
        open.delete(i)
        continue
      }
      for (const j of open) {
        if (this.overlap(i, j)) {
          this.overlaps.add(i < j ? i * this.count + j : j * this.count + i)
        }
      }
      open.add(i)
    }
  }
}

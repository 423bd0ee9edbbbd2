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
  /** Of one axis while it is sorted. */
  private readonly values: Float64Array
  private readonly overlaps = new Set<number>()
  private sorted = false

  constructor(readonly count: number) {
    this.low = new Float64Array(3 * count).fill(Infinity)
    this.high = new Float64Array(3 * count).fill(Infinity)
    this.values = new Float64Array(2 * count)
    this.ends = [0, 1, 2].map(() => Int32Array.from({ length: 2 * count }, (_, end) => end))
  }

  /** Moves a box; overlaps follow at the next `update`. Ends may be infinite. */
  set(box: number, bounds: Bounds): void {
    this.low.set(bounds.min, 3 * box)
    this.high.set(bounds.max, 3 * box)
  }

  /** On all axes, or on those from `first` on. */
  overlap(i: number, j: number, first = 0): boolean {
    const { low, high } = this
    for (let axis = first; axis < 3; axis++) {
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
    // Values in the order of the ends: looked up once, and then passed side by side.
    const { low, high, values } = this
    for (let k = 0; k < ends.length; k++) {
      const end = ends[k]!
      values[k] = (end & 1 ? high : low)[3 * (end >> 1) + axis]!
    }
    for (let k = 1; k < ends.length; k++) {
      const value = values[k]!
      if (values[k - 1]! < value) continue
      const end = ends[k]!
      let at = k
      while (at > 0) {
        const other = ends[at - 1]!
        const there = values[at - 1]!
        // At equal values lower ends come first, so that touching boxes overlap.
        if (there < value || (there === value && (end & 1) >= (other & 1))) {
          break
        }
        ends[at] = other
        values[at] = there
        at--
        if ((end & 1) !== (other & 1)) this.passed(end, other, axis)
      }
      this.exchanges += k - at
      ends[at] = end
      values[at] = value
    }
  }

  /** `end` now comes before `other`, a lower one before an upper one or the other way round. */
  private passed(end: number, other: number, axis: number): void {
    const i = end >> 1
    const j = other >> 1
    if (i === j) {
      return
    }
    if (end & 1) {
      // Boxes apart on a later axis too are taken off the table there.
      if (this.overlap(i, j, axis + 1)) this.overlaps.delete(this.key(i, j))
    } else if (this.overlap(i, j)) {
      this.overlaps.add(this.key(i, j))
    }
  }

  private key(i: number, j: number): number {
    return i < j ? i * this.count + j : j * this.count + i
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
          this.overlaps.add(this.key(i, j))
        }
      }
      open.add(i)
    }
  }
}

/**
 * Overlaps of axis-aligned boxes by coherent sort-and-sweep [Baraff92 §5.3, PBM01-G §7.1], in columns.
 *
 * Space is divided into square columns along x. Each column has a list of boxes by their lower ends, kept sorted by insertion; between similar
 * configurations almost nothing moves. A sweep along the list finds every pair of the column with overlapping intervals on x. In a single list for all of
 * space every box of a heap would pass n^⅔ others. In a column it passes only its neighbours, so the cost is O(n + exchanges), with exchanges proportional
 * to n.
 *
 * Boxes that are wide relative to the columns, including half-spaces, are compared with all others.
 */

import type { Bounds } from '../geometry/shape'
import { ColumnGrid } from './column-grid'

/** Width of a column × that of the widest box after the `FEW` widest ones. */
const COLUMN = 2
const FEW = 0.05
/** Number of wide boxes, besides twice that of the last layout, that triggers a new layout of the columns. */
const MANY_WIDE = 8
/** Largest number of columns per side for a box stored in columns. */
const MAX_COLUMNS = 4
/** Columns are numbered from −this to this; boxes farther out are in the outermost one. */
const OUTERMOST = 1 << 24
/** Doubles per box: lower and upper end on x, y, z. */
const BOX = 6

export class SortAndSweep {
  /** Exchanges of neighbours in the sorted lists since creation. */
  exchanges = 0
  /** x₀ x₁ y₀ y₁ z₀ z₁ of each box, m. */
  private readonly ends: Float64Array
  /** First and last column on y, then on z, of a box stored in columns; the first exceeds the last for boxes in none. */
  private readonly span: Int32Array
  private readonly columns = new ColumnGrid()
  /** Existing boxes that are in no column. */
  private wide: number[] = []
  private readonly placed: Uint8Array
  /** Boxes moved since the last update: a list, and a flag per box. */
  private readonly moved: Int32Array
  private movedCount = 0
  private readonly isMoved: Uint8Array
  /** m; 0 before the first update. */
  private width = 0
  private widest = 0
  /** Scratch memory of the current column, in its order. */
  private sorted: Float64Array
  private found = new Float64Array(64)
  private foundCount = 0

  constructor(readonly count: number) {
    this.ends = new Float64Array(BOX * count)
    this.span = new Int32Array(4 * count)
    this.placed = new Uint8Array(count)
    this.moved = new Int32Array(count)
    this.isMoved = new Uint8Array(count)
    this.sorted = new Float64Array(BOX * 16)
  }

  /** Moves a box; overlaps follow at the next `update`. Ends may be infinite. */
  set(box: number, { min, max }: Bounds): void {
    const { ends } = this
    const at = BOX * box
    ends[at] = min[0]
    ends[at + 1] = max[0]
    ends[at + 2] = min[1]
    ends[at + 3] = max[1]
    ends[at + 4] = min[2]
    ends[at + 5] = max[2]
    if (this.isMoved[box] === 1) return
    this.isMoved[box] = 1
    this.moved[this.movedCount++] = box
  }

  update(): void {
    if (this.movedCount === 0) return
    if (this.width === 0 || this.wide.length > 2 * this.widest + MANY_WIDE) this.layOut()
    let arrivals = 0
    for (let k = 0; k < this.movedCount; k++) {
      const box = this.moved[k]!
      this.isMoved[box] = 0
      if (this.changesColumns(box)) this.moved[arrivals++] = box
    }
    this.movedCount = 0
    for (let k = 0; k < arrivals; k++) this.enter(this.moved[k]!)
    this.foundCount = 0
    // Column by column, while its boxes are in the cache.
    for (let column = 0; column < this.columns.count; column++) {
      if (this.columns.sizes[column]! < 2) continue
      this.sort(column)
      this.sweep(column)
    }
    this.compareWide()
  }

  /** Overlapping boxes as i · count + j with i < j, in no order; touching counts. Valid until the next update. */
  get pairs(): Float64Array {
    return this.found.subarray(0, this.foundCount)
  }

  /** Lays out columns for the current boxes and inserts all boxes again. */
  private layOut(): void {
    const { ends, moved, isMoved, placed } = this
    for (let box = 0; box < this.count; box++) {
      if (placed[box] === 0 || isMoved[box] === 1) continue
      isMoved[box] = 1
      moved[this.movedCount++] = box
    }
    const widths = Array.from(moved.subarray(0, this.movedCount), box =>
      Math.max(ends[BOX * box + 3]! - ends[BOX * box + 2]!, ends[BOX * box + 5]! - ends[BOX * box + 4]!))
      .filter(width => width > 0 && width < Infinity).sort((a, b) => a - b)
    this.width = COLUMN * (widths[Math.ceil((1 - FEW) * widths.length) - 1] ?? 1)
    this.widest = widths.filter(width => width > (MAX_COLUMNS - 1) * this.width).length + (this.movedCount - widths.length)
    this.columns.clear()
    this.wide = []
    placed.fill(0)
  }

  private column(coordinate: number): number {
    return Math.min(Math.max(Math.floor(coordinate / this.width), -OUTERMOST), OUTERMOST)
  }

  /** Removes a box from columns that it has left. @returns whether it must enter others */
  private changesColumns(box: number): boolean {
    const { ends, span, placed } = this
    const at = BOX * box
    const y0 = this.column(ends[at + 2]!)
    const y1 = this.column(ends[at + 3]!)
    const z0 = this.column(ends[at + 4]!)
    const z1 = this.column(ends[at + 5]!)
    const o = 4 * box
    const isWide = !(y1 - y0 < MAX_COLUMNS && z1 - z0 < MAX_COLUMNS)
    if (placed[box] === 1) {
      if (span[o]! > span[o + 1]!) {
        if (isWide) return false
        this.wide.splice(this.wide.indexOf(box), 1)
      } else {
        if (!isWide && span[o] === y0 && span[o + 1] === y1 && span[o + 2] === z0 && span[o + 3] === z1) return false
        for (let y = span[o]!; y <= span[o + 1]!; y++) {
          for (let z = span[o + 2]!; z <= span[o + 3]!; z++) this.columns.remove(this.columns.at(y, z), box)
        }
      }
    }
    placed[box] = 1
    span[o] = isWide ? 1 : y0
    span[o + 1] = isWide ? 0 : y1
    span[o + 2] = z0
    span[o + 3] = z1
    if (isWide) this.wide.push(box)
    return !isWide
  }

  /** Inserts a box near its position in the lists, which have the order of the last update. */
  private enter(box: number): void {
    const { columns, ends, span } = this
    const start = ends[BOX * box]!
    const o = 4 * box
    for (let y = span[o]!; y <= span[o + 1]!; y++) {
      for (let z = span[o + 2]!; z <= span[o + 3]!; z++) {
        const column = columns.at(y, z)
        const list = columns.lists[column]!
        let from = 0
        let to = columns.sizes[column]!
        while (from < to) {
          const middle = (from + to) >> 1
          if (ends[BOX * list[middle]!]! <= start) from = middle + 1
          else to = middle
        }
        columns.insert(column, from, box)
      }
    }
  }

  /** By insertion. */
  private sort(column: number): void {
    const { ends } = this
    const list = this.columns.lists[column]!
    const size = this.columns.sizes[column]!
    let last = ends[BOX * list[0]!]!
    for (let k = 1; k < size; k++) {
      const box = list[k]!
      const start = ends[BOX * box]!
      if (start >= last) {
        last = start
        continue
      }
      let at = k
      while (at > 0 && ends[BOX * list[at - 1]!]! > start) {
        list[at] = list[at - 1]!
        at--
      }
      list[at] = box
      this.exchanges += k - at
    }
  }

  /** Reads the boxes in order, so that neighbours are adjacent in memory. A pair is reported in the first column that contains both. */
  private sweep(column: number): void {
    const { columns, ends, span } = this
    const size = columns.sizes[column]!
    const list = columns.lists[column]!
    if (BOX * size > this.sorted.length) this.sorted = new Float64Array(2 * BOX * size)
    const { sorted } = this
    for (let k = 0, to = 0; k < size; k++) {
      const from = BOX * list[k]!
      for (let end = 0; end < BOX; end++) sorted[to++] = ends[from + end]!
    }
    const y = columns.y[column]!
    const z = columns.z[column]!
    const stop = BOX * size
    for (let p = 0; p < stop; p += BOX) {
      const x1 = sorted[p + 1]!
      const y0 = sorted[p + 2]!
      const y1 = sorted[p + 3]!
      const z0 = sorted[p + 4]!
      const z1 = sorted[p + 5]!
      for (let q = p + BOX; q < stop && sorted[q]! <= x1; q += BOX) {
        if (sorted[q + 2]! > y1 || sorted[q + 3]! < y0 || sorted[q + 4]! > z1 || sorted[q + 5]! < z0) continue
        const i = list[p / BOX]!
        const j = list[q / BOX]!
        if (Math.max(span[4 * i]!, span[4 * j]!) === y && Math.max(span[4 * i + 2]!, span[4 * j + 2]!) === z) this.take(i, j)
      }
    }
  }

  private compareWide(): void {
    const { wide, placed, span, ends, count } = this
    for (const i of wide) {
      const p = BOX * i
      for (let j = 0; j < count; j++) {
        // Pairs of two wide boxes are reported once.
        if (placed[j] === 0 || (span[4 * j]! > span[4 * j + 1]! && j <= i)) continue
        const q = BOX * j
        if (ends[p]! > ends[q + 1]! || ends[p + 1]! < ends[q]! || ends[p + 2]! > ends[q + 3]! || ends[p + 3]! < ends[q + 2]!
          || ends[p + 4]! > ends[q + 5]! || ends[p + 5]! < ends[q + 4]!) continue
        this.take(i, j)
      }
    }
  }

  private take(i: number, j: number): void {
    if (this.foundCount === this.found.length) {
      const longer = new Float64Array(2 * this.foundCount)
      longer.set(this.found)
      this.found = longer
    }
    this.found[this.foundCount++] = i < j ? i * this.count + j : j * this.count + i
  }
}

/** Columns of space along x by their cells on y and z, each with a list of boxes: a hash table with open addressing on typed arrays. */

/** Initial capacity of a list; it doubles when full. */
const FIRST_PLACES = 8
/** Maximum load factor of the table. */
const FULL = 0.5

export class ColumnGrid {
  /** Number of columns, including empty ones; they are numbered from 0. */
  count = 0
  /** By column: its cell on y and z, its boxes and their number. */
  y = new Int32Array(16)
  z = new Int32Array(16)
  sizes = new Int32Array(16)
  readonly lists: Int32Array[] = []
  /** Columns by the hash of their position; −1 for empty entries. */
  private table = new Int32Array(32).fill(-1)

  /** The column of a cell, created if absent. */
  at(y: number, z: number): number {
    let slot = this.slotOf(y, z)
    if (this.table[slot]! >= 0) return this.table[slot]!
    if (this.count + 1 > FULL * this.table.length) {
      this.renew()
      slot = this.slotOf(y, z)
    }
    const column = this.count++
    this.y[column] = y
    this.z[column] = z
    this.sizes[column] = 0
    this.lists[column] ??= new Int32Array(FIRST_PLACES)
    this.table[slot] = column
    return column
  }

  /** Inserts a box at a position in the list of a column. */
  insert(column: number, at: number, box: number): void {
    const size = this.sizes[column]!
    let list = this.lists[column]!
    if (size === list.length) {
      const longer = new Int32Array(2 * size)
      longer.set(list)
      this.lists[column] = list = longer
    }
    list.copyWithin(at + 1, at, size)
    list[at] = box
    this.sizes[column] = size + 1
  }

  remove(column: number, box: number): void {
    const list = this.lists[column]!
    const size = this.sizes[column]!
    const at = list.indexOf(box)
    list.copyWithin(at, at + 1, size)
    this.sizes[column] = size - 1
  }

  clear(): void {
    this.count = 0
    this.table.fill(-1)
  }

  private slotOf(y: number, z: number): number {
    const { table } = this
    const mask = table.length - 1
    const hash = Math.imul(y, 0x9e3779b1) ^ Math.imul(z, 0x85ebca6b)
    let slot = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const column = table[slot]!
      if (column < 0 || (this.y[column] === y && this.z[column] === z)) return slot
      slot = (slot + 1) & mask
    }
  }

  /** Removes empty columns, and reserves space for twice the remaining ones. */
  private renew(): void {
    let kept = 0
    for (let column = 0; column < this.count; column++) {
      if (this.sizes[column] === 0) continue
      const list = this.lists[column]!
      this.lists[column] = this.lists[kept]!
      this.lists[kept] = list
      this.y[kept] = this.y[column]!
      this.z[kept] = this.z[column]!
      this.sizes[kept++] = this.sizes[column]!
    }
    this.count = kept
    let length = 32
    while (2 * (kept + 1) > FULL * length) length *= 2
    this.table = new Int32Array(length).fill(-1)
    this.y = longer(this.y, length)
    this.z = longer(this.z, length)
    this.sizes = longer(this.sizes, length)
    for (let column = 0; column < kept; column++) this.table[this.slotOf(this.y[column]!, this.z[column]!)] = column
  }
}

function longer(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(length, values.length))
  grown.set(values)
  return grown
}

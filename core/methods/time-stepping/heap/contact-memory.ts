/** The contacts of a pair that carried an impulse in the last substep. They warm-start the contacts between the same features in the next substep. */

import type { HeapContacts } from './heap-contacts'

/** Doubles of a contact: code, normal (3), impulse on A in world axes (3), the same along normal and tangents (3). */
const SIZE = 10
const NORMAL = 1
const IMPULSE = 4
const ROWS = 7

/** State that a continued run starts from. */
export interface CarriedContacts {
  /** s: length of the last substep. */
  readonly h: number
  readonly values: readonly number[]
  readonly keys: readonly (string | null)[]
}

export class ContactMemory {
  private count = 0
  private values = new Float64Array(0)
  /** Keys of features without a code. */
  private readonly keys: (string | null)[] = []
  /** s: length of the substep. */
  private h = 1

  /** Null if no contact carried an impulse. */
  get carried(): CarriedContacts | null {
    const { count, h, values, keys } = this
    return count === 0 ? null : { h, values: [...values.subarray(0, SIZE * count)], keys: keys.slice(0, count) }
  }

  set carried(carried: CarriedContacts | null) {
    this.count = carried?.keys.length ?? 0
    if (carried === null) return
    this.h = carried.h
    this.values = Float64Array.from(carried.values)
    carried.keys.forEach((key, n) => { this.keys[n] = key })
  }

  forget(): void {
    this.count = 0
  }

  /** Stores contact k of a substep of h seconds. */
  remember(contacts: HeapContacts, k: number, h: number): void {
    const { normals, impulses, rows } = contacts
    const n = this.count++
    if (SIZE * this.count > this.values.length) {
      const longer = new Float64Array(2 * SIZE * this.count)
      longer.set(this.values)
      this.values = longer
    }
    const { values } = this
    const o = SIZE * n
    values[o] = contacts.codes[k]!
    for (let j = 0; j < 3; j++) {
      values[o + NORMAL + j] = normals[3 * k + j]!
      values[o + IMPULSE + j] = impulses[3 * k + j]!
      values[o + ROWS + j] = rows[3 * k + j]!
    }
    this.keys[n] = contacts.features[k]?.key ?? null
    this.h = h
  }

  /**
   * Warm-starts contact k from the impulse of the same features, for a substep of h seconds. The impulse is the same bit for bit if the normal and h are
   * unchanged.
   */
  recall(contacts: HeapContacts, k: number, h: number): void {
    const { normals, impulses, rows, codes, features } = contacts
    const { values } = this
    for (let j = 3 * k; j < 3 * k + 3; j++) {
      impulses[j] = 0
      rows[j] = NaN
    }
    for (let n = 0; n < this.count; n++) {
      const o = SIZE * n
      if (values[o] !== codes[k] && (features[k] === null || this.keys[n] !== features[k]!.key)) continue
      const share = h / this.h
      const same = values[o + NORMAL] === normals[3 * k] && values[o + NORMAL + 1] === normals[3 * k + 1] && values[o + NORMAL + 2] === normals[3 * k + 2]
      for (let j = 0; j < 3; j++) {
        impulses[3 * k + j] = share * values[o + IMPULSE + j]!
        if (same) rows[3 * k + j] = share * values[o + ROWS + j]!
      }
      return
    }
  }
}

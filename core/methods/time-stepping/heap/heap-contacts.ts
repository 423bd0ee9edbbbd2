/** The contacts of a heap in one substep, in columns. */

import type { ContactLocation, FeaturePair } from '../../../collision/contact'
import type { PrimitivePair } from '../../../contact/contact-set'
import type { Vec3 } from '../../../math/vector'

/** A contact that pushed. */
export interface Pushed {
  readonly features: FeaturePair
  readonly normal: Vec3
  /** N s on A, world axes. */
  readonly impulse: Vec3
  /** The same along the contact's normal and tangents. */
  readonly rows: Vec3
  /** s: length of its substep. */
  readonly h: number
}

/** Whose contact it is, and who keeps what it did. */
export interface ContactOwner {
  readonly pair: PrimitivePair
  /** m: what its contacts are solved for. */
  readonly gap: number
  remember(contact: Pushed): void
}

export class HeapContacts {
  count = 0
  readonly pairs: ContactOwner[] = []
  readonly features: FeaturePair[] = []
  readonly at: ContactLocation[] = []
  /** N s on A, world axes, three doubles a contact: the guess, then the answer. */
  impulses = new Float64Array(96)
  /** The same along normal and tangents, where the substep before says it to the bit; else not a number. */
  rows = new Float64Array(96)
  /** First row in the substep's problem. */
  row = new Int32Array(32)
  /** m/s: n̂ · (v_A − v_B) before the forces of the substep. */
  approach = new Float64Array(32)
  /** m/s: the same after them, if nothing met. */
  unmet = new Float64Array(32)
  /** m: the gap that each is solved for. */
  aim = new Float64Array(32)
  /** m/s: least normal velocity after a bounce; −Infinity where nothing bounces. */
  bounce = new Float64Array(32)
  /** μ in force. */
  friction = new Float64Array(32)

  push(pair: ContactOwner, features: FeaturePair, at: ContactLocation): void {
    const k = this.count++
    if (k === this.row.length) this.grow()
    this.pairs[k] = pair
    this.features[k] = features
    this.at[k] = at
  }

  private grow(): void {
    const wider = <T extends Float64Array | Int32Array>(from: T): T => {
      const to = new (from.constructor as new (length: number) => T)(2 * from.length)
      to.set(from)
      return to
    }
    this.impulses = wider(this.impulses)
    this.rows = wider(this.rows)
    this.row = wider(this.row)
    this.approach = wider(this.approach)
    this.unmet = wider(this.unmet)
    this.aim = wider(this.aim)
    this.bounce = wider(this.bounce)
    this.friction = wider(this.friction)
  }
}

/** The contacts of a heap in one substep, in columns. */

import type { FeaturePair } from '../../../collision/contact'
import type { ContactSink } from '../../../collision/manifolds'

export class HeapContacts implements ContactSink {
  count = 0
  /** Handles of their pairs. */
  pairs = new Int32Array(32)
  /** Codes of the features within the pair. Features without a code have NaN here and are stored themselves. */
  codes = new Float64Array(32)
  readonly features: (FeaturePair | null)[] = []
  /** Points, m, and unit normals out of B, in world axes, three doubles a contact. */
  points = new Float64Array(96)
  normals = new Float64Array(96)
  /** m */
  gaps = new Float64Array(32)
  /** N s on A, world axes, three doubles a contact: the initial guess, then the solution. */
  impulses = new Float64Array(96)
  /** The same along the normal and the tangents if the last substep had identical directions; otherwise NaN. */
  rows = new Float64Array(96)
  /** First row in the substep's problem. */
  row = new Int32Array(32)
  /** m/s: n̂ · (v_A − v_B) before the forces of the substep act. */
  approach = new Float64Array(32)
  /** m/s: the same after the forces, without contact impulses. */
  unmet = new Float64Array(32)
  /** m: the target gap of each contact. */
  aim = new Float64Array(32)
  /** m/s: least normal velocity after an impact with restitution; −Infinity if there is none. */
  bounce = new Float64Array(32)
  /** μ of the contact. */
  friction = new Float64Array(32)
  /** Handle of the pair whose contacts are being added. */
  private pair = 0
  private first = 0
  private spacing = 0

  /**
   * Starts adding the contacts of a pair.
   *
   * @param spacing m²: contacts with a squared distance below this are merged
   */
  begin(pair: number, spacing: number): void {
    this.pair = pair
    this.first = this.count
    this.spacing = spacing
  }

  add(code: number, features: FeaturePair | null, x: number, y: number, z: number, nx: number, ny: number, nz: number, gap: number): void {
    const { points, spacing, count: k } = this
    for (let j = this.first; j < k; j++) {
      const dx = points[3 * j]! - x
      const dy = points[3 * j + 1]! - y
      const dz = points[3 * j + 2]! - z
      if (dx * dx + dy * dy + dz * dz <= spacing) return
    }
    if (k === this.row.length) this.grow()
    this.count++
    const { normals } = this
    this.pairs[k] = this.pair
    this.codes[k] = code
    this.features[k] = features
    this.gaps[k] = gap
    const o = 3 * k
    this.points[o] = x
    this.points[o + 1] = y
    this.points[o + 2] = z
    normals[o] = nx
    normals[o + 1] = ny
    normals[o + 2] = nz
  }

  private grow(): void {
    const wider = <T extends Float64Array | Int32Array>(from: T): T => {
      const to = new (from.constructor as new (length: number) => T)(2 * from.length)
      to.set(from)
      return to
    }
    this.pairs = wider(this.pairs)
    this.codes = wider(this.codes)
    this.points = wider(this.points)
    this.normals = wider(this.normals)
    this.gaps = wider(this.gaps)
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

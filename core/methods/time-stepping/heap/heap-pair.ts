/**
 * What a moving heap remembers of a pair of primitives from one substep to the next: how far apart they are at least, the features that face each other, and
 * the impulses of those that pushed.
 */

import type { FeaturePair } from '../../../collision/contact'
import type { PrimitivePair } from '../../../contact/contact-set'
import type { Pose } from '../../../math/pose'
import { distanceSquared, type Vec3 } from '../../../math/vector'
import { clearanceOf, type Clearance } from '../clearance'
import { Drift } from '../drift'
import { Margin } from '../margin'
import type { HeapContacts, ContactOwner, Pushed } from './heap-contacts'

/** × radius of the smaller solid: contacts nearer to each other are one. */
const SPACING = 1e-2
/** The same: how far two solids may move against each other before their features are looked for again. */
const HELD = 1e-3
/** × reach: how far features are looked for, so that a faster substep finds them too. */
const AHEAD = 1.5
const NONE: readonly FeaturePair[] = []

export class HeapPair implements ContactOwner {
  readonly margin: Margin
  readonly clearance: Clearance
  /** Its contacts that pushed in the last substep. */
  private readonly pushed: Pushed[] = []
  private readonly found: FeaturePair[] = []
  private readonly spacing: number
  private readonly held: number
  /** m: of B's solid; a half-space has none, and is looked at every time. */
  private readonly radius: number
  private readonly drift = new Drift()
  /** m: how far features were looked for. */
  private looked = -Infinity
  private readonly points: Vec3[] = []

  /**
   * @param gap m: what its contacts are solved for
   * @param tolerance m: lateral, within which features count as the same place
   */
  constructor(readonly pair: PrimitivePair, readonly gap: number, private readonly tolerance: number) {
    const { a, b } = pair
    const smaller = Math.min(a.primitive.radius, b.primitive.radius)
    this.margin = new Margin(pair)
    this.clearance = clearanceOf(pair)
    this.spacing = SPACING * smaller
    this.held = HELD * smaller
    this.radius = b.primitive.radius
  }

  /** Appends the pair's contacts that are no farther apart than `reach`, m. */
  contacts(a: Pose, b: Pose, reach: number, h: number, out: HeapContacts): void {
    const { points, spacing } = this
    points.length = 0
    const begin = out.count
    for (const features of this.features(a, b, reach)) {
      if (features.gap !== undefined && features.gap(a, b) > reach) continue
      const at = features.locate(a, b)
      if (at.gap > reach || near(at.point, points, spacing)) continue
      points.push(at.point)
      out.push(this, features, at)
    }
    for (let k = begin; k < out.count; k++) this.recall(out, k, h)
  }

  /** Begins a contact as the same features ended, for h seconds: to the bit where nothing has changed since. */
  private recall({ features, at, impulses, rows }: HeapContacts, k: number, h: number): void {
    impulses.fill(0, 3 * k, 3 * k + 3)
    rows.fill(NaN, 3 * k, 3 * k + 3)
    const found = features[k]!
    const { normal } = at[k]!
    for (const known of this.pushed) {
      if (known.features !== found && known.features.key !== found.key) continue
      const same = known.h === h && known.normal[0] === normal[0] && known.normal[1] === normal[1] && known.normal[2] === normal[2]
      for (let i = 0; i < 3; i++) {
        impulses[3 * k + i] = h / known.h * known.impulse[i]!
        if (same) rows[3 * k + i] = known.rows[i]!
      }
      return
    }
  }

  forget(): void {
    this.pushed.length = 0
  }

  /** Keeps what a contact did in the substep. */
  remember(contact: Pushed): void {
    this.pushed.push(contact)
  }

  private features(a: Pose, b: Pose, reach: number): readonly FeaturePair[] {
    const { found, drift, held, radius, tolerance, pair: { collider } } = this
    if (collider.nearFeatures === undefined) {
      if (collider.separation(a, b) > reach) return NONE
      const touching = collider.region(a, b, tolerance)
      return [...touching, ...collider.candidates(a, b, touching)]
    }
    if (reach <= this.looked && radius < Infinity && drift.since(a, b, radius) <= held) return found
    drift.mark(a, b)
    this.looked = AHEAD * reach + 2 * held
    found.length = 0
    collider.nearFeatures(a, b, this.looked, found)
    return found
  }
}

function near(point: Vec3, others: readonly Vec3[], spacing: number): boolean {
  for (let k = 0; k < others.length; k++) if (distanceSquared(others[k]!, point) <= spacing * spacing) return true
  return false
}

/**
 * Pairs of primitives of heaps in columns, under stable handles: a lower bound on the distance of each pair, its manifold, and the impulses of its
 * contacts in the last substep.
 *
 * Since a pair was measured `gap` apart, its distance has shrunk by at most the relative displacement of the body origins plus the displacement due
 * to the rotation of each body. This bound alone rules out most pairs of a heap in each substep.
 */

import { manifoldOf, type Manifold, type Placements } from '../../../collision/manifolds'
import type { PrimitivePair } from '../../../contact/contact-set'
import type { WorldPrimitive } from '../../../contact/world'
import { length } from '../../../math/vector'
import type { StepContext } from '../context'
import { pileGap } from '../pile-gap'
import { ContactMemory, type CarriedContacts } from './contact-memory'
import { LATERAL_TOLERANCE } from '../tolerances'

/** × radius of the smaller solid: contacts closer than this are merged. */
const SPACING = 1e-2
/** Doubles of a bound: gap, B's origin relative to A's (3), rotation angles of both bodies. */
const BOUND = 6

export class HeapPairs {
  count = 0
  readonly pairs: PrimitivePair[] = []
  /** Created when a pair first comes within reach, which most pairs never do. */
  private readonly manifolds: (Manifold | null)[] = []
  private readonly memories: (ContactMemory | null)[] = []
  bodyA = new Int32Array(64)
  bodyB = new Int32Array(64)
  /** m: distance of each solid's farthest point from its body's origin. */
  private extentA = new Float64Array(64)
  private extentB = new Float64Array(64)
  private bounds = new Float64Array(64 * BOUND)
  /** m: the target gap of the pair's contacts. */
  gap = new Float64Array(64)
  /** m²: contacts with a squared distance below this are merged. */
  spacing = new Float64Array(64)
  /** Contacts of a continued run whose pairs have no handle yet, by key. */
  private readonly awaited = new Map<string, CarriedContacts>()

  constructor(private readonly context: StepContext) {}

  /** Contacts that carried an impulse in the last substep, by the key of their pair. */
  get carried(): readonly (readonly [pair: string, contacts: CarriedContacts])[] {
    const found: [string, CarriedContacts][] = []
    this.memories.forEach((memory, k) => {
      const carried = memory?.carried ?? null
      if (carried !== null) found.push([this.pairs[k]!.key, carried])
    })
    return found
  }

  set carried(carried: readonly (readonly [pair: string, contacts: CarriedContacts])[]) {
    for (const [pair, contacts] of carried) this.awaited.set(pair, contacts)
  }

  handleOf(pair: PrimitivePair): number {
    const { memory } = pair
    if (memory.heaps === this) return memory.handle!
    memory.heaps = this
    return memory.handle = this.add(pair)
  }

  private add(pair: PrimitivePair): number {
    const { context, pairs } = this
    const { bodyA, bodyB, a, b } = pair
    const k = this.count++
    if (k === this.bodyA.length) this.grow()
    pairs.push(pair)
    this.manifolds.push(null)
    this.memories.push(null)
    this.bodyA[k] = bodyA
    this.bodyB[k] = bodyB
    this.extentA[k] = extentOf(a)
    this.extentB[k] = extentOf(b)
    this.bounds[BOUND * k] = -Infinity
    this.gap[k] = pileGap(context, [bodyA, bodyB])
    const spacing = SPACING * Math.min(a.primitive.radius, b.primitive.radius)
    this.spacing[k] = spacing * spacing
    return k
  }

  manifold(k: number): Manifold {
    const { a, b, collider, bodyA, bodyB } = this.pairs[k]!
    return this.manifolds[k] ??= manifoldOf(a, b, collider, LATERAL_TOLERANCE * this.context.scales.size(bodyA, bodyB))
  }

  /** Contacts of the pair that carried an impulse in the last substep. */
  memory(k: number): ContactMemory {
    return this.memories[k] ??= this.recalled(k)
  }

  /** Drops the stored contacts of the pair. */
  forget(k: number): void {
    this.memories[k]?.forget()
  }

  private recalled(k: number): ContactMemory {
    const { awaited, pairs } = this
    const memory = new ContactMemory()
    memory.carried = awaited.get(pairs[k]!.key) ?? null
    awaited.delete(pairs[k]!.key)
    return memory
  }

  /** m: a lower bound on the distance between the two solids of a pair. */
  least(k: number, { position: p }: Placements, turned: Float64Array): number {
    const { bounds } = this
    const a = this.bodyA[k]!
    const b = this.bodyB[k]!
    const o = BOUND * k
    const x = p[3 * b]! - p[3 * a]! - bounds[o + 1]!
    const y = p[3 * b + 1]! - p[3 * a + 1]! - bounds[o + 2]!
    const z = p[3 * b + 2]! - p[3 * a + 2]! - bounds[o + 3]!
    const turning = way(turned[a]! - bounds[o + 4]!, this.extentA[k]!) + way(turned[b]! - bounds[o + 5]!, this.extentB[k]!)
    return bounds[o]! - Math.sqrt(x * x + y * y + z * z) - turning
  }

  /** Stores that the two solids of a pair are at least `gap` apart, m. */
  bound(k: number, gap: number, { position: p }: Placements, turned: Float64Array): void {
    const { bounds } = this
    const a = this.bodyA[k]!
    const b = this.bodyB[k]!
    const o = BOUND * k
    bounds[o] = gap
    for (let j = 0; j < 3; j++) bounds[o + 1 + j] = p[3 * b + j]! - p[3 * a + j]!
    bounds[o + 4] = turned[a]!
    bounds[o + 5] = turned[b]!
  }

  /** m: distance between the bounding spheres of the solids about their body origins. */
  between(k: number, { position: p }: Placements): number {
    const a = this.bodyA[k]!
    const b = this.bodyB[k]!
    const x = p[3 * b]! - p[3 * a]!
    const y = p[3 * b + 1]! - p[3 * a + 1]!
    const z = p[3 * b + 2]! - p[3 * a + 2]!
    return Math.sqrt(x * x + y * y + z * z) - this.extentA[k]! - this.extentB[k]!
  }

  private grow(): void {
    const wider = <T extends Float64Array | Int32Array>(from: T): T => {
      const to = new (from.constructor as new (length: number) => T)(2 * from.length)
      to.set(from)
      return to
    }
    this.bodyA = wider(this.bodyA)
    this.bodyB = wider(this.bodyB)
    this.extentA = wider(this.extentA)
    this.extentB = wider(this.extentB)
    this.bounds = wider(this.bounds)
    this.gap = wider(this.gap)
    this.spacing = wider(this.spacing)
  }
}

function extentOf({ primitive: { radius }, pose }: WorldPrimitive): number {
  return length(pose.position) + radius
}

/** m: displacement of the farthest point of a solid whose body rotates. An unbounded solid may have extent Infinity as long as it does not rotate. */
function way(turn: number, extent: number): number {
  return turn === 0 ? 0 : turn * extent
}

/**
 * Contact pairs over time: pairs of primitives with their witnesses, and touching points with their data.
 *
 * Conventions: B is the non-dynamic body of a pair if there is one, otherwise the later in document order; pairs of non-dynamic bodies never touch.
 */

import { BroadPhase } from '../collision/broad-phase'
import type { FeaturePair, Landing, PairCollider, Rim } from '../collision/contact'
import type { Pose } from '../math/pose'
import { touchingPoint, type TouchingPoint } from './constraints'
import { contactRegion } from './contact-region'
import { isHidden } from './placed-joins'
import type { Snapshot } from './snapshot'
import type { ContactMaterial, World, WorldPrimitive } from './world'

export interface PrimitivePair {
  readonly bodyA: number
  readonly bodyB: number
  readonly a: WorldPrimitive
  readonly b: WorldPrimitive
  /** Indices in the document's `shapes`. */
  readonly shapeA: number
  readonly shapeB: number
  readonly key: string
  readonly collider: PairCollider
  readonly material: ContactMaterial
  /** Data that the method stores for this pair during the whole run, in fields for fast access. */
  readonly memory: {
    kept?: unknown
    /** The pair's handle among the heaps of one run. */
    heaps?: unknown
    handle?: number
  }
}

/** Motion of a body during a step: its poses at the ends and a bound on the path length of any of its points, m. */
export interface Sweep {
  readonly from: Pose
  readonly to: Pose
  readonly path: number
}

export interface TouchingRim {
  readonly pair: PrimitivePair
  readonly side: Rim
  readonly points: readonly TouchingPoint[]
}

/** Pairs with overlapping boxes, in document order: by the numbers of the bodies, then of the primitives. */
class EnclosedPairs {
  count = 0
  readonly pairs: (PrimitivePair | null)[] = []
  private bodies = new Float64Array(64)
  private numbers = new Float64Array(64)

  clear(): void {
    this.count = 0
  }

  push(bodies: number, number: number, pair: PrimitivePair | null): void {
    const k = this.count++
    if (k === this.bodies.length) {
      this.bodies = doubled(this.bodies)
      this.numbers = doubled(this.numbers)
    }
    this.bodies[k] = bodies
    this.numbers[k] = number
    this.pairs[k] = pair
  }

  isBefore(k: number, bodies: number, number: number): boolean {
    return this.bodies[k]! < bodies || (this.bodies[k] === bodies && this.numbers[k]! < number)
  }

  is(k: number, bodies: number, number: number): boolean {
    return k < this.count && this.bodies[k] === bodies && this.numbers[k] === number
  }
}

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(2 * values.length)
  longer.set(values)
  return longer
}

export class ContactSet {
  private readonly broadPhase: BroadPhase
  private readonly pairs: Map<string, PrimitivePair>
  /** The same pairs by the global numbers of both primitives. */
  private readonly numbered: Map<number, PrimitivePair | null>
  /** By body: number of its first primitive; the last entry is their total. */
  private readonly firstPrimitive: readonly number[]
  private readonly primitiveCount: number
  /** Pairs of the last query, and a list for the next one. */
  private last = new EnclosedPairs()
  private next = new EnclosedPairs()
  private everMeets: boolean | null = null

  /** @param known contact set whose pairs and their data are shared; the boxes of bodies are separate */
  constructor(private readonly world: World, known?: ContactSet) {
    this.pairs = known?.pairs ?? new Map<string, PrimitivePair>()
    this.numbered = known?.numbered ?? new Map<number, PrimitivePair | null>()
    let count = 0
    this.firstPrimitive = [...world.primitives, []].map(primitives => (count += primitives.length) - primitives.length)
    this.primitiveCount = count
    this.broadPhase = new BroadPhase(world.primitives, (a, b) =>
      (world.bodies[a]!.type === 'dynamic' || world.bodies[b]!.type === 'dynamic') && world.mayCollide(a, b))
  }

  /** Whether any two bodies may touch at any time of the run. */
  get mayEverTouch(): boolean {
    const { world: { bodies, mayEverCollide, primitives } } = this
    return this.everMeets ??= bodies.some((first, a) => primitives[a]!.length > 0 && bodies.some((second, b) =>
      b > a && primitives[b]!.length > 0 && (first.type === 'dynamic' || second.type === 'dynamic') && mayEverCollide(a, b)))
  }

  /** Pairs whose boxes come within `margin` metres at this instant, in document order. */
  nearAt(snapshot: Snapshot, margin: number): PrimitivePair[] {
    return this.near(snapshot, body => ({ from: snapshot.motions[body]!.pose, to: snapshot.motions[body]!.pose, path: margin }))
  }

  /** Visits the same pairs without storing them, until `seen` returns false. */
  visitAt(snapshot: Snapshot, margin: number, seen: (pair: PrimitivePair) => boolean): void {
    for (let body = 0; body < this.world.bodies.length; body++) this.enclose(snapshot, body, margin / 2)
    this.broadPhase.visit((bodyA, primitiveA, bodyB, primitiveB) => {
      const pair = this.newPair(bodyA, primitiveA, bodyB, primitiveB)
      return pair === null || seen(pair)
    })
  }

  /** Gives a body a box that contains it for motions of up to `way` metres, until the next call. */
  enclose(snapshot: Snapshot, body: number, way: number): void {
    if (!snapshot.exists[body]) {
      this.broadPhase.remove(body)
      return
    }
    const { pose } = snapshot.motions[body]!
    this.broadPhase.place(body, pose, pose, 2 * way)
  }

  /** Pairs of overlapping boxes by their latest boxes, in document order. */
  enclosed(): PrimitivePair[] {
    const { last, next } = this
    const found: PrimitivePair[] = []
    let at = 0
    next.clear()
    // Both lists are in document order, and most pairs are unchanged.
    this.broadPhase.visit((bodyA, primitiveA, bodyB, primitiveB) => {
      const bodies = bodyA * this.world.bodies.length + bodyB
      const number = this.numberOf(bodyA, primitiveA, bodyB, primitiveB)
      while (at < last.count && last.isBefore(at, bodies, number)) at++
      const pair = last.is(at, bodies, number) ? last.pairs[at]! : this.pair(bodyA, primitiveA, bodyB, primitiveB, number)
      next.push(bodies, number, pair)
      if (pair !== null) found.push(pair)
      return true
    })
    this.last = next
    this.next = last
    return found
  }

  /** Pairs whose boxes may meet during a step. */
  near(snapshot: Snapshot, sweep: (body: number) => Sweep): PrimitivePair[] {
    if (!this.mayEverTouch) return []
    for (let body = 0; body < this.world.bodies.length; body++) {
      if (!snapshot.exists[body]) {
        this.broadPhase.remove(body)
        continue
      }
      const { from, to, path } = sweep(body)
      this.broadPhase.place(body, from, to, path)
    }
    return this.enclosed()
  }

  /**
   * All points that touch at this instant; known ones keep their state.
   *
   * @param tolerance m: largest gap
   * @param approach m/s: slower approaches do not count
   */
  touching(snapshot: Snapshot, tolerance: number, approach: number, known: readonly TouchingPoint[]): TouchingPoint[] {
    const before = new Map(known.map(point => [point.key, point]))
    const points: TouchingPoint[] = []
    for (const pair of this.nearAt(snapshot, 2 * tolerance)) {
      const a = snapshot.motions[pair.bodyA]!.pose
      const b = snapshot.motions[pair.bodyB]!.pose
      for (const features of contactRegion(pair, snapshot.motions[pair.bodyA]!, snapshot.motions[pair.bodyB]!, tolerance, approach).features) {
        const same = before.get(`${pair.key}/${features.key}`)
        // Features with a persistent position (a crossing of nearly parallel edges) are searched again after leaving it.
        points.push(same === undefined ? this.pointOf(snapshot, pair, features) : same.features.margin(a, b) < 0 ? { ...same, features } : same)
      }
    }
    return points
  }

  /** Rims that lie flat, for pairs that touch already, with the points of those pairs. */
  rims(snapshot: Snapshot, tolerance: number, touching: readonly TouchingPoint[]): TouchingRim[] {
    return [...this.pairsOf(touching)].flatMap(([pair, points]) => {
      const { bodyA, bodyB, collider } = pair
      const sides = collider.rims?.(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose, tolerance) ?? []
      return sides.map(side => ({ pair, side, points }))
    })
  }

  /** A new touching point of a pair. */
  pointOf(snapshot: Snapshot, pair: PrimitivePair, features: FeaturePair): TouchingPoint {
    const { gap } = features.locate(snapshot.motions[pair.bodyA]!.pose, snapshot.motions[pair.bodyB]!.pose)
    return touchingPoint({ ...pair, features, key: `${pair.key}/${features.key}` }, gap)
  }

  /** Feature pairs that could be the next to touch between pairs that touch already. */
  candidates(snapshot: Snapshot, points: readonly TouchingPoint[]): { bodyA: number; bodyB: number; features: FeaturePair }[] {
    const found: { bodyA: number; bodyB: number; features: FeaturePair }[] = []
    for (const [pair, held] of this.pairsOf(points)) {
      const { bodyA, bodyB } = pair
      const features = held.map(point => point.features)
      const [a, b] = [snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose]
      for (const candidate of pair.collider.candidates(a, b, features)) {
        if (!isHidden(pair, candidate, a, b)) found.push({ bodyA, bodyB, features: candidate })
      }
    }
    return found
  }

  /** Tilted discs that may become flat, for pairs that touch already. */
  landings(snapshot: Snapshot, points: readonly TouchingPoint[]): { bodyA: number; bodyB: number; landing: Landing }[] {
    return [...this.pairsOf(points)].flatMap(([{ bodyA, bodyB, collider }, held]) => {
      const found = collider.landings?.(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose, held.map(point => point.features)) ?? []
      return found.map(landing => ({ bodyA, bodyB, landing }))
    })
  }

  private pairsOf(points: readonly TouchingPoint[]): Map<PrimitivePair, TouchingPoint[]> {
    const held = new Map<PrimitivePair, TouchingPoint[]>()
    for (const point of points) {
      const pair = this.pairs.get(point.key.slice(0, point.key.length - point.features.key.length - 1))
      if (!pair) continue
      const list = held.get(pair)
      if (list) list.push(point)
      else held.set(pair, [point])
    }
    return held
  }

  /** Number of a pair of primitives, from the numbers of both. */
  private numberOf(first: number, primitiveFirst: number, second: number, primitiveSecond: number): number {
    const { firstPrimitive, primitiveCount } = this
    return (firstPrimitive[first]! + primitiveFirst) * primitiveCount + firstPrimitive[second]! + primitiveSecond
  }

  private pair(first: number, primitiveFirst: number, second: number, primitiveSecond: number, number: number): PrimitivePair | null {
    let pair = this.numbered.get(number)
    if (pair === undefined) {
      pair = this.newPair(first, primitiveFirst, second, primitiveSecond)
      this.numbered.set(number, pair)
      if (pair !== null) this.pairs.set(pair.key, pair)
    }
    return pair
  }

  private newPair(first: number, primitiveFirst: number, second: number, primitiveSecond: number): PrimitivePair | null {
    const swap = this.world.bodies[first]!.type !== 'dynamic'
    const bodyA = swap ? second : first
    const bodyB = swap ? first : second
    const a = this.world.primitives[bodyA]![swap ? primitiveSecond : primitiveFirst]!
    const b = this.world.primitives[bodyB]![swap ? primitiveFirst : primitiveSecond]!
    const key = `${bodyA}.${swap ? primitiveSecond : primitiveFirst}/${bodyB}.${swap ? primitiveFirst : primitiveSecond}`
    const collider = this.world.collider(a, b)
    return collider === null ? null : {
      bodyA, bodyB, a, b, shapeA: a.shape, shapeB: b.shape, key, collider, material: this.world.contactMaterial(a.material, b.material),
      memory: {},
    }
  }
}

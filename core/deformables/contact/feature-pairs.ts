/**
 * Pairs of features that may come near each other while every point stays within its bounding box. The pairs are searched again when a point leaves
 * its box. The feasible length of straight motions is found by conservative advancement: each advance is the remaining distance ÷ the largest
 * possible approach speed of the features, so that no contact is missed [Li et al. 2021, additive continuous collision detection].
 */

import { approachOfAny, approachOfPair } from './approach'
import { BoxTree } from '../../math/box-tree'
import { ROUND_SHARE, type Features } from './features'
import { MovingBalls } from './moving-balls'
import { Nearest } from './nearest'

/** Kind of a pair: a point and a triangle, or two edges. */
export const POINT_TRIANGLE = 0
export const EDGES = 1

/** Share of their contact distance that features keep during every Newton step, converged or not. */
const CORE = 0.25
/** Features already nearer than that may approach by this factor in each Newton step. */
const NEARER = 1 - 1e-3
/**
 * Neighbouring features of one deformable may start nearer than their contact distance, as in a fine mesh; their contact distance is then this share
 * of the initial one.
 */
const NEIGHBOURS = 0.5
/** × the contact distance: features that start nearer coincide up to rounding. */
const COINCIDENT = 1e-9
/** Most advances along one motion, and the share of it below which an advance is the last. */
const ADVANCES = 60
const LAST = 1e-6

export class FeaturePairs {
  count = 0
  private capacity = 256
  kinds = new Uint8Array(this.capacity)
  first = new Int32Array(this.capacity)
  second = new Int32Array(this.capacity)
  /** Points: one or two of the pair's first feature, then those of the second; −1 for unused. */
  points = new Int32Array(4 * this.capacity)
  /** m: contact distance of the pair, without the radii of solids; until `settle` an upper bound of it. */
  offsets = new Float64Array(this.capacity)
  /** By pair: 1 if its contact distance has been looked up. */
  private settled = new Uint8Array(this.capacity)
  readonly nearest = new Nearest()
  private readonly low: Float64Array
  private readonly high: Float64Array
  private readonly pointTree: BoxTree
  private readonly triangleTree: BoxTree
  private readonly edgeTree: BoxTree
  private readonly between: Float64Array
  private readonly triangleBalls: MovingBalls
  private readonly edgeBalls: MovingBalls
  private readonly nearAtFirst = new Map<number, number>()
  private P0: Float64Array
  private P1: Float64Array
  /**
   * m: largest decrease of distance of any two points since the first motion, the positions at that time, and the decrease up to which a pair is
   * known not to touch. Most pairs are measured once and then skipped for many motions.
   */
  private travelled = 0
  private readonly last: Float64Array
  private clear = new Float64Array(this.capacity)

  /** @param P initial positions of points, 3 each: pairs that start nearer than their contact distance get a smaller one for the whole run */
  constructor(readonly features: Features, P: Float64Array) {
    const { points, triangles, edges } = features
    this.low = new Float64Array(3 * points)
    this.high = new Float64Array(3 * points)
    this.between = new Float64Array(3 * points)
    this.P0 = this.P1 = P
    this.last = P.slice()
    this.pointTree = new BoxTree(points, P)
    this.triangleTree = new BoxTree(triangles.length / 3, middles(triangles, 3, P))
    this.edgeTree = new BoxTree(edges.length / 2, middles(edges, 2, P))
    this.triangleBalls = new MovingBalls(triangles, 3)
    this.edgeBalls = new MovingBalls(edges, 2)
    this.begin(P, P, 0)
    for (let i = 0; i < this.count; i++) {
      const distance = this.measure(i, P)
      if (distance >= this.offsets[i]!) continue
      const [a, b] = [this.points[4 * i]!, this.points[4 * i + 2]!]
      const own = a < features.particles && b < features.particles && features.owners[a] === features.owners[b]
      this.nearAtFirst.set(this.key(i), distance <= COINCIDENT * this.offsets[i]! ? 0 : own ? NEIGHBOURS * distance : distance)
    }
    this.count = 0
  }

  /** Key of a pair, unique among both kinds. */
  key(i: number): number {
    const { features: { triangles, edges }, kinds, first, second } = this
    return kinds[i] === POINT_TRIANGLE ? first[i]! * triangles.length + second[i]! : -1 - first[i]! * edges.length - second[i]!
  }

  /** Builds boxes around the motions from P0 to P1, enlarged by a margin. */
  begin(P0: Float64Array, P1: Float64Array, margin: number): void {
    for (let k = 0; k < P0.length; k++) {
      this.low[k] = Math.min(P0[k]!, P1[k]!) - margin
      this.high[k] = Math.max(P0[k]!, P1[k]!) + margin
    }
    this.search()
  }

  /** Ensures that the motions from P0 to P1 lie within the boxes. */
  private cover(P0: Float64Array, P1: Float64Array, margin: number): void {
    let left = false
    for (let k = 0; k < P0.length; k++) {
      const least = Math.min(P0[k]!, P1[k]!)
      const most = Math.max(P0[k]!, P1[k]!)
      if (least >= this.low[k]! && most <= this.high[k]!) continue
      this.low[k] = Math.min(this.low[k]!, least - margin)
      this.high[k] = Math.max(this.high[k]!, most + margin)
      left = true
    }
    if (left) this.search()
  }

  private search(): void {
    const { features, pointTree, triangleTree, edgeTree } = this
    const { triangles, edges, particles, own, points } = features
    for (let p = 0; p < points; p++) this.fit(pointTree.boxes, p, 1, p, p, p)
    for (let t = 0; t < triangleTree.count; t++) this.fit(triangleTree.boxes, t, 3, triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!)
    for (let e = 0; e < edgeTree.count; e++) this.fit(edgeTree.boxes, e, 2, edges[2 * e]!, edges[2 * e + 1]!, edges[2 * e]!)
    pointTree.refit()
    triangleTree.refit()
    edgeTree.refit()
    this.count = 0
    pointTree.pairs(triangleTree, (p, t) => {
      const [a, b, c] = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!]
      if (p === a || p === b || p === c || this.apart(p, a, b, c)) return
      this.add(POINT_TRIANGLE, p, t, p, a, b, c)
    })
    edgeTree.ownPairs((e, f) => {
      if (e >= own) return
      const [a, b, c, d] = [edges[2 * e]!, edges[2 * e + 1]!, edges[2 * f]!, edges[2 * f + 1]!]
      if (a === c || a === d || b === c || b === d || (c >= particles && this.apart(c, a, b, b))) return
      this.add(EDGES, e, f, a, b, c, d)
    })
  }

  /** Whether a point and one of the others cannot touch: it is not a surface point, or it is a point of a carrier that one of them is fixed to. */
  private apart(p: number, a: number, b: number, c: number): boolean {
    const { particles, carriers, skins, fixedTo } = this.features
    if (p < particles) return skins[p] === 0 || skins[a] === 0
    const carrier = carriers[p]!
    return fixedTo(a, carrier) || fixedTo(b, carrier) || fixedTo(c, carrier)
  }

  /** The box of an element: the union of its points' boxes, enlarged by its contact distance. */
  private fit(boxes: Float64Array, element: number, arity: number, a: number, b: number, c: number): void {
    const { low, high, features: { skins, solid } } = this
    const around = skins[a]! + solid[a]!
    for (let k = 0; k < 3; k++) {
      let least = low[3 * a + k]!
      let most = high[3 * a + k]!
      if (arity > 1) {
        least = Math.min(least, low[3 * b + k]!, low[3 * c + k]!)
        most = Math.max(most, high[3 * b + k]!, high[3 * c + k]!)
      }
      boxes[6 * element + k] = least - around
      boxes[6 * element + 3 + k] = most + around
    }
  }

  private add(kind: number, first: number, second: number, a: number, b: number, c: number, d: number): void {
    if (this.count === this.capacity) this.grow()
    const i = this.count++
    this.kinds[i] = kind
    this.first[i] = first
    this.second[i] = second
    this.points[4 * i] = a
    this.points[4 * i + 1] = b
    this.points[4 * i + 2] = c
    this.points[4 * i + 3] = d
    const { skins, solid } = this.features
    this.offsets[i] = (solid[a]! + solid[c]! > 0 ? ROUND_SHARE : 1) * (skins[a]! + skins[c]!)
    this.settled[i] = 0
    this.clear[i] = -Infinity
  }

  /** Looks up the contact distance of a pair that is not far. @returns whether it may touch: features that coincide at first do not */
  private settle(i: number): boolean {
    this.settled[i] = 1
    this.offsets[i] = this.nearAtFirst.get(this.key(i)) ?? this.offsets[i]!
    if (this.offsets[i] === 0) this.clear[i] = Infinity
    return this.offsets[i] !== 0
  }

  private grow(): void {
    const larger = <T extends Int32Array | Uint8Array | Float64Array>(old: T): T => {
      const copy = new (old.constructor as new (n: number) => T)(2 * old.length)
      copy.set(old)
      return copy
    }
    this.capacity *= 2
    this.kinds = larger(this.kinds)
    this.first = larger(this.first)
    this.second = larger(this.second)
    this.points = larger(this.points)
    this.offsets = larger(this.offsets)
    this.settled = larger(this.settled)
    this.clear = larger(this.clear)
  }

  /** Measures pair i, points at P, and writes the nearest points. @returns the distance less the radii of solids, m */
  measure(i: number, P: Float64Array): number {
    const { points, nearest, features: { solid } } = this
    const k = 4 * i
    const [a, b, c, d] = [points[k]!, points[k + 1]!, points[k + 2]!, points[k + 3]!]
    if (this.kinds[i] === POINT_TRIANGLE) nearest.pointTriangle(P, a, b, c, d)
    else nearest.segments(P, a, b, c, d)
    return nearest.distance - solid[a]! - solid[c]!
  }

  /**
   * Feasible share of the motion from P0 to P1, common to all points.
   *
   * @param met called with the number of each pair that comes nearer than its contact distance, and whether it is at its least distance. Null: solids
   * do not count
   */
  limit(P0: Float64Array, P1: Float64Array, margin: number, met: ((pair: number, blocks: boolean) => void) | null): number {
    this.cover(P0, P1, margin)
    this.P0 = P0
    this.P1 = P1
    this.travelled += approachOfAny(this.last, P0)
    this.last.set(P0)
    const most = approachOfAny(P0, P1)
    if (most === 0) return 1
    let share = 1
    let balls = false
    for (let i = 0; i < this.count; i++) {
      if (this.clear[i]! - this.travelled > most) continue
      if (met === null && (this.points[4 * i]! >= this.features.particles || this.points[4 * i + 2]! >= this.features.particles)) continue
      if (!balls) {
        this.triangleBalls.enclose(P0, P1)
        this.edgeBalls.enclose(P0, P1)
        balls = true
      }
      if (this.isFar(i) || (this.settled[i] === 0 && !this.settle(i))) continue
      const way = approachOfPair(this.points, 4 * i, this.kinds[i] === POINT_TRIANGLE ? 1 : 2, P0, P1)
      if (way === 0) continue
      const first = this.measure(i, P0)
      const offset = this.offsets[i]!
      this.clear[i] = this.travelled + first - offset
      if (first - way > offset) continue
      const core = first > CORE * offset ? CORE * offset : NEARER * first
      // A point already inside a solid is pushed out, whatever the motion.
      const own = first <= 0 || first - way > core ? 1 : this.advance(i, first, way, core)
      met?.(i, own < 1)
      if (own < share) share = own
    }
    return share
  }

  /** Whether pair i stays farther than its contact distance by the balls around its features; most pairs of a fast rope or sheet do. */
  private isFar(i: number): boolean {
    const { features: { solid }, kinds, first, second, points, offsets, edgeBalls, triangleBalls, P0, P1 } = this
    const offset = offsets[i]! + solid[points[4 * i]!]! + solid[points[4 * i + 2]!]!
    const gap = kinds[i] === EDGES ? edgeBalls.gap(first[i]!, second[i]!) : triangleBalls.gapToPoint(second[i]!, P0, P1, first[i]!)
    if (!(gap > offset)) return false
    const clear = this.travelled + gap - offset
    if (clear > this.clear[i]!) this.clear[i] = clear
    return true
  }

  private advance(i: number, first: number, way: number, core: number): number {
    const { points, between, P0, P1 } = this
    let gone = 0
    let left = first
    for (let round = 0; round < ADVANCES; round++) {
      const further = (left - core) / way
      if (further < LAST && round > 0) break
      gone += further
      if (gone >= 1) return 1
      for (let q = 4 * i; q < 4 * i + 4; q++) {
        for (let at = 3 * points[q]!; at < 3 * points[q]! + 3; at++) between[at] = P0[at]! + gone * (P1[at]! - P0[at]!)
      }
      left = this.measure(i, between)
    }
    return Math.max(gone, 0)
  }
}

function middles(elements: Int32Array, arity: number, P: Float64Array): Float64Array {
  const out = new Float64Array(3 * elements.length / arity)
  for (let k = 0; k < elements.length; k++) {
    for (let c = 0; c < 3; c++) out[3 * Math.floor(k / arity) + c]! += P[3 * elements[k]! + c]! / arity
  }
  return out
}

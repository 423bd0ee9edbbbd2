/** Pairs of edges or triangles of deformables and near curved shapes, with their distances, in the frames of the shapes' carriers. */

import { toInner, type Pose } from '../../math/pose'
import { inward } from './carriers'
import { ElementSearch, type CurvedSolid } from './element-search'
import type { Features } from './features'
import { boxOf, distanceToBox } from './shape-box'
import type { Solid } from './surface-contacts'

/** × contact distance: pairs closer than this at the start of the run do not touch. */
const COINCIDENT = 1e-9
/**
 * Contact distance of an element, × its radius, or × its initial distance if that is less. In a fine mesh vertices touch first and carry everything. With
 * 1, segments of a rope around a drum would press besides their ends, and the position of the contact along a segment would be almost undetermined.
 */
const CONTACT_SHARE = 0.5

/** An element near a shape. */
export interface Pair {
  readonly element: number
  readonly solid: number
  readonly search: ElementSearch
  /** Corners in the carrier's frame at the last distance query, m, 9, and that distance; NaN before the first. */
  readonly corners: Float64Array
  distance: number
  readonly spots: Spot[]
}

/** A point of an element with a link. */
export interface Spot {
  readonly link: number
  readonly pair: Pair
  /** Its position in the carrier's frame at the last renewal of multipliers, m: friction acts there. */
  readonly place: Float64Array
  /** Its position at the last distance query, and that distance, m. */
  readonly at: Float64Array
  distance: number
}

/** The elements whose contact distance to a solid is not 0, by their first corners. */
interface Able {
  /** First element of each particle, and their number. */
  readonly starts: Int32Array
  readonly elements: Int32Array
}

/** Elements are numbered edges first. */
export class ElementPairs {
  /** Pairs that have come near in the current step, by solid and element. */
  readonly pairs = new Map<number, Pair>()
  private readonly count: number
  /** Corners of the elements. */
  readonly particles: Int32Array
  /** m: largest contact distance. */
  readonly widest: number
  /** m: contact distances of pairs that started closer than their radius; 0: they do not touch. */
  private readonly offsets = new Map<number, number>()
  private readonly at = new Float64Array(3)
  /** By solid. */
  private readonly able: Able[] = []
  /** For `touchingNear`. */
  private readonly found: Int32Array
  /** m, 6 by solid: least and greatest coordinates in its carrier's frame. */
  private readonly boxes: Float64Array

  /**
   * @param curved by solid: its search data; null for solids that are covered by their points and edges
   * @param P positions of particles at the start of the run, m; @param poses of carriers at that time
   */
  constructor(private readonly solids: readonly Solid[], private readonly curved: readonly (CurvedSolid | null)[], private readonly features: Features,
    P: Float64Array, poses: readonly Pose[]) {
    this.count = features.own + features.triangles.length / 3
    this.found = new Int32Array(this.count)
    const { cornerOf, cornersOf } = this
    const corners = new Set<number>()
    for (let e = 0; e < this.count; e++) for (let k = 0; k < cornersOf(e); k++) corners.add(cornerOf(e, k))
    this.particles = Int32Array.from(corners)
    this.widest = CONTACT_SHARE * this.particles.reduce((most, p) => Math.max(most, features.skins[p]!), 0)
    const Q = new Float64Array(9)
    this.boxes = new Float64Array(6 * curved.length)
    curved.forEach((solid, s) => { if (solid !== null) this.boxes.set(boxOf(solid.primitive, solid.pose), 6 * s) })
    curved.forEach((solid, s) => {
      if (solid === null) return
      const { carrier } = solids[s]!
      this.touching(s, e => {
        for (let k = 0; k < cornersOf(e); k++) {
          const p = 3 * cornerOf(e, k)
          Q.set(toInner(poses[carrier]!, [P[p]!, P[p + 1]!, P[p + 2]!]), 3 * k)
        }
        const radius = features.skins[cornerOf(e, 0)]!
        if (this.beyond(Q, cornersOf(e), s) > radius) return
        const search = new ElementSearch(solid, cornersOf(e))
        search.find(Q)
        if (search.distance < radius) this.offsets.set(this.key(s, e), search.distance > COINCIDENT * radius ? CONTACT_SHARE * search.distance : 0)
      })
    })
  }

  readonly cornersOf = (e: number): number => e < this.features.own ? 2 : 3

  readonly cornerOf = (e: number, k: number): number => {
    const { edges, own, triangles } = this.features
    return e < own ? edges[2 * e + k]! : triangles[3 * (e - own) + k]!
  }

  /** m: contact distance of the pair. */
  offsetOf(s: number, e: number): number {
    return this.offsets.get(this.key(s, e)) ?? CONTACT_SHARE * this.features.skins[this.cornerOf(e, 0)]!
  }

  /** m: longest side of an element with particles at x. */
  longestAt(x: Float64Array): number {
    let longest = 0
    for (let e = 0; e < this.count; e++) {
      const corners = this.cornersOf(e)
      for (let k = 0; k < corners; k++) {
        const [p, q] = [3 * this.cornerOf(e, k), 3 * this.cornerOf(e, (k + 1) % corners)]
        longest = Math.max(longest, sizeOf(x[q]! - x[p]!, x[q + 1]! - x[p + 1]!, x[q + 2]! - x[p + 2]!))
      }
    }
    return longest
  }

  /** Visits the elements that can touch the solid, at any distance. */
  private touching(s: number, visit: (e: number) => void): void {
    for (let e = 0; e < this.count; e++) if (this.isAble(s, e) && !this.isFixed(s, e)) visit(e)
  }

  /**
   * Visits the elements that can touch the solid and have no far corner, in order.
   *
   * @param near particles that are not far, `count` of them; @param far by particle: 1 if no element at it is near the solid
   */
  touchingNear(s: number, near: Int32Array, count: number, far: Uint8Array, visit: (e: number) => void): void {
    this.able[s] ??= this.ableTo(s)
    const { starts, elements } = this.able[s]
    const { found, features: { edges, triangles, own } } = this
    let candidates = 0
    for (let k = 0; k < count; k++) {
      for (let at = starts[near[k]!]!; at < starts[near[k]! + 1]!; at++) {
        const e = elements[at]!
        const close = e < own ? far[edges[2 * e + 1]!] === 0 : far[triangles[3 * (e - own) + 1]!] === 0 && far[triangles[3 * (e - own) + 2]!] === 0
        if (close) found[candidates++] = e
      }
    }
    found.subarray(0, candidates).sort()
    // Bodies may appear and disappear, so this is not part of the list.
    for (let k = 0; k < candidates; k++) if (!this.isFixed(s, found[k]!)) visit(found[k]!)
  }

  /** Whether the contact distance of an element to a solid is not 0. */
  private isAble(s: number, e: number): boolean {
    return this.features.skins[this.cornerOf(e, 0)] !== 0 && this.offsets.get(this.key(s, e)) !== 0
  }

  private isFixed(s: number, e: number): boolean {
    const { carrier } = this.solids[s]!
    for (let k = 0; k < this.cornersOf(e); k++) if (this.features.fixedTo(this.cornerOf(e, k), carrier)) return true
    return false
  }

  private ableTo(s: number): Able {
    const { particles } = this.features
    const starts = new Int32Array(particles + 1)
    const able: number[] = []
    for (let e = 0; e < this.count; e++) if (this.isAble(s, e)) able.push(e)
    for (const e of able) starts[this.cornerOf(e, 0) + 1]!++
    for (let p = 0; p < particles; p++) starts[p + 1]! += starts[p]!
    const next = starts.slice()
    const elements = new Int32Array(able.length)
    for (const e of able) elements[next[this.cornerOf(e, 0)]!++] = e
    return { starts, elements }
  }

  /** m: lower bound of the distance of an element with corners at Q from a solid: that of the ball around it from the solid's box. */
  beyond(Q: Float64Array, corners: number, s: number): number {
    let [x, y, z, size] = [0, 0, 0, 0]
    for (let k = 0; k < 3 * corners; k += 3) {
      x += Q[k]! / corners
      y += Q[k + 1]! / corners
      z += Q[k + 2]! / corners
    }
    for (let k = 0; k < 3 * corners; k += 3) size = Math.max(size, sizeOf(Q[k]! - x, Q[k + 1]! - y, Q[k + 2]! - z))
    return this.fromBox(s, x, y, z) - size
  }

  /** m: distance of a point from the solid's box; 0 inside. */
  fromBox(s: number, x: number, y: number, z: number): number {
    return distanceToBox(this.boxes, 6 * s, x, y, z)
  }

  /** Corners of an element with particles at X, in a carrier's frame at rotation R and origin p. */
  cornersAt(R: Float64Array, p: Float64Array, c: number, e: number, X: Float64Array, out: Float64Array): void {
    const { at } = this
    for (let k = 0; k < this.cornersOf(e); k++) {
      const q = 3 * this.cornerOf(e, k)
      inward(R, p, c, X[q]!, X[q + 1]!, X[q + 2]!, at)
      out.set(at, 3 * k)
    }
  }

  pairOf(s: number, e: number): Pair {
    let pair = this.pairs.get(this.key(s, e))
    if (pair === undefined) {
      pair = { element: e, solid: s, search: new ElementSearch(this.curved[s]!, this.cornersOf(e)), corners: new Float64Array(9), distance: NaN, spots: [] }
      this.pairs.set(this.key(s, e), pair)
    }
    return pair
  }

  /** m: exact distance with corners at Q, or a lower bound that is above `enough`. */
  distanceAt(pair: Pair, Q: Float64Array, enough: number): number {
    const least = pair.distance - farthest(pair.corners, Q, this.cornersOf(pair.element))
    return least > enough ? least : this.measure(pair, Q)
  }

  measure(pair: Pair, Q: Float64Array): number {
    pair.search.find(Q)
    pair.corners.set(Q)
    pair.distance = pair.search.distance
    return pair.distance
  }

  private key(s: number, e: number): number {
    return s * this.count + e
  }
}

/** m: largest displacement of a corner, which bounds that of every point of the element. */
export function farthest(A: Float64Array, B: Float64Array, corners: number): number {
  let most = 0
  for (let k = 0; k < corners; k++) most = Math.max(most, sizeOf(B[3 * k]! - A[3 * k]!, B[3 * k + 1]! - A[3 * k + 1]!, B[3 * k + 2]! - A[3 * k + 2]!))
  return most
}

function sizeOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

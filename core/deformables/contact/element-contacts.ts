/**
 * Edges and triangles of deformables against rigid shapes with curved surfaces, which come between vertices. Contacts are at points of the element, and their
 * gaps the distances of these points from the shape, which are smooth. When multipliers are renewed, the nearest point of the whole element takes the place of
 * the point beside it, or is a further one: an edge that lies on a rim or along a cylinder is held at both ends of what touches. Where a vertex is nearest,
 * the vertex's own contact looks after it, and where a side of a triangle is, the edge's; so that nothing is pressed twice.
 *
 * How far a Newton step may go is found by conservative advancement of whole elements in the shape's own frame.
 */

import type { Pose } from '../../math/pose'
import type { Vec3 } from '../../math/vector'
import { inward, outward, turned, type Carriers } from './carriers'
import { carrierMove } from './carrier-move'
import { ElementPairs, farthest, type Pair, type Spot } from './element-pairs'
import type { CurvedSolid } from './element-search'
import type { Features } from './features'
import { CONTACT, type Links } from './links'
import type { Finder } from './stage-contacts'
import { ADVANCES, CORE, NEARER, RESTING, type Solid } from './surface-contacts'

/** Two points of an element nearer to each other than this share of the shape's radius are one contact that moves. */
const BESIDE = 0.1
/** Contacts of one pair: a round base that lies flat is held at many points of its rim. With 8, the last moved around it without end. */
const MOST = 32

/**
 * @param number of this finder among finders
 * @param curved by solid: what elements ask of it; null where they find it otherwise
 * @param P where particles are at the start of the run, m; @param poses of carriers then
 */
export function elementContacts(number: number, links: Links, all: Carriers, solids: readonly Solid[], curved: readonly (CurvedSolid | null)[],
  features: Features, P: Float64Array, poses: readonly Pose[]): Finder {
  const { owners } = features
  const elements = new ElementPairs(solids, curved, features, P, poses)
  const { cornerOf, cornersOf } = elements
  const at = new Float64Array(3)
  const from = new Float64Array(9)
  const to = new Float64Array(9)
  const between = new Float64Array(9)
  const ofLinks = new Map<number, Spot>()
  const n = new Float64Array(3)
  const middle = new Float64Array(3)
  let start: Float64Array = new Float64Array(0)
  let velocities: Float64Array = start
  let length = 0

  /** A link at the point of the pair that was nearest last, in the carrier's frame. */
  function add(pair: Pair): void {
    const { element: e, solid: s, spots } = pair
    const { carrier, friction, restitution } = solids[s]!
    const i = links.add(CONTACT, number, e, s + solids.length * spots.length)
    const spot: Spot = { link: i, pair, place: new Float64Array(3), at: new Float64Array(3), distance: NaN }
    spots.push(spot)
    ofLinks.set(i, spot)
    for (let k = 0; k < cornersOf(e); k++) links.particles[4 * i + k] = cornerOf(e, k)
    links.carriers[i] = carrier
    links.offsets[i] = elements.offsetOf(s, e)
    grip(spot)
    n.set(pair.search.normal)
    turned(all.rotations, carrier, n)
    const { sticking, sliding } = friction[owners[cornerOf(e, 0)]!]!
    const speeds = [0, 1, 2].map(k => relative(pair, k)) as unknown as Vec3
    links.rub(i, sticking, sliding, sizeOf(...speeds))
    const bouncing = restitution[owners[cornerOf(e, 0)]!]!
    const approach = -(n[0]! * speeds[0] + n[1]! * speeds[1] + n[2]! * speeds[2])
    if (bouncing > 0 && approach > RESTING && pair.distance - links.offsets[i]! < approach * length) links.bounces[i] = bouncing * approach * length
  }

  /** The spot is where the pair was nearest last. */
  function grip({ link, place, pair: { element, search: { weights }, corners } }: Spot): void {
    place.fill(0)
    for (let k = 0; k < cornersOf(element); k++) {
      links.weights[4 * link + k] = links.grips[4 * link + k] = weights[k]!
      for (let c = 0; c < 3; c++) place[c]! += weights[k]! * corners[3 * k + c]!
    }
  }

  /** The spot beside the point that was nearest last; the nearest of all where there is no room for more. */
  function beside({ element, solid, spots, search: { weights }, corners }: Pair): Spot | undefined {
    let [best, least] = [undefined as Spot | undefined, Infinity]
    for (const spot of spots) {
      middle.fill(0)
      for (let k = 0; k < cornersOf(element); k++) {
        for (let c = 0; c < 3; c++) middle[c]! += (links.weights[4 * spot.link + k]! - weights[k]!) * corners[3 * k + c]!
      }
      const away = sizeOf(middle[0]!, middle[1]!, middle[2]!)
      if (away < least) [best, least] = [spot, away]
    }
    return spots.length >= MOST || least <= BESIDE * curved[solid]!.primitive.radius ? best : undefined
  }

  /** m/s: of the link's sides relative to each other at the start, along axis k. */
  function relative({ element, solid, search: { weights } }: Pair, k: number): number {
    const c = solids[solid]!.carrier
    const { velocities: w, startCenters } = all
    const [i, j] = [(k + 1) % 3, (k + 2) % 3]
    let speed = 0
    for (let q = 0; q < cornersOf(element); q++) {
      const p = 3 * cornerOf(element, q)
      const turning = w[6 * c + 3 + i]! * (start[p + j]! - startCenters[3 * c + j]!) - w[6 * c + 3 + j]! * (start[p + i]! - startCenters[3 * c + i]!)
      speed += weights[q]! * (velocities[p + k]! - w[6 * c + k]! - turning)
    }
    return speed
  }

  /** Share of the way from `from` to `to` that a pair may go; it becomes a link where it is met on the way, if asked. */
  function advance(pair: Pair, adds: boolean): number {
    const corners = cornersOf(pair.element)
    const way = farthest(from, to, corners)
    const offset = elements.offsetOf(pair.solid, pair.element)
    const first = elements.distanceAt(pair, from, way + offset)
    if (first - way > offset) return 1
    if (adds && pair.search.isInside && beside(pair) === undefined) add(pair)
    const core = first > CORE * offset ? CORE * offset : NEARER * first
    // What is inside already is pushed out, on whatever way.
    if (first <= 0) return 1
    let gone = 0
    let left = first
    for (let k = 0; k < ADVANCES && gone < 1; k++) {
      const further = (left - core) / way
      if (further < 1e-6 && k > 0) break
      gone = Math.min(1, gone + further)
      for (let c = 0; c < 3 * corners; c++) between[c] = from[c]! + gone * (to[c]! - from[c]!)
      left = elements.measure(pair, between)
    }
    // What stops a step has to push, or all that follow end there too.
    if (adds && (gone < 1 || (pair.search.isInside && left < offset)) && beside(pair) === undefined) add(pair)
    return gone
  }

  /** Share that all may go: `place` writes an element's corners in the frame of the solid's carrier, at both ends of the way. */
  function limit(adds: boolean, place: (c: number, e: number) => void): number {
    let share = 1
    solids.forEach(({ carrier, reach }, s) => elements.touching(s, e => {
      place(carrier, e)
      const way = farthest(from, to, cornersOf(e))
      if (elements.beyond(from, cornersOf(e), reach) - way > elements.offsetOf(s, e)) return
      share = Math.min(share, advance(elements.pairOf(s, e), adds))
    }))
    return share
  }

  /** Moves contacts to where pairs are nearest at X. A contact stays where nothing of its pair would become one: else what it presses with would be lost. */
  function lookAgain(X: Float64Array): void {
    for (const pair of elements.pairs.values()) {
      if (pair.spots.length === 0) continue
      elements.cornersAt(all.rotations, all.origins, solids[pair.solid]!.carrier, pair.element, X, from)
      elements.measure(pair, from)
      const near = beside(pair)
      if (near !== undefined) grip(near)
      else if (pair.search.isInside && pair.distance < elements.offsetOf(pair.solid, pair.element)) {
        add(pair)
        // As hard as the others of the pair, at once.
        const [first, last] = [pair.spots[0]!.link, pair.spots.at(-1)!.link]
        links.penalties[last] = links.penalties[first]!
        if (Number.isNaN(links.bounces[last]!)) links.holds[last] = links.holds[first]!
      }
    }
  }

  return {
    begin(x0, v0, h) {
      start = x0
      velocities = v0
      length = h
      elements.pairs.clear()
      ofLinks.clear()
      limit(true, (c, e) => {
        elements.cornersAt(all.startRotations, all.startOrigins, c, e, x0, from)
        for (let k = 0; k < cornersOf(e); k++) {
          const p = 3 * cornerOf(e, k)
          const { velocities: w, startCenters } = all
          const [rx, ry, rz] = [x0[p]! - startCenters[3 * c]!, x0[p + 1]! - startCenters[3 * c + 1]!, x0[p + 2]! - startCenters[3 * c + 2]!]
          const [wx, wy, wz] = [w[6 * c + 3]!, w[6 * c + 4]!, w[6 * c + 5]!]
          inward(all.startRotations, all.startOrigins, c, x0[p]! + h * (v0[p]! - w[6 * c]! - wy * rz + wz * ry),
            x0[p + 1]! + h * (v0[p + 1]! - w[6 * c + 1]! - wz * rx + wx * rz), x0[p + 2]! + h * (v0[p + 2]! - w[6 * c + 2]! - wx * ry + wy * rx), at)
          to.set(at, 3 * k)
        }
      })
    },
    carry(X) {
      const share = limit(true, (c, e) => {
        elements.cornersAt(all.startRotations, all.startOrigins, c, e, start, from)
        elements.cornersAt(all.rotations, all.origins, c, e, X, to)
      })
      lookAgain(X)
      return share >= 1
    },
    renew: lookAgain,
    place(i, X) {
      const spot = ofLinks.get(i)!
      const { pair: { solid, element }, place, at: last, distance: known } = spot
      const { carrier: c, surface } = solids[solid]!
      const corners = cornersOf(element)
      middle.fill(0)
      for (let q = 4 * i; q < 4 * i + corners; q++) for (let k = 0; k < 3; k++) middle[k]! += links.weights[q]! * X[3 * links.particles[q]! + k]!
      inward(all.rotations, all.origins, c, middle[0]!, middle[1]!, middle[2]!, at)
      const least = known - sizeOf(at[0]! - last[0]!, at[1]! - last[1]!, at[2]! - last[2]!) - links.offsets[i]!
      // What is too far away to press need not be known better.
      if (least > 0 && links.pressures[i] === 0 && links.limits[i] === 0 && Number.isNaN(links.bounces[i]!)) {
        links.gaps[i] = least
        return
      }
      last.set(at)
      spot.distance = surface.distance(at[0]!, at[1]!, at[2]!, Infinity, n)
      links.gaps[i] = spot.distance - links.offsets[i]!
      turned(all.rotations, c, n)
      links.normals.set(n, 3 * i)
      for (let k = 0; k < 3; k++) links.arms[3 * i + k] = middle[k]! - all.centers[3 * c + k]!
      outward(all.startRotations, all.startOrigins, c, place[0]!, place[1]!, place[2]!, at)
      outward(all.rotations, all.origins, c, place[0]!, place[1]!, place[2]!, n)
      for (let k = 0; k < 3; k++) {
        let slip = at[k]! - n[k]!
        for (let q = 4 * i; q < 4 * i + corners; q++) slip += links.grips[q]! * (X[3 * links.particles[q]! + k]! - start[3 * links.particles[q]! + k]!)
        links.slips[3 * i + k] = slip
        links.gripArms[3 * i + k] = n[k]! - all.centers[3 * c + k]!
      }
    },
    untangled(x, X) {
      return limit(false, (c, e) => {
        elements.cornersAt(all.rotations, all.origins, c, e, x, from)
        elements.cornersAt(all.rotations, all.origins, c, e, X, to)
      })
    },
    limit(X, d) {
      return limit(true, (c, e) => {
        elements.cornersAt(all.rotations, all.origins, c, e, X, from)
        for (let k = 0; k < cornersOf(e); k++) {
          carrierMove(all, c, cornerOf(e, k), X, d, at)
          to.set(at, 3 * k)
        }
      })
    },
  }
}

function sizeOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

/**
 * Contacts of edges and triangles of deformables with rigid shapes whose curved surfaces could pass between vertices.
 *
 * A contact is a point of the element; its gap is the distance of this point from the shape, which is smooth. At every renewal of the multipliers, the
 * nearest point of the whole element replaces the contact beside it, or becomes an additional contact: an edge that lies on a rim or along a cylinder is
 * held at both ends of the touching part. If the nearest point is a vertex, the vertex's own contact covers it; if it is on a side of a triangle, the
 * edge's contact does. So no point is pushed twice.
 *
 * Conservative advancement of whole elements in the frame of the shape limits Newton steps.
 */

import type { Pose } from '../../math/pose'
import type { Vec3 } from '../../math/vector'
import { inward, outward, turned, type Carriers } from './carriers'
import { carrierMove } from './carrier-move'
import { ElementPairs, farthest, type Pair, type Spot } from './element-pairs'
import type { CurvedSolid } from './element-search'
import type { Features } from './features'
import { flight, lead, rest, step } from './frame-motions'
import { CONTACT, type Links } from './links'
import type { Finder } from './stage-contacts'
import { ADVANCES, CORE, NEARER, RESTING, type Solid } from './surface-contacts'

/** Points of an element closer than this, × the shape's radius, are the same contact, which moves. */
const SAME_CONTACT = 0.1
/** Contacts of one pair: a round base that lies flat is held at many points of its rim. With 8, the last one moved around the rim without converging. */
const MAX_CONTACTS = 32

/** × the distance at which elements count as far from a solid: more than rounding. */
const FURTHER = 1 + 1e-9

/**
 * @param number of this finder among finders
 * @param curved by solid: its search data; null for solids that are covered by their points and edges
 * @param P positions of particles at the start of the run, m; @param poses of carriers at that time
 */
export function elementContacts(number: number, links: Links, all: Carriers, solids: readonly Solid[], curved: readonly (CurvedSolid | null)[],
  features: Features, P: Float64Array, poses: readonly Pose[]): Finder {
  const { owners } = features
  const elements = new ElementPairs(solids, curved, features, P, poses)
  const { cornerOf, cornersOf } = elements
  const at = new Float64Array(3)
  const then = new Float64Array(3)
  /** By particle: its position in a carrier's frame at both ends of a motion, 3, and whether it is far from the solid. */
  const before = new Float64Array(3 * features.particles)
  const after = new Float64Array(3 * features.particles)
  const far = new Uint8Array(features.particles)
  const nearby = new Int32Array(features.particles)
  const motion = new Float64Array(5)
  const from = new Float64Array(9)
  const to = new Float64Array(9)
  const between = new Float64Array(9)
  const ofLinks = new Map<number, Spot>()
  const n = new Float64Array(3)
  const middle = new Float64Array(3)
  let start: Float64Array = new Float64Array(0)
  let velocities: Float64Array = start
  let length = 0

  /** Adds a link at the nearest point of the pair's last query. */
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
    setFrictionPoints(spot)
    n.set(pair.search.normal)
    turned(all.rotations, carrier, n)
    const { sticking, sliding } = friction[owners[cornerOf(e, 0)]!]!
    const speeds = [0, 1, 2].map(k => relative(pair, k)) as unknown as Vec3
    links.rub(i, sticking, sliding, sizeOf(...speeds))
    const bouncing = restitution[owners[cornerOf(e, 0)]!]!
    const approach = -(n[0]! * speeds[0] + n[1]! * speeds[1] + n[2]! * speeds[2])
    if (bouncing > 0 && approach > RESTING && pair.distance - links.offsets[i]! < approach * length) links.bounces[i] = bouncing * approach * length
  }

  /** Moves the spot to the nearest point of the pair's last query. */
  function setFrictionPoints({ link, place, pair: { element, search: { weights }, corners } }: Spot): void {
    place.fill(0)
    for (let k = 0; k < cornersOf(element); k++) {
      links.weights[4 * link + k] = links.frictionWeights[4 * link + k] = weights[k]!
      for (let c = 0; c < 3; c++) place[c]! += weights[k]! * corners[3 * k + c]!
    }
  }

  /** The spot beside the nearest point of the last query; the nearest spot if the pair has its largest number of contacts. */
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
    return spots.length >= MAX_CONTACTS || least <= SAME_CONTACT * curved[solid]!.primitive.radius ? best : undefined
  }

  /** m/s: relative velocity of the link's sides at the start of the step, along axis k. */
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

  /** Feasible share of the motion of a pair from `from` to `to`. If `adds`, a pair that meets on the way becomes a link. */
  function advance(pair: Pair, adds: boolean): number {
    const corners = cornersOf(pair.element)
    const way = farthest(from, to, corners)
    const offset = elements.offsetOf(pair.solid, pair.element)
    const first = elements.distanceAt(pair, from, way + offset)
    if (first - way > offset) return 1
    if (adds && pair.search.isInside && beside(pair) === undefined) add(pair)
    const core = first > CORE * offset ? CORE * offset : NEARER * first
    // An element that is inside already does not limit the motion, so that it can be pushed out.
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
    // A pair that limits a step has to become a contact; otherwise it limits all later ones.
    if (adds && (gone < 1 || (pair.search.isInside && left < offset)) && beside(pair) === undefined) add(pair)
    return gone
  }

  /**
   * Feasible share of all pairs. Elements far from a solid are left out by one of their corners, which are not placed in its frame.
   *
   * @param P positions of particles at the start of the motion; @param way the distance that particle p moves in the world, m
   * @param move writes the motion of a carrier's frame; @param place writes to `at` and `then` particle p in the carrier's frame at both ends of the motion
   */
  function limit(adds: boolean, P: Float64Array, way: (p: number) => number, move: (c: number) => void, place: (c: number, p: number) => void): number {
    let share = 1
    let longest = -1
    let most = 0
    solids.forEach(({ carrier, reach }, s) => {
      if (curved[s] === null) return
      if (longest < 0) {
        longest = elements.longestAt(P)
        for (const p of elements.particles) most = Math.max(most, way(p))
      }
      move(carrier)
      const turn = motion[4]!
      const near = FURTHER * ((1 + turn) * longest + most + motion[3]! + elements.widest)
      let count = 0
      for (const p of elements.particles) {
        const away = sizeOf(P[3 * p]! - motion[0]!, P[3 * p + 1]! - motion[1]!, P[3 * p + 2]! - motion[2]!)
        const close = near + FURTHER * turn * away
        far[p] = 1
        if (away - FURTHER * reach > close) continue
        place(carrier, p)
        if (elements.fromBox(s, at[0]!, at[1]!, at[2]!) > close) continue
        far[p] = 0
        nearby[count++] = p
        before.set(at, 3 * p)
        after.set(then, 3 * p)
      }
      if (count === 0) return
      elements.touchingNear(s, nearby, count, far, e => {
        const corners = cornersOf(e)
        for (let k = 0; k < corners; k++) {
          const p = 3 * cornerOf(e, k)
          for (let c = 0; c < 3; c++) {
            from[3 * k + c] = before[p + c]!
            to[3 * k + c] = after[p + c]!
          }
        }
        if (elements.beyond(from, corners, s) - farthest(from, to, corners) > elements.offsetOf(s, e)) return
        share = Math.min(share, advance(elements.pairOf(s, e), adds))
      })
    })
    return share
  }

  /** Moves contacts to the nearest points at X. A contact without a new nearest point stays, so that its force is not lost. */
  function lookAgain(X: Float64Array): void {
    for (const pair of elements.pairs.values()) {
      if (pair.spots.length === 0) continue
      elements.cornersAt(all.rotations, all.origins, solids[pair.solid]!.carrier, pair.element, X, from)
      elements.measure(pair, from)
      const near = beside(pair)
      if (near !== undefined) setFrictionPoints(near)
      else if (pair.search.isInside && pair.distance < elements.offsetOf(pair.solid, pair.element)) {
        add(pair)
        // With the penalty of the pair's other contacts from the start.
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
      limit(true, x0, p => h * sizeOf(v0[3 * p]!, v0[3 * p + 1]!, v0[3 * p + 2]!), c => { flight(all, c, h, motion) }, (c, particle) => {
        const p = 3 * particle
        const { velocities: w, startCenters } = all
        const [rx, ry, rz] = [x0[p]! - startCenters[3 * c]!, x0[p + 1]! - startCenters[3 * c + 1]!, x0[p + 2]! - startCenters[3 * c + 2]!]
        const [wx, wy, wz] = [w[6 * c + 3]!, w[6 * c + 4]!, w[6 * c + 5]!]
        inward(all.startRotations, all.startOrigins, c, x0[p]!, x0[p + 1]!, x0[p + 2]!, at)
        inward(all.startRotations, all.startOrigins, c, x0[p]! + h * (v0[p]! - w[6 * c]! - wy * rz + wz * ry),
          x0[p + 1]! + h * (v0[p + 1]! - w[6 * c + 1]! - wz * rx + wx * rz), x0[p + 2]! + h * (v0[p + 2]! - w[6 * c + 2]! - wx * ry + wy * rx), then)
      })
    },
    carry(X) {
      const share = limit(true, start, p => moved(start, X, p), c => { lead(all, c, motion) }, (c, p) => {
        inward(all.startRotations, all.startOrigins, c, start[3 * p]!, start[3 * p + 1]!, start[3 * p + 2]!, at)
        inward(all.rotations, all.origins, c, X[3 * p]!, X[3 * p + 1]!, X[3 * p + 2]!, then)
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
      // A point that is too far away for a force needs no exact distance.
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
        for (let q = 4 * i; q < 4 * i + corners; q++) {
          const p = 3 * links.particles[q]! + k
          slip += links.frictionWeights[q]! * (X[p]! - start[p]!)
        }
        links.slips[3 * i + k] = slip
        links.frictionArms[3 * i + k] = n[k]! - all.centers[3 * c + k]!
      }
    },
    untangled(x, X) {
      return limit(false, x, p => moved(x, X, p), c => { rest(all, c, motion) }, (c, p) => {
        inward(all.rotations, all.origins, c, x[3 * p]!, x[3 * p + 1]!, x[3 * p + 2]!, at)
        inward(all.rotations, all.origins, c, X[3 * p]!, X[3 * p + 1]!, X[3 * p + 2]!, then)
      })
    },
    limit(X, d) {
      return limit(true, X, p => sizeOf(d[3 * p]!, d[3 * p + 1]!, d[3 * p + 2]!), c => { step(all, c, d, motion) }, (c, p) => {
        inward(all.rotations, all.origins, c, X[3 * p]!, X[3 * p + 1]!, X[3 * p + 2]!, at)
        carrierMove(all, c, p, X, d, then)
      })
    },
  }
}

function sizeOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

/** m: distance of particle p in two sets of positions. */
function moved(P: Float64Array, Q: Float64Array, p: number): number {
  return sizeOf(Q[3 * p]! - P[3 * p]!, Q[3 * p + 1]! - P[3 * p + 1]!, Q[3 * p + 2]! - P[3 * p + 2]!)
}

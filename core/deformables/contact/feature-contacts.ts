/**
 * Contacts of edges and triangles of deformables with each other and with points and edges of rigid shapes. The gap of a contact is the current
 * distance of the two features, and its force acts at their nearest points. It is the gradient of a potential, and continuous when the nearest points
 * move from the interior of a feature to its border. Friction acts between the points that were nearest at the last renewal of the multipliers: these
 * are material points, so that their slip is well defined. A contact with restitution is a plane between renewals.
 */

import { CarrierPoints } from './carrier-points'
import { outward, type Carriers } from './carriers'
import { EDGES, FeaturePairs, POINT_TRIANGLE } from './feature-pairs'
import type { Features } from './features'
import { KnownPairs } from './known-pairs'
import { CONTACT, type Links } from './links'
import type { Finder } from './stage-contacts'
import { RESTING, type Coefficients } from './surface-contacts'

/** Coulomb's coefficients and restitution. */
export interface Touch {
  readonly friction: Coefficients
  readonly restitution: number
}

/**
 * @param number of this finder among finders
 * @param P initial positions of the features' points, m
 * @param ofDeformables contact properties of two deformables; @param ofSolid contact properties of a solid and a deformable
 */
export function featureContacts(number: number, links: Links, all: Carriers, features: Features, P: Float64Array,
  ofDeformables: (a: number, b: number) => Touch, ofSolid: (solid: number, deformable: number) => Touch): Finder {
  const { particles, points, carriers, places, owners, skins } = features
  const pairs = new FeaturePairs(features, P)
  const carried = new CarrierPoints(all, features)
  const margin = skins.reduce((least, skin) => (skin > 0 ? Math.min(least, skin) : least), Infinity)
  const at = new Float64Array(3)
  const nowAt = new Float64Array(12)
  const P0 = new Float64Array(3 * points)
  const P1 = new Float64Array(3 * points)
  const startP = new Float64Array(3 * points)
  /** Link of each pair that has one, by the pair's key. */
  const present = new Map<number, number>()
  const known = new KnownPairs()
  let start: Float64Array = new Float64Array(0)
  let velocities: Float64Array = start
  let length = 0
  /** Signed shares of a pair's four points, as last computed by `aim`. */
  const shares = new Float64Array(4)

  /** Writes the positions of all points at X to P0. */
  function now(X: Float64Array): void {
    P0.set(X.subarray(0, 3 * particles))
    carried.write(all.rotations, all.origins, P0)
  }

  /**
   * Makes pair i a link if it is valid at its last measurement, or blocks a step: a blocking pair must exert a force, or all following steps would
   * end there too.
   */
  function add(i: number, blocks: boolean): void {
    const key = pairs.key(i)
    if (present.has(key) || (!blocks && !counts(pairs.kinds[i]!, pairs.first[i]!, pairs.second[i]!))) return
    const kind = pairs.kinds[i]!
    const [a, , c] = pairs.points.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number]
    const link = links.add(CONTACT, number, kind === EDGES ? -1 - pairs.first[i]! : pairs.first[i]!, pairs.second[i]!)
    known.hold(link + 1)
    present.set(key, link)
    known.points.set(pairs.points.subarray(4 * i, 4 * i + 4), 4 * link)
    known.kinds[link] = kind
    known.gaps[link] = NaN
    links.offsets[link] = pairs.offsets[i]! + features.solid[a]! + features.solid[c]!
    const [p, q] = [Math.min(a, c), Math.max(a, c)]
    const { friction, restitution } = q < particles ? ofDeformables(owners[p]!, owners[q]!) : ofSolid(owners[q]!, owners[p]!)
    sides(link)
    setFrictionPoints(link)
    const [vx, vy, vz] = relative(link)
    links.rub(link, friction.sticking, friction.sliding, Math.sqrt(vx * vx + vy * vy + vz * vz))
    if (restitution > 0) links.bounces[link] = bounce(link, restitution, [vx, vy, vz])
  }

  /** Whether the last measured pair represents contact at its nearest points. */
  function counts(kind: number, first: number, second: number): boolean {
    const { nearest } = pairs
    return kind === EDGES ? features.ownsEdges(first, second, nearest.s, nearest.weights) : features.ownsPoint(first, second, nearest.weights)
  }

  /** Sets the two sides of the link; points of carriers are left out of the particles. */
  function sides(link: number): void {
    let used = 4 * link
    for (let q = 4 * link; q < 4 * link + 4; q++) {
      const p = known.points[q]!
      known.slots[q] = p < particles ? used : -1
      if (p < particles) links.particles[used++] = p
      else links.carriers[link] = carriers[p]!
    }
  }

  /** Sets the link's points to the nearest points of the last measurement. */
  function aim(link: number): void {
    const { nearest: { nx, ny, nz, s, weights } } = pairs
    const edges = known.kinds[link] === EDGES
    // The normal points to the particles' side if the other side is a carrier.
    const sign = known.points[4 * link]! >= particles ? -1 : 1
    links.normals[3 * link] = sign * nx
    links.normals[3 * link + 1] = sign * ny
    links.normals[3 * link + 2] = sign * nz
    shares[0] = edges ? 1 - s : 1
    shares[1] = edges ? s : -weights[0]!
    shares[2] = edges ? -weights[0]! : -weights[1]!
    shares[3] = edges ? -weights[1]! : -weights[2]!
    for (let q = 0; q < 4; q++) if (known.slots[4 * link + q]! >= 0) links.weights[known.slots[4 * link + q]!] = sign * shares[q]!
  }

  /** Aims, and uses the same points for friction. */
  function setFrictionPoints(link: number): void {
    aim(link)
    known.places.fill(0, 3 * link, 3 * link + 3)
    for (let q = 0; q < 4; q++) {
      const slot = known.slots[4 * link + q]!
      if (slot >= 0) {
        links.frictionWeights[slot] = links.weights[slot]!
        continue
      }
      const p = known.points[4 * link + q]!
      for (let k = 0; k < 3; k++) known.places[3 * link + k]! += Math.abs(shares[q]!) * places[3 * p + k]!
    }
  }

  /** m/s: relative velocity of the link's sides at the start. */
  function relative(link: number): [number, number, number] {
    const c = links.carriers[link]!
    const found = [0, 1, 2].map(k => {
      let sum = 0
      for (let q = 4 * link; q < 4 * link + 4; q++) if (links.particles[q]! >= 0) sum += links.weights[q]! * velocities[3 * links.particles[q]! + k]!
      return sum
    }) as [number, number, number]
    if (c >= 0) {
      const { velocities: w, startCenters, startRotations, startOrigins } = all
      outward(startRotations, startOrigins, c, known.places[3 * link]!, known.places[3 * link + 1]!, known.places[3 * link + 2]!, at)
      const [rx, ry, rz] = [0, 1, 2].map(k => at[k]! - startCenters[3 * c + k]!) as [number, number, number]
      found[0] -= w[6 * c]! + w[6 * c + 4]! * rz - w[6 * c + 5]! * ry
      found[1] -= w[6 * c + 1]! + w[6 * c + 5]! * rx - w[6 * c + 3]! * rz
      found[2] -= w[6 * c + 2]! + w[6 * c + 3]! * ry - w[6 * c + 4]! * rx
    }
    return found
  }

  /** m: least separation in this step due to restitution, if the approach is faster than a resting contact; otherwise NaN. */
  function bounce(link: number, restitution: number, velocity: readonly [number, number, number]): number {
    const approach = -velocity.reduce((sum, v, k) => sum + v * links.normals[3 * link + k]!, 0)
    const gap = pairs.nearest.distance - links.offsets[link]!
    return approach > RESTING && gap < approach * length ? restitution * approach * length : NaN
  }

  /** Measures a link's pair again, points at P0. The link is kept even where it would not be created now; otherwise its force would be lost. */
  function refresh(link: number): void {
    const k = 4 * link
    const [a, b, c, d] = [known.points[k]!, known.points[k + 1]!, known.points[k + 2]!, known.points[k + 3]!]
    if (known.kinds[link] === POINT_TRIANGLE) pairs.nearest.pointTriangle(P0, a, b, c, d)
    else pairs.nearest.segments(P0, a, b, c, d)
    setFrictionPoints(link)
  }

  /** Largest feasible share of the motion from P0 to P1; pairs that block it become links. */
  function limit(): number {
    return pairs.limit(P0, P1, margin, add)
  }

  return {
    begin(x0, v0, h) {
      start = x0
      velocities = v0
      length = h
      present.clear()
      startP.set(x0.subarray(0, 3 * particles))
      carried.write(all.startRotations, all.startOrigins, startP)
      P1.set(startP)
      for (let k = 0; k < 3 * particles; k++) P1[k]! += h * v0[k]!
      carried.write(all.rotations, all.origins, P1)
      carried.addVelocity(h, P1)
      pairs.begin(startP, P1, margin)
      P0.set(startP)
      limit()
    },
    carry(X) {
      now(X)
      P1.set(P0)
      P0.set(startP)
      const share = limit()
      now(X)
      for (const link of present.values()) refresh(link)
      return share >= 1
    },
    renew(X) {
      now(X)
      for (const link of present.values()) refresh(link)
    },
    place(i, X) {
      const c = links.carriers[i]!
      const s = 3 * i
      const { corners } = known
      const live = Number.isNaN(links.bounces[i]!)
      const split = known.kinds[i] === POINT_TRIANGLE ? 1 : 2
      let [one, two] = [0, 0]
      for (let q = 0; q < 4; q++) {
        const p = known.points[4 * i + q]!
        if (p < particles) {
          nowAt[3 * q] = X[3 * p]!
          nowAt[3 * q + 1] = X[3 * p + 1]!
          nowAt[3 * q + 2] = X[3 * p + 2]!
        } else {
          outward(all.rotations, all.origins, c, places[3 * p]!, places[3 * p + 1]!, places[3 * p + 2]!, at)
          nowAt[3 * q] = at[0]!
          nowAt[3 * q + 1] = at[1]!
          nowAt[3 * q + 2] = at[2]!
        }
        const from = 12 * i + 3 * q
        const dx = nowAt[3 * q]! - corners[from]!
        const dy = nowAt[3 * q + 1]! - corners[from + 1]!
        const dz = nowAt[3 * q + 2]! - corners[from + 2]!
        const square = dx * dx + dy * dy + dz * dz
        if (q < split) one = Math.max(one, square)
        else two = Math.max(two, square)
      }
      // Pairs too far apart to touch keep their old measurement.
      const least = known.gaps[i]! - Math.sqrt(one) - Math.sqrt(two)
      if (least > 0 && live && links.pressures[i] === 0 && links.limits[i] === 0) {
        links.gaps[i] = least
        return
      }
      for (let k = 0; k < 12; k++) corners[12 * i + k] = nowAt[k]!
      if (known.kinds[i] === POINT_TRIANGLE) pairs.nearest.pointTriangle(corners, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)
      else pairs.nearest.segments(corners, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)
      links.gaps[i] = known.gaps[i] = pairs.nearest.distance - links.offsets[i]!
      if (live) {
        aim(i)
        if (c >= 0) {
          for (let k = 0; k < 3; k++) {
            let sum = -all.centers[3 * c + k]!
            for (let q = 0; q < 4; q++) if (known.slots[4 * i + q]! < 0) sum += Math.abs(shares[q]!) * corners[12 * i + 3 * q + k]!
            links.arms[s + k] = sum
          }
        }
      }
      links.slips[s] = links.slips[s + 1] = links.slips[s + 2] = 0
      for (let q = 4 * i; q < 4 * i + 4; q++) {
        const p = links.particles[q]!
        if (p < 0) continue
        for (let k = 0; k < 3; k++) links.slips[s + k]! += links.frictionWeights[q]! * (X[3 * p + k]! - start[3 * p + k]!)
      }
      if (c >= 0) {
        const [x, y, z] = [known.places[s]!, known.places[s + 1]!, known.places[s + 2]!]
        outward(all.startRotations, all.startOrigins, c, x, y, z, at)
        for (let k = 0; k < 3; k++) links.slips[s + k]! += at[k]!
        outward(all.rotations, all.origins, c, x, y, z, at)
        for (let k = 0; k < 3; k++) {
          links.slips[s + k]! -= at[k]!
          links.frictionArms[s + k] = at[k]! - all.centers[3 * c + k]!
          if (!live) links.arms[s + k] = links.frictionArms[s + k]!
        }
      }
    },
    face(i, facing) {
      if (!Number.isNaN(links.bounces[i]!)) return false
      const k = 4 * i
      const { points: own, corners, slots } = known
      if (known.kinds[i] === POINT_TRIANGLE) pairs.nearest.pointTriangle(corners, k, k + 1, k + 2, k + 3)
      else pairs.nearest.segments(corners, k, k + 1, k + 2, k + 3)
      aim(i)
      facing.clear()
      facing.carrier = links.carriers[i]!
      for (let q = 0; q < 4; q++) facing.point(shares[q]!, corners, 12 * i + 3 * q, slots[k + q]! < 0 ? -1 : own[k + q]!)
      if (known.kinds[i] === EDGES) {
        if (facing.slides(0) && facing.slides(1)) facing.slide(1, 0)
        if (facing.slides(2) && facing.slides(3)) facing.slide(2, 3)
        return true
      }
      const base = facing.slides(1) ? 1 : facing.slides(2) ? 2 : 3
      for (let q = base + 1; q < 4; q++) if (facing.slides(q)) facing.slide(base, q)
      return true
    },
    untangled(x, X) {
      now(x)
      P1.set(P0)
      P1.set(X.subarray(0, 3 * particles))
      return pairs.limit(P0, P1, margin, null)
    },
    limit(X, d) {
      now(X)
      for (let k = 0; k < 3 * particles; k++) P1[k] = X[k]! + d[k]!
      P1.set(P0.subarray(3 * particles), 3 * particles)
      carried.addStep(d, P0, P1)
      return limit()
    },
  }
}

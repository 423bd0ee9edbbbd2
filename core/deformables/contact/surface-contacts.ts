/**
 * Contacts of particles with rigid shapes. Every particle that may reach a shape within a step is a contact, inactive until it has a force. The
 * feasible length of a Newton step is found by conservative advancement along the straight motion in the shape's frame: each advance is the remaining
 * distance, so that no contact is missed.
 */

import { carrierMove } from './carrier-move'
import { flight, step } from './frame-motions'
import { inward, moves, outward, turned, type Carriers } from './carriers'
import { CONTACT, type Links } from './links'
import type { Finder } from './stage-contacts'
import type { Surface } from './surface'

/** Static and dynamic coefficients of friction. */
export interface Coefficients {
  readonly sticking: number
  readonly sliding: number
}

export interface Solid {
  readonly surface: Surface
  readonly carrier: number
  /** Largest distance of its points from its carrier's origin, m; Infinity for a half-space. */
  readonly reach: number
  /** By particle's owner: Coulomb's coefficients and restitution. */
  readonly friction: readonly Coefficients[]
  readonly restitution: readonly number[]
}

export interface Touchable {
  readonly count: number
  /** By particle: its deformable, and its contact distance, m; 0 if it does not take part in contact. */
  readonly owners: Int32Array
  readonly radii: Float64Array
  /** 1 for particles that only their support moves. */
  readonly held: Uint8Array
  /** Whether the particle is fixed to the carrier, and cannot touch it. */
  fixedTo(particle: number, carrier: number): boolean
}

/** Share of its radius that a particle keeps from a shape during every Newton step, converged or not. */
export const CORE = 0.25
/** A particle already nearer than that may approach by this factor in each Newton step. */
export const NEARER = 1 - 1e-3
/** m/s: slower impacts have no restitution. */
export const RESTING = 0.02
/** × the distance at which particles count as far from a solid: more than rounding. */
const FURTHER = 1 + 1e-9
/** Most advances along one motion: each removes the remaining distance up to the error of its lower bound. */
export const ADVANCES = 60

/** @param number of this finder; @param offsets contact distance of pairs that began nearer than the radius, m */
export function surfaceContacts(number: number, links: Links, all: Carriers, solids: readonly Solid[], particles: Touchable,
  offsets: ReadonlyMap<number, number>): Finder {
  const { count, owners, radii } = particles
  const n = new Float64Array(3)
  const at = new Float64Array(3)
  const to = new Float64Array(3)
  const y = new Float64Array(3)
  const key = (s: number, p: number): number => s * count + p
  /** Link of each pair that has one. */
  const present = new Map<number, number>()
  /** By link: the particle's position in the carrier's frame at the last measurement, and its distance from the surface, m: 4 each. */
  let known = new Float64Array(256)
  /** m: distance that each particle moves in the world, in a Newton step or with its velocity at the start; and the motion of a carrier's frame. */
  const ways = new Float64Array(count)
  const motion = new Float64Array(5)
  let start: Float64Array = new Float64Array(0)
  let velocities: Float64Array = start
  let length = 0
  /** Positions at which links were placed last. */
  let lastX: Float64Array = start

  const offsetOf = (s: number, p: number): number => offsets.get(key(s, p)) ?? radii[p]!

  function add(s: number, p: number): void {
    const { carrier, friction, restitution } = solids[s]!
    const i = links.add(CONTACT, number, p, s)
    present.set(key(s, p), i)
    if (4 * i + 4 > known.length) {
      const larger = new Float64Array(8 * i + 8)
      larger.set(known)
      known = larger
    }
    known[4 * i + 3] = NaN
    links.particles[4 * i] = p
    links.weights[4 * i] = links.frictionWeights[4 * i] = 1
    links.carriers[i] = carrier
    links.offsets[i] = offsetOf(s, p)
    const { sticking, sliding } = friction[owners[p]!]!
    links.rub(i, sticking, sliding, sizeOf(relative(carrier, p, 0), relative(carrier, p, 1), relative(carrier, p, 2)))
    if (restitution[owners[p]!]! > 0) links.bounces[i] = bounceOf(s, p, restitution[owners[p]!]!)
  }

  /**
   * m: least separation of the particle from the shape in this step due to restitution, if the impact is faster than a resting contact; otherwise
   * NaN.
   */
  function bounceOf(s: number, p: number, restitution: number): number {
    const { carrier, surface } = solids[s]!
    inward(all.startRotations, all.startOrigins, carrier, start[3 * p]!, start[3 * p + 1]!, start[3 * p + 2]!, at)
    const gap = surface.distance(at[0]!, at[1]!, at[2]!, Infinity, n) - offsetOf(s, p)
    turned(all.startRotations, carrier, n)
    const approach = -(n[0]! * relative(carrier, p, 0) + n[1]! * relative(carrier, p, 1) + n[2]! * relative(carrier, p, 2))
    return approach > RESTING && gap < approach * length ? restitution * approach * length : NaN
  }

  /** m/s: velocity of the particle relative to the carrier's material point, at the start, along axis k. */
  function relative(c: number, p: number, k: number): number {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3]
    const { velocities: w, startCenters } = all
    const turning = w[6 * c + 3 + i]! * (start[3 * p + j]! - startCenters[3 * c + j]!) - w[6 * c + 3 + j]! * (start[3 * p + i]! - startCenters[3 * c + i]!)
    return velocities[3 * p + k]! - w[6 * c + k]! - turning
  }

  return {
    begin(x0, v0, h) {
      start = x0
      velocities = v0
      length = h
      present.clear()
      for (let p = 0; p < count; p++) ways[p] = h * sizeOf(v0[3 * p]!, v0[3 * p + 1]!, v0[3 * p + 2]!)
      solids.forEach(({ surface, carrier, reach }, s) => {
        flight(all, carrier, h, motion)
        const ox = motion[0]!, oy = motion[1]!, oz = motion[2]!, shift = motion[3]!, turn = motion[4]!
        for (let p = 0; p < count; p++) {
          const radius = radii[p]!
          if (radius === 0) continue
          const away = sizeOf(x0[3 * p]! - ox, x0[3 * p + 1]! - oy, x0[3 * p + 2]! - oz)
          if (away > FURTHER * (reach + 2 * radius + ways[p]! + shift + turn * away) || particles.fixedTo(p, carrier)) continue
          const speed = sizeOf(relative(carrier, p, 0), relative(carrier, p, 1), relative(carrier, p, 2))
          const near = 2 * radius + speed * h
          if (away > reach + near) continue
          inward(all.startRotations, all.startOrigins, carrier, x0[3 * p]!, x0[3 * p + 1]!, x0[3 * p + 2]!, at)
          if (surface.distance(at[0]!, at[1]!, at[2]!, near, n) < near) add(s, p)
        }
      })
    },
    place(i, X) {
      lastX = X
      const p = links.first[i]!
      const { carrier, surface } = solids[links.second[i]!]!
      const [px, py, pz] = [X[3 * p]!, X[3 * p + 1]!, X[3 * p + 2]!]
      inward(all.rotations, all.origins, carrier, px, py, pz, at)
      const moved = sizeOf(at[0]! - known[4 * i]!, at[1]! - known[4 * i + 1]!, at[2]! - known[4 * i + 2]!)
      const least = known[4 * i + 3]! - moved - links.offsets[i]!
      // Particles too far away for a force are not measured again.
      if (least > 0 && links.pressures[i] === 0 && links.limits[i] === 0 && Number.isNaN(links.bounces[i]!)) {
        links.gaps[i] = least
        return
      }
      const distance = surface.distance(at[0]!, at[1]!, at[2]!, Infinity, n)
      known.set(at, 4 * i)
      known[4 * i + 3] = distance
      links.gaps[i] = distance - links.offsets[i]!
      turned(all.rotations, carrier, n)
      inward(all.startRotations, all.startOrigins, carrier, start[3 * p]!, start[3 * p + 1]!, start[3 * p + 2]!, at)
      outward(all.rotations, all.origins, carrier, at[0]!, at[1]!, at[2]!, y)
      for (let k = 0; k < 3; k++) {
        links.normals[3 * i + k] = n[k]!
        links.slips[3 * i + k] = X[3 * p + k]! - y[k]!
        links.arms[3 * i + k] = X[3 * p + k]! - all.centers[3 * carrier + k]!
        links.frictionArms[3 * i + k] = y[k]! - all.centers[3 * carrier + k]!
      }
    },
    face(i, facing) {
      const p = links.first[i]!
      const { surface: { ball }, carrier } = solids[links.second[i]!]!
      if (ball === undefined || !Number.isNaN(links.bounces[i]!)) return false
      facing.clear()
      facing.carrier = carrier
      facing.point(1, lastX, 3 * p, p)
      outward(all.rotations, all.origins, carrier, ball[0], ball[1], ball[2], at)
      facing.point(-1, at, 0, -1)
      return true
    },
    carry(X) {
      solids.forEach(({ surface, carrier, reach }, s) => {
        if (all.blocks[carrier]! >= 0 || !moves(all, carrier)) return
        for (let p = 0; p < count; p++) {
          if (radii[p] === 0 || particles.fixedTo(p, carrier)) continue
          inward(all.startRotations, all.startOrigins, carrier, start[3 * p]!, start[3 * p + 1]!, start[3 * p + 2]!, at)
          inward(all.rotations, all.origins, carrier, X[3 * p]!, X[3 * p + 1]!, X[3 * p + 2]!, to)
          const way = sizeOf(to[0]! - at[0]!, to[1]! - at[1]!, to[2]! - at[2]!)
          const near = radii[p]! + way
          if (sizeOf(at[0]!, at[1]!, at[2]!) > reach + near) continue
          const first = surface.distance(at[0]!, at[1]!, at[2]!, near, n)
          if (first - way > offsetOf(s, p)) continue
          if (!present.has(key(s, p))) add(s, p)
          const share = advance(surface, first, offsetOf(s, p), 1)
          if (share >= 1 || particles.held[p] === 1) continue
          const [x, y, z] = [0, 1, 2].map(k => at[k]! + share * (to[k]! - at[k]!)) as [number, number, number]
          outward(all.rotations, all.origins, carrier, x, y, z, to)
          X.set(to, 3 * p)
        }
      })
      return true
    },
    limit(X, d) {
      let share = 1
      for (let p = 0; p < count; p++) ways[p] = sizeOf(d[3 * p]!, d[3 * p + 1]!, d[3 * p + 2]!)
      solids.forEach(({ surface, carrier, reach }, s) => {
        step(all, carrier, d, motion)
        const ox = motion[0]!, oy = motion[1]!, oz = motion[2]!, shift = motion[3]!, turn = motion[4]!
        for (let p = 0; p < count; p++) {
          const radius = radii[p]!
          if (radius === 0) continue
          const x = X[3 * p]!, y = X[3 * p + 1]!, z = X[3 * p + 2]!
          // Most particles are far by a bound of their motion in the frame.
          const away = sizeOf(x - ox, y - oy, z - oz)
          if (away > FURTHER * (reach + radius + ways[p]! + shift + turn * away) || particles.fixedTo(p, carrier)) continue
          inward(all.rotations, all.origins, carrier, x, y, z, at)
          carrierMove(all, carrier, p, X, d, to)
          const way = sizeOf(to[0]! - at[0]!, to[1]! - at[1]!, to[2]! - at[2]!)
          const near = radius + way
          if (away > reach + near) continue
          const offset = offsetOf(s, p)
          const i = present.get(key(s, p))
          let first = i === undefined ? NaN : links.gaps[i]! + offset
          if (!(first - way > offset)) first = surface.distance(at[0]!, at[1]!, at[2]!, near, n)
          if (first - way > offset) continue
          // The particle may only graze the surface; a link without a force is cheap.
          if (i === undefined) add(s, p)
          const own = advance(surface, first, offset, 1)
          share = Math.min(share, own)
        }
      })
      return share
    },
  }

  /** Feasible share of the motion from `at`, whose distance is known, to `to`. @param most share requested */
  function advance(surface: Surface, first: number, offset: number, most: number): number {
    const [lx, ly, lz] = [to[0]! - at[0]!, to[1]! - at[1]!, to[2]! - at[2]!]
    const way = Math.sqrt(lx * lx + ly * ly + lz * lz)
    const core = first > CORE * offset ? CORE * offset : NEARER * first
    // A particle already inside is pushed out, whatever the motion.
    if (first <= 0 || first - way * most > core) return most
    let gone = 0
    let left = first
    for (let k = 0; k < ADVANCES; k++) {
      const further = (left - core) / way
      if (further < 1e-6 && k > 0) break
      gone += further
      if (gone >= most) return most
      left = surface.distance(at[0]! + gone * lx, at[1]! + gone * ly, at[2]! + gone * lz, Infinity, n)
    }
    return gone
  }
}

function sizeOf(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

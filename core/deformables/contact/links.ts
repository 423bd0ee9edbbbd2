/**
 * Links between particles, or between particles and carriers, that an implicit stage enforces by multipliers: contacts with friction, and ties.
 *
 * A link compares the weighted position of up to four particles (with signs: two edges, or a particle and a triangle) with a point of a carrier, if
 * it has one. A contact has a gap g ≥ 0 along a unit normal, and a slip s since the start of the step; a tie has an error e that must vanish. The
 * forces are those of the augmented Lagrangian [Alart and Curnier 1991; Powell 69], with multipliers λ, τ and penalties ρ:
 *
 *   normal   p = max(0, λ − ρ g)            potential p² / 2ρ
 *   friction t = τ − ρ sₜ, |t| ≤ μ λ           |t|² / 2ρ, or L |t| / ρ − L² / 2ρ beyond L = μ λ
 *   tie      τ − ρ e                             |τ − ρ e|² / 2ρ
 *   rod      λ − ρ (|x₁ − x₂| − l)               its square / 2ρ
 *
 * Gaps and normals follow the current geometry at every evaluation. Newton's method solves the stage for fixed multipliers; its potential is convex
 * except for the rotation of normals. Then λ ← p, τ ← t, until they converge. At convergence g = 0 where p > 0, and Coulomb's law holds, to the
 * tolerance. The penalties affect the rate of convergence, not the result.
 *
 * With a direct linear solver, the multipliers of ties and rods and of active contacts are unknowns of Newton's method too, by primal-dual active sets
 * [Hintermüller et al. 2003]. With residual force r, matrix H, error c and its derivative J, a step d and δλ solve H d − Jᵀ δλ = r, J d + δλ / σ = −c,
 * that is, (H + σ JᵀJ) d = r − σ Jᵀ c and δλ = −σ (c + J d). For σ → ∞ this is the step of the constrained problem. The potential above with the new
 * multipliers decreases along d, at the rate dᵀ H d + ρ c², for any ρ, as long as the active contacts are the same [Nocedal & Wright 2006, §18.2 and
 * §18.3].
 */

import type { Carriers } from './carriers'
import { ENTRY } from './link-memory'

/** Relative distance to its bound within which friction counts as sliding: the error of converged multipliers. */
const SLIDING_TOLERANCE = 1e-6
/** m: penetration up to which contacts are accepted: half of the accuracy promised for recorded positions. */
export const MAX_PENETRATION = 5e-10
/** m/s: sticking contacts move slower than this, and sliding ones faster in all but the first step from rest. */
const STILL = 1e-6

export const CONTACT = 0
export const TIE = 1
/** Two particles at a constant distance: a tie along the line between them. λ is its compressive force, negative in tension. */
export const ROD = 2

export class Links {
  count = 0
  private capacity = 64
  /** CONTACT, TIE or ROD. */
  kinds = new Uint8Array(this.capacity)
  /** The finder that made it, and its two features. */
  finders = new Uint8Array(this.capacity)
  first = new Int32Array(this.capacity)
  second = new Int32Array(this.capacity)
  /** 4 each, −1 for none, and their weights. */
  particles = new Int32Array(4 * this.capacity)
  weights = new Float64Array(4 * this.capacity)
  carriers = new Int32Array(this.capacity)
  /** From the carrier's centre of mass to the point, m, 3. */
  arms = new Float64Array(3 * this.capacity)
  /** Weights and arms of friction, fixed at the last renewal of multipliers, like `planes`. */
  frictionWeights = new Float64Array(4 * this.capacity)
  frictionArms = new Float64Array(3 * this.capacity)
  normals = new Float64Array(3 * this.capacity)
  /**
   * Normals of the planes of friction, fixed at the last renewal of multipliers so that forces have a potential between renewals; 0 before the first.
   */
  planes = new Float64Array(3 * this.capacity)
  /** m: contact distance along the normal. */
  offsets = new Float64Array(this.capacity)
  gaps = new Float64Array(this.capacity)
  /** m, 3: slip of a contact, or error of a tie. */
  slips = new Float64Array(3 * this.capacity)
  /** Coefficient of friction in use: static if the contact did not slide at the start of the step, otherwise dynamic. */
  friction = new Float64Array(this.capacity)
  /** μ_s: static coefficient. */
  statics = new Float64Array(this.capacity)
  /** μ_d: dynamic coefficient. */
  dynamics = new Float64Array(this.capacity)
  /** m: least separation of a contact with restitution in the step; NaN for others. */
  bounces = new Float64Array(this.capacity)
  /** Length of the stage ÷ time for which `bounces` was computed. */
  bounceShare = 1
  /** λ and τ, N; ρ, N/m. */
  pressures = new Float64Array(this.capacity)
  /** N: bound of friction: μ × the normal force at the last renewal of multipliers. */
  limits = new Float64Array(this.capacity)
  /** N: p. */
  presses = new Float64Array(this.capacity)
  rubs = new Float64Array(3 * this.capacity)
  penalties = new Float64Array(this.capacity)
  /** N/m: σ of links whose multipliers are unknowns; 0 for others. */
  holds = new Float64Array(this.capacity)
  /** N, 3: force on the particles' side. */
  forces = new Float64Array(3 * this.capacity)
  /** m: deepest penetration of all contacts at the last renewal of multipliers. */
  violation = 0

  constructor(readonly all: Carriers) {}

  /**
   * Whether a contact of several particles, or with a moving body, has pressed in this step: such contacts are often redundant, and change their active set
   * together. Near ones without a force do not count.
   */
  shared = false

  /**
   * Whether the multipliers of contacts are fixed from now on. As unknowns of Newton's method those of nearly redundant contacts converge slowly: the rest of
   * their gaps, 1e-11 m, shrinks by 1 ÷ (1 + σ × compliance) an iteration.
   */
  settled = false

  /** Number of links at the last `keep`, and their multipliers. */
  private kept = 0
  private keptPressures = new Float64Array(0)
  private keptRubs = new Float64Array(0)

  /** Number of renewals of the multipliers in this step. */
  renewals = 0

  /** Stores the multipliers for `restore`. */
  keep(): void {
    this.kept = this.count
    if (this.keptPressures.length < this.count) {
      this.keptPressures = new Float64Array(this.capacity)
      this.keptRubs = new Float64Array(3 * this.capacity)
    }
    this.keptPressures.set(this.pressures.subarray(0, this.count))
    this.keptRubs.set(this.rubs.subarray(0, 3 * this.count))
  }

  restore(): void {
    this.pressures.set(this.keptPressures.subarray(0, this.kept))
    this.rubs.set(this.keptRubs.subarray(0, 3 * this.kept))
  }

  clear(): void {
    this.count = 0
    this.shared = false
    this.settled = false
    this.renewals = 0
    this.bounceShare = 1
  }

  /** N/m: σ of link i; 0 if its multiplier is not an unknown at present. */
  holdOf(i: number): number {
    return this.settled && this.kinds[i] === CONTACT ? 0 : this.holds[i]!
  }

  /** State of links with a force: 8 numbers a link: its finder, its features, λ and τ, and 1 if it slid. */
  get memory(): Float64Array {
    const { finders, first, second, pressures, rubs, friction } = this
    const kept = new Float64Array(ENTRY * this.count)
    let at = 0
    for (let i = 0; i < this.count; i++) {
      const k = 3 * i
      if (pressures[i]! === 0 && rubs[k]! === 0 && rubs[k + 1]! === 0 && rubs[k + 2]! === 0) continue
      kept[at] = finders[i]!
      kept[at + 1] = first[i]!
      kept[at + 2] = second[i]!
      kept[at + 3] = pressures[i]!
      for (let c = 0; c < 3; c++) kept[at + 4 + c] = rubs[k + c]!
      kept[at + 7] = sizeAt(rubs, k) >= (1 - SLIDING_TOLERANCE) * friction[i]! * pressures[i]! ? 1 : 0
      at += ENTRY
    }
    return kept.slice(0, at)
  }

  /** Restores the multipliers of links that existed before. */
  remember(memory: Float64Array): void {
    if (memory.length === 0) return
    const { finders, first, second } = this
    /** By finder and features; made only if the links are not in the order of the last step, as rods are. */
    let places: Map<string, number> | null = null
    let next = 0
    for (let i = 0; i < this.count; i++) {
      let k: number | undefined = next
      if (next < memory.length && memory[next] === finders[i] && memory[next + 1] === first[i] && memory[next + 2] === second[i]) {
        next += ENTRY
      } else {
        places ??= placesIn(memory)
        k = places.get(`${finders[i]} ${first[i]} ${second[i]}`)
      }
      if (k === undefined || !Number.isNaN(this.bounces[i]!)) continue
      this.pressures[i] = memory[k + 3]!
      if (memory[k + 7] === 0) this.friction[i] = this.statics[i]!
      this.limits[i] = this.friction[i]! * this.pressures[i]!
      this.rubs.set(memory.subarray(k + 4, k + 7), 3 * i)
    }
  }

  /** Adds a link with zero multipliers. @returns its number */
  add(kind: number, finder: number, a: number, b: number): number {
    if (this.count === this.capacity) this.grow()
    const i = this.count++
    this.kinds[i] = kind
    this.finders[i] = finder
    this.first[i] = a
    this.second[i] = b
    const { particles, weights, frictionWeights, rubs, slips, forces, arms, frictionArms, normals, planes } = this
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      particles[k] = -1
      weights[k] = frictionWeights[k] = 0
    }
    this.carriers[i] = -1
    this.bounces[i] = NaN
    this.friction[i] = this.statics[i] = this.dynamics[i] = this.limits[i] = this.offsets[i] = 0
    this.pressures[i] = this.presses[i] = this.penalties[i] = this.holds[i] = 0
    for (let k = 3 * i; k < 3 * i + 3; k++) rubs[k] = slips[k] = forces[k] = arms[k] = frictionArms[k] = normals[k] = planes[k] = 0
    return i
  }

  /** Sets Coulomb's coefficients of a new contact: one with tangential motion at its start counts as sliding until the last step says otherwise. */
  rub(i: number, sticking: number, sliding: number, speed: number): void {
    this.statics[i] = sticking
    this.dynamics[i] = sliding
    this.friction[i] = speed <= STILL ? sticking : sliding
  }

  /**
   * After convergence: contacts that static friction does not hold get the dynamic coefficient for the whole step.
   *
   * @param length s, of the step
   * @returns whether there are any
   */
  slip(length: number): boolean {
    const { count, kinds, friction, statics, dynamics, pressures, rubs, slips, normals } = this
    let any = false
    for (let i = 0; i < count; i++) {
      if (kinds[i] !== CONTACT || friction[i] !== statics[i] || !(dynamics[i]! < statics[i]!) || !(pressures[i]! > 0)) continue
      const k = 3 * i
      if (sizeAt(rubs, k) < (1 - SLIDING_TOLERANCE) * friction[i]! * pressures[i]!) continue
      const along = slips[k]! * normals[k]! + slips[k + 1]! * normals[k + 1]! + slips[k + 2]! * normals[k + 2]!
      const way = sizeAt(slips, k)
      if (way * way - along * along <= STILL * length * (STILL * length)) continue
      friction[i] = dynamics[i]!
      this.limits[i] = friction[i]! * pressures[i]!
      any = true
    }
    return any
  }

  private grow(): void {
    this.capacity *= 2
    const larger = <T extends Float64Array | Int32Array | Uint8Array>(old: T): T => {
      const copy = new (old.constructor as new (n: number) => T)(2 * old.length)
      copy.set(old)
      return copy
    }
    this.kinds = larger(this.kinds)
    this.finders = larger(this.finders)
    this.first = larger(this.first)
    this.second = larger(this.second)
    this.particles = larger(this.particles)
    this.weights = larger(this.weights)
    this.carriers = larger(this.carriers)
    this.arms = larger(this.arms)
    this.frictionWeights = larger(this.frictionWeights)
    this.frictionArms = larger(this.frictionArms)
    this.normals = larger(this.normals)
    this.planes = larger(this.planes)
    this.offsets = larger(this.offsets)
    this.gaps = larger(this.gaps)
    this.slips = larger(this.slips)
    this.friction = larger(this.friction)
    this.statics = larger(this.statics)
    this.dynamics = larger(this.dynamics)
    this.bounces = larger(this.bounces)
    this.pressures = larger(this.pressures)
    this.limits = larger(this.limits)
    this.presses = larger(this.presses)
    this.rubs = larger(this.rubs)
    this.penalties = larger(this.penalties)
    this.holds = larger(this.holds)
    this.forces = larger(this.forces)
  }

  /** Updates `shared` from the present forces. @returns whether it has become true */
  share(): boolean {
    if (this.shared) return false
    for (let i = 0; i < this.count; i++) if (this.isShared(i) && (this.pressures[i]! > 0 || this.presses[i]! > 0)) this.shared = true
    return this.shared
  }

  private isShared(i: number): boolean {
    const c = this.carriers[i]!
    return this.kinds[i] === CONTACT && (this.particles[4 * i + 1]! >= 0 || (c >= 0 && this.all.blocks[c]! >= 0))
  }

  /** N/m: greatest penalty. */
  get stiffest(): number {
    let most = 0
    for (let i = 0; i < this.count; i++) most = Math.max(most, this.penalties[i]!)
    return most
  }
}

function placesIn(memory: Float64Array): Map<string, number> {
  const places = new Map<string, number>()
  for (let k = 0; k < memory.length; k += ENTRY) places.set(`${memory[k]} ${memory[k + 1]} ${memory[k + 2]}`, k)
  return places
}

function sizeAt(v: Float64Array, k: number): number {
  return Math.sqrt(v[k]! * v[k]! + v[k + 1]! * v[k + 1]! + v[k + 2]! * v[k + 2]!)
}

/**
 * Links between particles, or between particles and carriers, that an implicit stage keeps by multipliers: contacts with friction, and ties.
 *
 * A link compares the weighted position of up to four particles (signs may differ: two edges, or a particle and a triangle) with a point of a carrier, if it
 * has one. A contact has a gap g ≥ 0 along a unit normal, and a slip s since the start of the step; a tie has an error e that has to vanish. The forces are
 * those of the augmented Lagrangian [Alart & Curnier 91; Powell 69], with multipliers λ, τ and penalties ρ:
 *
 *   normal   p = max(0, λ − ρ g)            potential p² / 2ρ
 *   friction t = τ − ρ sₜ, |t| ≤ μ λ           |t|² / 2ρ, or L |t| / ρ − L² / 2ρ beyond L = μ λ
 *   tie      τ − ρ e                             |τ − ρ e|² / 2ρ
 *   rod      λ − ρ (|x₁ − x₂| − l)               its square / 2ρ
 *
 * Gaps and normals are those of where things are, at every evaluation. Newton's method finds the stage for given multipliers, whose potential is convex
 * but for the turning of normals; then λ ← p, τ ← t, until they stand. At the end g = 0 where p > 0, and Coulomb's law holds, to the tolerance; the penalties
 * decide how soon, not what comes out.
 *
 * Where systems are solved directly, multipliers of ties and rods, which hold whatever comes, and of contacts while they press are unknowns of Newton's method
 * too [primal-dual active set, Hintermüller et al. 2003]: with residual force r, matrix H, error c and its derivative J, a step d and δλ solve
 * H d − Jᵀ δλ = r, J d + δλ / σ = −c, that is, (H + σ JᵀJ) d = r − σ Jᵀ c and δλ = −σ (c + J d). For σ → ∞ this is the step of the constrained problem; the
 * potential above with the new multipliers falls along d, at the rate dᵀ H d + ρ c², for any ρ, while the same contacts press [Nocedal & Wright 2006, §18.2 and
 * §18.3].
 */

import type { Carriers } from './carriers'

/** Numbers a link in the memory of a step. */
const REMEMBERED = 8
/** Share of its bound by which friction that slides may miss it: what multipliers leave when they stand. */
const SLID = 1e-6
/** m/s: what is at rest moves by less, and what slides by more in all but the first step from rest. */
const STILL = 1e-6

export const CONTACT = 0
export const TIE = 1
/** Two particles at a distance that stays: a tie along the line between them only. Its λ is the push along it, negative where it pulls. */
export const ROD = 2

export class Links {
  count = 0
  private capacity = 64
  /** CONTACT, TIE or ROD. */
  kinds = new Uint8Array(this.capacity)
  /** Which finder made it, and of which two features. */
  finders = new Uint8Array(this.capacity)
  first = new Int32Array(this.capacity)
  second = new Int32Array(this.capacity)
  /** 4 each, −1 for none, and their weights. */
  particles = new Int32Array(4 * this.capacity)
  weights = new Float64Array(4 * this.capacity)
  carriers = new Int32Array(this.capacity)
  /** From the carrier's centre of mass to the point, m, 3. */
  arms = new Float64Array(3 * this.capacity)
  /** Weights and arms with which friction acts: those of when multipliers were last renewed, as `planes`. */
  grips = new Float64Array(4 * this.capacity)
  gripArms = new Float64Array(3 * this.capacity)
  normals = new Float64Array(3 * this.capacity)
  /** Normals of the planes in which friction acts, those of when multipliers were last renewed: between, forces are those of a potential; 0 before. */
  planes = new Float64Array(3 * this.capacity)
  /** m, beside the normal: at which distance it touches. */
  offsets = new Float64Array(this.capacity)
  gaps = new Float64Array(this.capacity)
  /** m, 3: slip, or a tie's error. */
  slips = new Float64Array(3 * this.capacity)
  /** Coefficient in force: that of what sticks where nothing slid at the start of the step, else that of what slides. */
  friction = new Float64Array(this.capacity)
  /** μ_s: coefficient of what sticks. */
  statics = new Float64Array(this.capacity)
  /** m: a contact that bounces has to part by so much in the step; NaN of others. */
  bounces = new Float64Array(this.capacity)
  /** λ and τ, N; ρ, N/m. */
  pressures = new Float64Array(this.capacity)
  /** N: what friction is at most: μ × the pressure of when multipliers were last renewed. */
  limits = new Float64Array(this.capacity)
  /** N: p. */
  presses = new Float64Array(this.capacity)
  rubs = new Float64Array(3 * this.capacity)
  penalties = new Float64Array(this.capacity)
  /** N/m: σ of links whose multipliers are unknowns; 0 of others. */
  holds = new Float64Array(this.capacity)
  /** N, 3: on the particles' side. */
  forces = new Float64Array(3 * this.capacity)
  /** m: deepest of all contacts when multipliers were last renewed. */
  violation = 0

  constructor(readonly all: Carriers) {}

  clear(): void {
    this.count = 0
  }

  /** What presses, and with which multipliers: 8 numbers a link: its finder, its features, λ and τ, and 1 where it slid. */
  get memory(): Float64Array {
    const { finders, first, second, pressures, rubs, friction } = this
    const kept: number[] = []
    for (let i = 0; i < this.count; i++) {
      const [x, y, z] = [rubs[3 * i]!, rubs[3 * i + 1]!, rubs[3 * i + 2]!]
      if (pressures[i]! !== 0 || x !== 0 || y !== 0 || z !== 0) {
        const slid = Math.sqrt(x * x + y * y + z * z) >= (1 - SLID) * friction[i]! * pressures[i]!
        kept.push(finders[i]!, first[i]!, second[i]!, pressures[i]!, x, y, z, slid ? 1 : 0)
      }
    }
    return Float64Array.from(kept)
  }

  /** Gives links that were there before the multipliers that they had. */
  remember(memory: Float64Array): void {
    const places = new Map<string, number>()
    for (let k = 0; k < memory.length; k += REMEMBERED) places.set(`${memory[k]} ${memory[k + 1]} ${memory[k + 2]}`, k)
    if (places.size === 0) return
    for (let i = 0; i < this.count; i++) {
      const k = places.get(`${this.finders[i]} ${this.first[i]} ${this.second[i]}`)
      if (k === undefined || !Number.isNaN(this.bounces[i]!)) continue
      this.pressures[i] = memory[k + 3]!
      if (memory[k + 7] === 0) this.friction[i] = this.statics[i]!
      this.limits[i] = this.friction[i]! * this.pressures[i]!
      this.rubs.set(memory.subarray(k + 4, k + 7), 3 * i)
    }
  }

  /** A new link without multipliers. @returns its number */
  add(kind: number, finder: number, a: number, b: number): number {
    if (this.count === this.capacity) this.grow()
    const i = this.count++
    this.kinds[i] = kind
    this.finders[i] = finder
    this.first[i] = a
    this.second[i] = b
    this.particles.fill(-1, 4 * i, 4 * i + 4)
    this.weights.fill(0, 4 * i, 4 * i + 4)
    this.grips.fill(0, 4 * i, 4 * i + 4)
    this.carriers[i] = -1
    this.bounces[i] = NaN
    this.friction[i] = this.statics[i] = this.limits[i] = this.pressures[i] = this.penalties[i] = this.holds[i] = this.offsets[i] = 0
    for (const three of [this.rubs, this.slips, this.forces, this.arms, this.gripArms, this.normals, this.planes]) three.fill(0, 3 * i, 3 * i + 3)
    return i
  }

  /**
   * Coulomb's coefficients of a new contact: what moves along at its start slides, until it is known from the step before.
   *
   * @param speed m/s, of its sides relative to each other
   */
  rub(i: number, sticking: number, sliding: number, speed: number): void {
    this.statics[i] = sticking
    this.friction[i] = speed <= STILL ? sticking : sliding
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
    this.grips = larger(this.grips)
    this.gripArms = larger(this.gripArms)
    this.normals = larger(this.normals)
    this.planes = larger(this.planes)
    this.offsets = larger(this.offsets)
    this.gaps = larger(this.gaps)
    this.slips = larger(this.slips)
    this.friction = larger(this.friction)
    this.statics = larger(this.statics)
    this.bounces = larger(this.bounces)
    this.pressures = larger(this.pressures)
    this.limits = larger(this.limits)
    this.presses = larger(this.presses)
    this.rubs = larger(this.rubs)
    this.penalties = larger(this.penalties)
    this.holds = larger(this.holds)
    this.forces = larger(this.forces)
  }

  /** Whether there is a contact of several things that move: such are often more than hold something. */
  get shared(): boolean {
    for (let i = 0; i < this.count; i++) if (this.sharedAt(i)) return true
    return false
  }

  private sharedAt(i: number): boolean {
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

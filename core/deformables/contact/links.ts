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
 *
 * Newton's method finds the stage for given multipliers, whose potential is convex but for the turning of normals; then λ ← p, τ ← t, until they
 * stand. At the end g = 0 where p > 0, and Coulomb's law holds, to the tolerance; the penalties decide how soon, not what comes out.
 */

import type { StageSums } from '../energy'
import type { Carriers } from './carriers'

export const CONTACT = 0
export const TIE = 1

/** Penalty, × what ties force to displacement at its lightest side: what is left of a gap falls by about this factor with each renewal of the multipliers. */
const PENALTY = 100
/**
 * The same where there are contacts of several particles, or with a body that moves: these switch on and off with each other, and Newton's method takes short
 * steps where that is hard. All contacts are as hard then: one that is harder than its neighbour makes steps short again.
 */
const SHARED_PENALTY = 10

/** A penalty that is too small grows by this, so often at most in a step. */
const HARDER = 4
const HARDENINGS = 6

/** Share of its depth that renewing the multipliers may leave of a contact before its penalty grows [Powell 69]. */
const SLOW = 0.25
/** m: what is less deep is as good as on the surface. */
const DEEP = 1e-10

export class Links {
  count = 0
  private room = 64
  /** CONTACT or TIE. */
  kinds = new Uint8Array(this.room)
  /** Which finder made it, and of which two features. */
  finders = new Uint8Array(this.room)
  first = new Int32Array(this.room)
  second = new Int32Array(this.room)
  /** 4 each, −1 for none, and their weights. */
  particles = new Int32Array(4 * this.room)
  weights = new Float64Array(4 * this.room)
  carriers = new Int32Array(this.room)
  /** From the carrier's centre of mass to the point, m, 3. */
  arms = new Float64Array(3 * this.room)
  normals = new Float64Array(3 * this.room)
  /** Normals of the planes in which friction acts, those of when multipliers were last renewed: between, forces are those of a potential; 0 before. */
  planes = new Float64Array(3 * this.room)
  /** m, beside the normal: at which distance it touches. */
  offsets = new Float64Array(this.room)
  gaps = new Float64Array(this.room)
  /** m, 3: slip, or a tie's error. */
  slips = new Float64Array(3 * this.room)
  friction = new Float64Array(this.room)
  /** How often its penalty grew in this step. */
  hardened = new Uint8Array(this.room)
  /** m: a contact that bounces has to part by so much in the step; NaN of others. */
  bounces = new Float64Array(this.room)
  /** λ and τ, N; ρ, N/m. */
  pressures = new Float64Array(this.room)
  /** N: p. */
  presses = new Float64Array(this.room)
  rubs = new Float64Array(3 * this.room)
  penalties = new Float64Array(this.room)
  /** N, 3: on the particles' side. */
  forces = new Float64Array(3 * this.room)
  /** N/m, 9. */
  private stiffness = new Float64Array(9 * this.room)
  /** m: how deep each contact was when multipliers were last renewed; Infinity before. */
  depths = new Float64Array(this.room)
  /** m: deepest of all contacts when multipliers were last renewed. */
  violation = 0
  private readonly u = new Float64Array(3)

  constructor(private readonly all: Carriers) {}

  clear(): void {
    this.count = 0
  }

  /** What presses, and with which multipliers: 7 numbers a link: its finder, its features, λ and τ. */
  get memory(): Float64Array {
    const { finders, first, second, pressures, rubs } = this
    const kept: number[] = []
    for (let i = 0; i < this.count; i++) {
      const [x, y, z] = [rubs[3 * i]!, rubs[3 * i + 1]!, rubs[3 * i + 2]!]
      if (pressures[i]! > 0 || x !== 0 || y !== 0 || z !== 0) kept.push(finders[i]!, first[i]!, second[i]!, pressures[i]!, x, y, z)
    }
    return Float64Array.from(kept)
  }

  /** Gives links that were there before the multipliers that they had. */
  remember(memory: Float64Array): void {
    const places = new Map<string, number>()
    for (let k = 0; k < memory.length; k += 7) places.set(`${memory[k]} ${memory[k + 1]} ${memory[k + 2]}`, k)
    if (places.size === 0) return
    for (let i = 0; i < this.count; i++) {
      const k = places.get(`${this.finders[i]} ${this.first[i]} ${this.second[i]}`)
      if (k === undefined || !Number.isNaN(this.bounces[i]!)) continue
      this.pressures[i] = memory[k + 3]!
      this.rubs.set(memory.subarray(k + 4, k + 7), 3 * i)
    }
  }

  /** A new link without multipliers. @returns its number */
  add(kind: number, finder: number, a: number, b: number): number {
    if (this.count === this.room) this.grow()
    const i = this.count++
    this.kinds[i] = kind
    this.finders[i] = finder
    this.first[i] = a
    this.second[i] = b
    this.particles.fill(-1, 4 * i, 4 * i + 4)
    this.weights.fill(0, 4 * i, 4 * i + 4)
    this.carriers[i] = -1
    this.bounces[i] = NaN
    this.hardened[i] = 0
    this.depths[i] = Infinity
    this.friction[i] = this.pressures[i] = this.penalties[i] = this.offsets[i] = 0
    for (const three of [this.rubs, this.slips, this.forces, this.arms, this.normals, this.planes]) three.fill(0, 3 * i, 3 * i + 3)
    return i
  }

  private grow(): void {
    this.room *= 2
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
    this.normals = larger(this.normals)
    this.planes = larger(this.planes)
    this.offsets = larger(this.offsets)
    this.gaps = larger(this.gaps)
    this.slips = larger(this.slips)
    this.friction = larger(this.friction)
    this.hardened = larger(this.hardened)
    this.depths = larger(this.depths)
    this.bounces = larger(this.bounces)
    this.pressures = larger(this.pressures)
    this.presses = larger(this.presses)
    this.rubs = larger(this.rubs)
    this.penalties = larger(this.penalties)
    this.forces = larger(this.forces)
    this.stiffness = larger(this.stiffness)
  }

  /** Penalties of links that have none. @param impedances what ties force to displacement at each block, N/m; held ones do not count */
  weigh(impedances: Float64Array, held: Uint8Array): void {
    const { particles, weights, carriers, penalties, all: { blocks } } = this
    const soft = this.shared
    for (let i = 0; i < this.count; i++) {
      if (penalties[i]! > 0) continue
      let least = Infinity
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        const p = particles[k]!
        if (p >= 0 && !held[p] && Math.abs(weights[k]!) > 0.2) least = Math.min(least, impedances[p]!)
      }
      const block = carriers[i]! < 0 ? -1 : blocks[carriers[i]!]!
      if (least === Infinity && block >= 0) least = impedances[block]!
      penalties[i] = (soft && this.kinds[i] === CONTACT ? SHARED_PENALTY : PENALTY) * (least === Infinity ? 1 : least)
    }
  }

  /** A contact through which something would have passed pushes harder: its penalty is too small for what presses. */
  harden(i: number): void {
    if (this.hardened[i]! >= HARDENINGS) return
    this.hardened[i]!++
    this.penalties[i] = HARDER * this.penalties[i]!
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

  /** Forces at the geometry as it is, and their derivative; adds their potential and raises the largest force. */
  evaluate(sums: StageSums): void {
    const { kinds, pressures, presses, penalties, gaps, bounces, normals, planes, slips, rubs, friction, forces, stiffness } = this
    for (let i = 0; i < this.count; i++) {
      const k = 3 * i
      const K = 9 * i
      const rho = penalties[i]!
      if (kinds[i] === TIE) {
        let square = 0
        for (let c = 0; c < 3; c++) {
          forces[k + c] = rubs[k + c]! - rho * slips[k + c]!
          square += forces[k + c]! * forces[k + c]!
          for (let d = 0; d < 3; d++) stiffness[K + 3 * c + d] = c === d ? rho : 0
        }
        sums.potential += square / (2 * rho)
        sums.largest = Math.max(sums.largest, Math.sqrt(square))
        continue
      }
      const nx = normals[k]!
      const ny = normals[k + 1]!
      const nz = normals[k + 2]!
      const along = nx * slips[k]! + ny * slips[k + 1]! + nz * slips[k + 2]!
      const gap = Number.isNaN(bounces[i]!) ? gaps[i]! : along - bounces[i]!
      const p = Math.max(0, pressures[i]! - rho * gap)
      presses[i] = p
      forces[k] = p * nx
      forces[k + 1] = p * ny
      forces[k + 2] = p * nz
      sums.potential += (p * p) / (2 * rho)
      sums.largest = Math.max(sums.largest, p)
      const limit = friction[i]! * pressures[i]!
      let [tx, ty, tz] = [0, 0, 0]
      let [mx, my, mz] = [planes[k]!, planes[k + 1]!, planes[k + 2]!]
      if (mx === 0 && my === 0 && mz === 0) [mx, my, mz] = planesOf(planes, normals, k)
      let size = 0
      if (limit > 0) {
        tx = rubs[k]! - rho * slips[k]!
        ty = rubs[k + 1]! - rho * slips[k + 1]!
        tz = rubs[k + 2]! - rho * slips[k + 2]!
        const off = tx * mx + ty * my + tz * mz
        tx -= off * mx
        ty -= off * my
        tz -= off * mz
        size = Math.sqrt(tx * tx + ty * ty + tz * tz)
        const share = size > limit ? limit / size : 1
        forces[k]! += share * tx
        forces[k + 1]! += share * ty
        forces[k + 2]! += share * tz
        sums.potential += size > limit ? (limit * size - 0.5 * limit * limit) / rho : (size * size) / (2 * rho)
      }
      // ρ n nᵀ where it presses; ρ (1 − n nᵀ) where it sticks; ρ L/|t| (1 − n nᵀ − t tᵀ/|t|²) where it slides.
      const normal = p > 0 ? rho : 0
      const slides = size > limit
      const across = limit === 0 ? 0 : slides ? (rho * limit) / size : rho
      const off = slides ? across / (size * size) : 0
      stiffness[K] = across * (1 - mx * mx) + normal * nx * nx - off * tx * tx
      stiffness[K + 4] = across * (1 - my * my) + normal * ny * ny - off * ty * ty
      stiffness[K + 8] = across * (1 - mz * mz) + normal * nz * nz - off * tz * tz
      stiffness[K + 1] = stiffness[K + 3] = normal * nx * ny - across * mx * my - off * tx * ty
      stiffness[K + 2] = stiffness[K + 6] = normal * nx * nz - across * mx * mz - off * tx * tz
      stiffness[K + 5] = stiffness[K + 7] = normal * ny * nz - across * my * mz - off * ty * tz
    }
  }

  /** Adds the forces to all blocks. */
  addForces(f: Float64Array): void {
    for (let i = 0; i < this.count; i++) this.spread(i, this.forces[3 * i]!, this.forces[3 * i + 1]!, this.forces[3 * i + 2]!, f)
  }

  /** Adds what a force on the particles' side is to each block. */
  private spread(i: number, x: number, y: number, z: number, f: Float64Array): void {
    if (x === 0 && y === 0 && z === 0) return
    const { particles, weights, carriers, arms, all: { blocks, inverseRoots: B } } = this
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      const p = particles[k]!
      if (p < 0) continue
      const w = weights[k]!
      f[3 * p]! += w * x
      f[3 * p + 1]! += w * y
      f[3 * p + 2]! += w * z
    }
    const c = carriers[i]!
    const block = c < 0 ? -1 : blocks[c]!
    if (block < 0) return
    f[3 * block]! -= x
    f[3 * block + 1]! -= y
    f[3 * block + 2]! -= z
    const [rx, ry, rz] = [arms[3 * i]!, arms[3 * i + 1]!, arms[3 * i + 2]!]
    const [mx, my, mz] = [ry * z - rz * y, rz * x - rx * z, rx * y - ry * x]
    const t = 3 * block + 3
    const b = 9 * c
    f[t]! -= B[b]! * mx + B[b + 1]! * my + B[b + 2]! * mz
    f[t + 1]! -= B[b + 3]! * mx + B[b + 4]! * my + B[b + 5]! * mz
    f[t + 2]! -= B[b + 6]! * mx + B[b + 7]! * my + B[b + 8]! * mz
  }

  /** What the particles' side moves by relative to the carrier, where blocks move by d. */
  private relative(i: number, d: Float64Array): void {
    const { particles, weights, carriers, arms, u, all: { blocks, inverseRoots: B } } = this
    let [x, y, z] = [0, 0, 0]
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      const p = particles[k]!
      if (p < 0) continue
      const w = weights[k]!
      x += w * d[3 * p]!
      y += w * d[3 * p + 1]!
      z += w * d[3 * p + 2]!
    }
    const c = carriers[i]!
    const block = c < 0 ? -1 : blocks[c]!
    if (block >= 0) {
      const t = 3 * block + 3
      const b = 9 * c
      const [ax, ay, az] = [d[t]!, d[t + 1]!, d[t + 2]!]
      const ox = B[b]! * ax + B[b + 3]! * ay + B[b + 6]! * az
      const oy = B[b + 1]! * ax + B[b + 4]! * ay + B[b + 7]! * az
      const oz = B[b + 2]! * ax + B[b + 5]! * ay + B[b + 8]! * az
      const [rx, ry, rz] = [arms[3 * i]!, arms[3 * i + 1]!, arms[3 * i + 2]!]
      x -= d[3 * block]! + oy * rz - oz * ry
      y -= d[3 * block + 1]! + oz * rx - ox * rz
      z -= d[3 * block + 2]! + ox * ry - oy * rx
    }
    u[0] = x
    u[1] = y
    u[2] = z
  }

  /** Adds the links' part of the matrix × x to y. */
  addProduct(x: Float64Array, y: Float64Array): void {
    const { stiffness: S, u } = this
    for (let i = 0; i < this.count; i++) {
      const K = 9 * i
      if (S[K] === 0 && S[K + 4] === 0 && S[K + 8] === 0) continue
      this.relative(i, x)
      this.spread(i, S[K]! * u[0]! + S[K + 1]! * u[1]! + S[K + 2]! * u[2]!, S[K + 3]! * u[0]! + S[K + 4]! * u[1]! + S[K + 5]! * u[2]!,
        S[K + 6]! * u[0]! + S[K + 7]! * u[1]! + S[K + 8]! * u[2]!, y)
    }
  }

  /** Adds the diagonal blocks of the links' part to those of a matrix, by its first numbers of each block row. @returns whether that is all of it */
  addDiagonal(starts: Int32Array, values: Float64Array): boolean {
    const { stiffness: S, particles, weights, carriers, arms, all: { blocks, inverseRoots: B } } = this
    let whole = true
    for (let i = 0; i < this.count; i++) {
      const K = 9 * i
      if (S[K] === 0 && S[K + 4] === 0 && S[K + 8] === 0) continue
      let sides = 0
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        const p = particles[k]!
        if (p < 0) continue
        sides++
        const square = weights[k]! * weights[k]!
        const at = 9 * (starts[p + 1]! - 1)
        for (let e = 0; e < 9; e++) values[at + e]! += square * S[K + e]!
      }
      const c = carriers[i]!
      const block = c < 0 ? -1 : blocks[c]!
      if (block >= 0) {
        sides++
        const at = 9 * (starts[block + 1]! - 1)
        const turn = 9 * (starts[block + 2]! - 1)
        for (let e = 0; e < 9; e++) values[at + e]! += S[K + e]!
        // G = [r]× L⁻ᵀ: what turning does to the point; its columns are r × (rows of L⁻¹).
        const [rx, ry, rz] = [arms[3 * i]!, arms[3 * i + 1]!, arms[3 * i + 2]!]
        for (let e = 0; e < 3; e++) {
          const [bx, by, bz] = [B[9 * c + 3 * e]!, B[9 * c + 3 * e + 1]!, B[9 * c + 3 * e + 2]!]
          const [gx, gy, gz] = [ry * bz - rz * by, rz * bx - rx * bz, rx * by - ry * bx]
          const [sx, sy, sz] = [S[K]! * gx + S[K + 1]! * gy + S[K + 2]! * gz, S[K + 3]! * gx + S[K + 4]! * gy + S[K + 5]! * gz,
            S[K + 6]! * gx + S[K + 7]! * gy + S[K + 8]! * gz]
          for (let q = 0; q < 3; q++) {
            const [ex, ey, ez] = [B[9 * c + 3 * q]!, B[9 * c + 3 * q + 1]!, B[9 * c + 3 * q + 2]!]
            values[turn + 3 * e + q]! += sx * (ry * ez - rz * ey) + sy * (rz * ex - rx * ez) + sz * (rx * ey - ry * ex)
          }
        }
      }
      if (sides > 1) whole = false
    }
    return whole
  }

  /** λ ← p, τ ← t. @returns the largest change of a force, N */
  renew(): number {
    const { kinds, forces, normals, planes, pressures, presses, rubs } = this
    let open = 0
    for (let i = 0; i < this.count; i++) {
      const k = 3 * i
      const p = kinds[i] === TIE ? 0 : presses[i]!
      open = Math.max(open, Math.abs(p - pressures[i]!))
      pressures[i] = p
      for (let c = 0; c < 3; c++) {
        const t = forces[k + c]! - p * normals[k + c]!
        open = Math.max(open, Math.abs(t - rubs[k + c]!))
        rubs[k + c] = t
        planes[k + c] = normals[k + c]!
      }
    }
    return open
  }

  /** How deep contacts are after multipliers were renewed. One that is not much less deep than the time before has too small a penalty. */
  measure(): void {
    const { kinds, gaps, bounces } = this
    this.violation = 0
    for (let i = 0; i < this.count; i++) {
      if (kinds[i] !== CONTACT || !Number.isNaN(bounces[i]!)) continue
      const depth = Math.max(0, -gaps[i]!)
      if (depth > Math.max(SLOW * this.depths[i]!, DEEP)) this.harden(i)
      this.depths[i] = depth
      this.violation = Math.max(this.violation, depth)
    }
  }
}

/** A link's plane of friction, where it has none yet, is that of its normal. */
function planesOf(planes: Float64Array, normals: Float64Array, k: number): [number, number, number] {
  for (let c = k; c < k + 3; c++) planes[c] = normals[c]!
  return [normals[k]!, normals[k + 1]!, normals[k + 2]!]
}

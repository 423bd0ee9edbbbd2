/** Forces of links for given multipliers, their potential, and their part of the stage's matrix, which is not assembled. */

import type { StageSums } from '../condition'
import { linkBlocks, relativeMove, spreadForce } from './link-geometry'
import { CONTACT, ROD, TIE, type Links } from './links'

export class LinkForces {
  /** N/m, 9 each: derivative of the force with respect to the displacement of the particles' side relative to the carrier. */
  private stiffness = new Float64Array(0)
  /** The same for friction, with respect to the displacement of its own points. */
  private rubbing = new Float64Array(0)
  /** 1 for contacts whose friction is below its bound. */
  private sticking = new Uint8Array(0)
  /** By link: which of its terms the matrix has, now and when it was last assembled. */
  private terms = new Uint8Array(0)
  private assembled = new Uint8Array(0)
  private assembledCount = -1
  private assembledSettled = false
  private readonly u = new Float64Array(3)

  constructor(private readonly links: Links) {}

  /** Evaluates forces and derivatives at the current geometry; adds their potential and updates the largest force. */
  evaluate(sums: StageSums): void {
    const { count, kinds, pressures, presses, penalties, holds, gaps, bounces, bounceShare, normals, planes, slips, rubs, limits, forces } = this.links
    if (this.stiffness.length < 9 * count) {
      [this.stiffness, this.rubbing, this.sticking] = [new Float64Array(18 * count), new Float64Array(18 * count), new Uint8Array(2 * count)]
      this.terms = new Uint8Array(2 * count)
    }
    const { stiffness, rubbing, sticking, terms } = this
    rubbing.fill(0, 0, 9 * count)
    sticking.fill(0, 0, count)
    terms.fill(0, 0, count)
    for (let i = 0; i < count; i++) {
      const k = 3 * i
      const K = 9 * i
      const rho = penalties[i]!
      if (kinds[i] === TIE) {
        let square = 0
        for (let c = 0; c < 3; c++) {
          forces[k + c] = rubs[k + c]! - rho * slips[k + c]!
          square += forces[k + c]! * forces[k + c]!
          for (let d = 0; d < 3; d++) stiffness[K + 3 * c + d] = c === d ? Math.max(rho, holds[i]!) : 0
        }
        sums.potential += square / (2 * rho)
        sums.largest = Math.max(sums.largest, Math.sqrt(square))
        continue
      }
      if (kinds[i] === ROD) {
        this.rod(i, sums)
        continue
      }
      // Most links are near pairs without a force.
      if (pressures[i] === 0 && limits[i] === 0 && gaps[i]! >= 0 && Number.isNaN(bounces[i]!)) {
        presses[i] = forces[k] = forces[k + 1] = forces[k + 2] = 0
        stiffness[K] = stiffness[K + 4] = stiffness[K + 8] = 0
        continue
      }
      const nx = normals[k]!
      const ny = normals[k + 1]!
      const nz = normals[k + 2]!
      const along = nx * slips[k]! + ny * slips[k + 1]! + nz * slips[k + 2]!
      const gap = Number.isNaN(bounces[i]!) ? gaps[i]! : along - bounceShare * bounces[i]!
      const p = Math.max(0, pressures[i]! - rho * gap)
      presses[i] = p
      forces[k] = p * nx
      forces[k + 1] = p * ny
      forces[k + 2] = p * nz
      sums.potential += (p * p) / (2 * rho)
      sums.largest = Math.max(sums.largest, p)
      const limit = limits[i]!
      let tx = 0, ty = 0, tz = 0
      if (planes[k] === 0 && planes[k + 1] === 0 && planes[k + 2] === 0) planesOf(planes, normals, k)
      const mx = planes[k]!, my = planes[k + 1]!, mz = planes[k + 2]!
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
      // σ n nᵀ in contact; σ (1 − n nᵀ) if sticking; ρ L/|t| (1 − n nᵀ − t tᵀ/|t|²) if sliding.
      const normal = p > 0 ? Math.max(rho, this.links.holdOf(i)) : 0
      const slides = size > limit
      if (p > 0 && limit > 0 && !slides) sticking[i] = 1
      terms[i] = (p > 0 ? 1 : 0) + (limit === 0 ? 0 : slides ? 2 : 4)
      // Friction of a contact that has opened remains until the next renewal of multipliers; its multiplier is then not an unknown.
      const across = limit === 0 ? 0 : slides ? (rho * limit) / size : p > 0 ? Math.max(rho, this.links.holdOf(i)) : rho
      const off = slides ? across / (size * size) : 0
      rubbing[K] = across * (1 - mx * mx) - off * tx * tx
      rubbing[K + 4] = across * (1 - my * my) - off * ty * ty
      rubbing[K + 8] = across * (1 - mz * mz) - off * tz * tz
      rubbing[K + 1] = rubbing[K + 3] = -across * mx * my - off * tx * ty
      rubbing[K + 2] = rubbing[K + 6] = -across * mx * mz - off * tx * tz
      rubbing[K + 5] = rubbing[K + 7] = -across * my * mz - off * ty * tz
      stiffness[K] = normal * nx * nx
      stiffness[K + 4] = normal * ny * ny
      stiffness[K + 8] = normal * nz * nz
      stiffness[K + 1] = stiffness[K + 3] = normal * nx * ny
      stiffness[K + 2] = stiffness[K + 6] = normal * nx * nz
      stiffness[K + 5] = stiffness[K + 7] = normal * ny * nz
    }
  }

  /** A rod; its offset is its rest length. */
  private rod(i: number, sums: StageSums): void {
    const { stiffness: S, links: { pressures, presses, penalties, holds, gaps, normals, offsets, forces } } = this
    const rho = penalties[i]!
    const along = Math.max(rho, holds[i]!)
    const p = pressures[i]! - rho * gaps[i]!
    presses[i] = p
    sums.potential += (p * p) / (2 * rho)
    sums.largest = Math.max(sums.largest, Math.abs(p))
    // Tension also has a stabilising geometric stiffness; that of compression would make the matrix indefinite and is left out.
    const across = p < 0 ? -p / (offsets[i]! + gaps[i]!) : 0
    for (let r = 0; r < 3; r++) {
      forces[3 * i + r] = p * normals[3 * i + r]!
      for (let c = 0; c < 3; c++) S[9 * i + 3 * r + c] = (along - across) * normals[3 * i + r]! * normals[3 * i + c]! + (r === c ? across : 0)
    }
  }

  /** Adds the forces to all blocks. @param contacts those of contacts only */
  addForces(f: Float64Array, contacts = false): void {
    const { links, links: { count, kinds, forces, presses, normals, frictionWeights, frictionArms } } = this
    for (let i = 0; i < count; i++) {
      const k = 3 * i
      if (kinds[i] !== CONTACT) {
        if (!contacts) spreadForce(links, i, forces[k]!, forces[k + 1]!, forces[k + 2]!, f)
        continue
      }
      const p = presses[i]!
      const x = p * normals[k]!, y = p * normals[k + 1]!, z = p * normals[k + 2]!
      spreadForce(links, i, x, y, z, f)
      spreadForce(links, i, forces[k]! - x, forces[k + 1]! - y, forces[k + 2]! - z, f, frictionWeights, frictionArms)
    }
  }

  /** Adds to the right-hand side of a Newton step the constraint errors of multipliers that are unknowns: −(σ − ρ) Jᵀ c. */
  addErrors(b: Float64Array): void {
    const { u, links, links: { count, kinds, penalties, presses, normals, gaps, slips, frictionWeights, frictionArms } } = this
    for (let i = 0; i < count; i++) {
      const hold = links.holdOf(i)
      if (hold === 0 || (kinds[i] === CONTACT && presses[i] === 0)) continue
      const [s, k] = [penalties[i]! - hold, 3 * i]
      if (kinds[i] === TIE) {
        spreadForce(links, i, s * slips[k]!, s * slips[k + 1]!, s * slips[k + 2]!, b)
        continue
      }
      spreadForce(links, i, s * gaps[i]! * normals[k]!, s * gaps[i]! * normals[k + 1]!, s * gaps[i]! * normals[k + 2]!, b)
      if (this.sticking[i] === 0) continue
      this.slide(i, 0)
      spreadForce(links, i, s * u[0]!, s * u[1]!, s * u[2]!, b, frictionWeights, frictionArms)
    }
  }

  /** Updates multipliers that are unknowns by their part of the Newton step whose other part is d. */
  step(d: Float64Array): void {
    const { u, links, links: { count, kinds, pressures, presses, rubs, normals, gaps, slips, frictionWeights, frictionArms } } = this
    for (let i = 0; i < count; i++) {
      const hold = links.holdOf(i)
      if (hold === 0) continue
      const k = 3 * i
      if (kinds[i] === CONTACT && presses[i] === 0) {
        pressures[i] = 0
        continue
      }
      relativeMove(links, i, d, u)
      if (kinds[i] === TIE) for (let c = 0; c < 3; c++) rubs[k + c]! -= hold * (slips[k + c]! + u[c]!)
      else pressures[i]! -= hold * (gaps[i]! + normals[k]! * u[0]! + normals[k + 1]! * u[1]! + normals[k + 2]! * u[2]!)
      if (kinds[i] !== CONTACT) continue
      pressures[i] = Math.max(0, pressures[i]!)
      if (this.sticking[i] === 0) continue
      relativeMove(links, i, d, u, frictionWeights, frictionArms)
      this.slide(i, 1)
      for (let c = 0; c < 3; c++) rubs[k + c]! -= hold * u[c]!
    }
  }

  /** Writes to u the slip of a contact plus the given share of u, in its plane of friction. */
  private slide(i: number, share: number): void {
    const { u, links: { planes, slips } } = this
    const k = 3 * i
    for (let c = 0; c < 3; c++) u[c] = slips[k + c]! + share * u[c]!
    const off = u[0]! * planes[k]! + u[1]! * planes[k + 1]! + u[2]! * planes[k + 2]!
    for (let c = 0; c < 3; c++) u[c]! -= off * planes[k + c]!
  }

  /** Adds the links' part of the matrix × x to y. */
  addProduct(x: Float64Array, y: Float64Array): void {
    const { links: { weights, arms, frictionWeights, frictionArms } } = this
    this.addProductOf(this.stiffness, x, y, weights, arms)
    this.addProductOf(this.rubbing, x, y, frictionWeights, frictionArms)
  }

  private addProductOf(S: Float64Array, x: Float64Array, y: Float64Array, weights: Float64Array<ArrayBuffer>, arms: Float64Array<ArrayBuffer>): void {
    const { u, links, links: { count } } = this
    for (let i = 0; i < count; i++) {
      const K = 9 * i
      if (S[K] === 0 && S[K + 4] === 0 && S[K + 8] === 0) continue
      relativeMove(links, i, x, u, weights, arms)
      spreadForce(links, i, S[K]! * u[0]! + S[K + 1]! * u[1]! + S[K + 2]! * u[2]!, S[K + 3]! * u[0]! + S[K + 4]! * u[1]! + S[K + 5]! * u[2]!,
        S[K + 6]! * u[0]! + S[K + 7]! * u[1]! + S[K + 8]! * u[2]!, y, weights, arms)
    }
  }

  /** Passes the blocks of the links' part of the matrix to `add`, i ≥ j. @returns whether `add` always returned true */
  addBlocks(add: (i: number, j: number, block: Float64Array) => boolean): boolean {
    const { links, links: { frictionWeights, frictionArms, count } } = this
    if (this.assembled.length < count) this.assembled = new Uint8Array(2 * count)
    this.assembled.set(this.terms.subarray(0, count))
    this.assembledCount = count
    this.assembledSettled = links.settled
    const whole = linkBlocks(links, this.stiffness, add)
    return linkBlocks(links, this.rubbing, add, frictionWeights, frictionArms) && whole
  }

  /** Whether the same contacts press and stick as when the matrix was last assembled. New links without a force do not count. */
  get unchanged(): boolean {
    const { terms, assembled, assembledCount, links: { count, settled, kinds } } = this
    if (assembledCount < 0 || settled !== this.assembledSettled) return false
    for (let i = 0; i < count; i++) if (kinds[i] !== CONTACT || terms[i] !== (i < assembledCount ? assembled[i] : 0)) return false
    return true
  }

  /** A step begins, or penalties have changed. */
  forget(): void {
    this.assembledCount = -1
  }

  /** Adds the diagonal blocks of the links' part to those of a matrix, at offset `starts`. @returns whether the links have no other blocks */
  addDiagonal(starts: Int32Array, values: Float64Array): boolean {
    const { links: { weights, arms, frictionWeights, frictionArms } } = this
    const whole = this.addDiagonalOf(this.stiffness, starts, values, weights, arms)
    return this.addDiagonalOf(this.rubbing, starts, values, frictionWeights, frictionArms) && whole
  }

  private addDiagonalOf(S: Float64Array, starts: Int32Array, values: Float64Array, weights: Float64Array<ArrayBuffer>,
    arms: Float64Array<ArrayBuffer>): boolean {
    const { links: { count, particles, carriers, all: { blocks, inverseRoots: B } } } = this
    let whole = true
    for (let i = 0; i < count; i++) {
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
        // G = [r]× L⁻ᵀ: derivative of the point with respect to rotation; its columns are r × (rows of L⁻¹).
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
}

/** Uses the normal's plane as plane of friction if the link has none yet. */
function planesOf(planes: Float64Array, normals: Float64Array, k: number): void {
  for (let c = k; c < k + 3; c++) planes[c] = normals[c]!
}

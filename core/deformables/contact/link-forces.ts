/** Forces of links for given multipliers, with their potential, and their part of the stage's matrix, which is never put together. */

import type { StageSums } from '../energy'
import { TIE, type Links } from './links'

export class LinkForces {
  /** N/m, 9 each: how the force changes with what the particles' side moves by relative to the carrier. */
  private stiffness = new Float64Array(0)
  private readonly u = new Float64Array(3)

  constructor(private readonly links: Links) {}

  /** Forces at the geometry as it is, and their derivative; adds their potential and raises the largest force. */
  evaluate(sums: StageSums): void {
    const { count, kinds, pressures, presses, penalties, gaps, bounces, normals, planes, slips, rubs, friction, forces } = this.links
    if (this.stiffness.length < 9 * count) this.stiffness = new Float64Array(18 * count)
    const { stiffness } = this
    for (let i = 0; i < count; i++) {
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
    const { count, forces } = this.links
    for (let i = 0; i < count; i++) this.spread(i, forces[3 * i]!, forces[3 * i + 1]!, forces[3 * i + 2]!, f)
  }

  /** Adds what a force on the particles' side is to each block. */
  private spread(i: number, x: number, y: number, z: number, f: Float64Array): void {
    if (x === 0 && y === 0 && z === 0) return
    const { particles, weights, carriers, arms, all: { blocks, inverseRoots: B } } = this.links
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
    const { u, links: { particles, weights, carriers, arms, all: { blocks, inverseRoots: B } } } = this
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
    const { stiffness: S, u, links: { count } } = this
    for (let i = 0; i < count; i++) {
      const K = 9 * i
      if (S[K] === 0 && S[K + 4] === 0 && S[K + 8] === 0) continue
      this.relative(i, x)
      this.spread(i, S[K]! * u[0]! + S[K + 1]! * u[1]! + S[K + 2]! * u[2]!, S[K + 3]! * u[0]! + S[K + 4]! * u[1]! + S[K + 5]! * u[2]!,
        S[K + 6]! * u[0]! + S[K + 7]! * u[1]! + S[K + 8]! * u[2]!, y)
    }
  }

  /** Adds the diagonal blocks of the links' part to those of a matrix, by its first numbers of each block row. @returns whether that is all of it */
  addDiagonal(starts: Int32Array, values: Float64Array): boolean {
    const { stiffness: S, links: { count, particles, weights, carriers, arms, all: { blocks, inverseRoots: B } } } = this
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
}

/** A link's plane of friction, where it has none yet, is that of its normal. */
function planesOf(planes: Float64Array, normals: Float64Array, k: number): [number, number, number] {
  for (let c = k; c < k + 3; c++) planes[c] = normals[c]!
  return [normals[k]!, normals[k + 1]!, normals[k + 2]!]
}

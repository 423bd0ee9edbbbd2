/**
 * The maps between a link and its blocks: from a force on its side to forces on blocks, from moves of blocks to relative displacement, and their
 * product as matrix blocks.
 */

import type { Links } from './links'

/** Adds the contribution of a force on the particles' side to each block. */
export function spreadForce(links: Links, i: number, x: number, y: number, z: number, f: Float64Array, weights = links.weights,
  arms = links.arms): void {
  if (x === 0 && y === 0 && z === 0) return
  const { particles, carriers, all: { blocks, inverseRoots: B } } = links
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

/** Writes to u the displacement of the particles' side relative to the carrier for a move d of the blocks. */
export function relativeMove(links: Links, i: number, d: Float64Array, u: Float64Array, weights = links.weights, arms = links.arms): void {
  const { particles, carriers, all: { blocks, inverseRoots: B } } = links
  let x = 0, y = 0, z = 0
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

const sides = new Int32Array(6)
const shares = new Float64Array(4)
/** 9 a side: derivative of the link's point with respect to the block. */
const G = new Float64Array(54)
const SG = new Float64Array(9)
const out = new Float64Array(9)

/**
 * Passes the blocks Gᵀ S G of each link's part of a matrix to `add`, i ≥ j, row-major; a diagonal block may come in several parts.
 *
 * @param S 9 a link, symmetric
 * @returns whether `add` always returned true
 */
export function linkBlocks(links: Links, S: Float64Array, add: (i: number, j: number, block: Float64Array) => boolean,
  weights = links.weights, arms = links.arms): boolean {
  const { count, particles, carriers, all: { blocks, inverseRoots: B } } = links
  let whole = true
  for (let i = 0; i < count; i++) {
    const K = 9 * i
    if (S[K] === 0 && S[K + 4] === 0 && S[K + 8] === 0) continue
    let n = 0
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      if (particles[k]! < 0 || weights[k] === 0) continue
      shares[n] = weights[k]!
      sides[n++] = particles[k]!
    }
    const c = carriers[i]!
    const block = c < 0 ? -1 : blocks[c]!
    if (block < 0) {
      // Particles only: each block is a multiple of S.
      for (let q = 0; q < n; q++) {
        for (let s = 0; s < n; s++) {
          if (sides[s]! < sides[q]!) continue
          for (let e = 0; e < 9; e++) out[e] = shares[s]! * (S[K + e]! * shares[q]!)
          if (!add(sides[s]!, sides[q]!, out)) whole = false
        }
      }
      continue
    }
    for (let q = 0; q < n; q++) scaled(q, shares[q]!)
    scaled(n, -1)
    sides[n++] = block
    // u = ω × −r, ω = L⁻ᵀ a: columns are r × (rows of L⁻¹).
    const [rx, ry, rz] = [arms[3 * i]!, arms[3 * i + 1]!, arms[3 * i + 2]!]
    for (let e = 0; e < 3; e++) {
      const [bx, by, bz] = [B[9 * c + 3 * e]!, B[9 * c + 3 * e + 1]!, B[9 * c + 3 * e + 2]!]
      G[9 * n + e] = ry * bz - rz * by
      G[9 * n + 3 + e] = rz * bx - rx * bz
      G[9 * n + 6 + e] = rx * by - ry * bx
    }
    sides[n++] = block + 1
    for (let q = 0; q < n; q++) {
      for (let r = 0; r < 3; r++) {
        for (let e = 0; e < 3; e++) {
          SG[3 * r + e] = S[K + 3 * r]! * G[9 * q + e]! + S[K + 3 * r + 1]! * G[9 * q + 3 + e]! + S[K + 3 * r + 2]! * G[9 * q + 6 + e]!
        }
      }
      for (let s = 0; s < n; s++) {
        if (sides[s]! < sides[q]!) continue
        const g = 9 * s
        for (let r = 0; r < 3; r++) {
          for (let e = 0; e < 3; e++) out[3 * r + e] = G[g + r]! * SG[e]! + G[g + 3 + r]! * SG[3 + e]! + G[g + 6 + r]! * SG[6 + e]!
        }
        if (!add(sides[s]!, sides[q]!, out)) whole = false
      }
    }
  }
  return whole
}

function scaled(side: number, s: number): void {
  G.fill(0, 9 * side, 9 * side + 9)
  G[9 * side] = G[9 * side + 4] = G[9 * side + 8] = s
}

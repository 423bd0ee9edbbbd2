/**
 * Derivatives of contact normals with respect to the unknowns: −p ∇²d of the distance d between two features, each a point of an affine set. The
 * nearest points minimise r = Σ c_k(s) x_k over the free parameters s. With E = ½ r² and b_kj = c_k ∂r/∂s_j + ∂c_k/∂s_j r
 *
 *   ∇²E = c_k c_l 1 − b_kj (∂r/∂s_i · ∂r/∂s_j)⁻¹ b_liᵀ,   ∇²d = (∇²E − ∇d ∇dᵀ) / d   [implicit functions].
 *
 * This matrix is indefinite for some features: it makes Newton's method converge quadratically, but not globally.
 */

import type { Carriers } from './carriers'

/** Two features at their nearest points: the points, and the directions in which the nearest points may slide. */
export class Facing {
  count = 0
  /** By point: its share in r, its position, m, 3, and its block; −1 for a point of the carrier. */
  readonly shares = new Float64Array(4)
  readonly places = new Float64Array(12)
  readonly blocks = new Int32Array(4)
  carrier = -1
  /** Number of free parameters, and for each the two points whose shares grow and shrink with it. */
  free = 0
  readonly grows = new Int32Array(2)
  readonly shrinks = new Int32Array(2)

  clear(): void {
    this.count = 0
    this.free = 0
    this.carrier = -1
  }

  point(share: number, places: ArrayLike<number>, at: number, block: number): void {
    const k = this.count++
    this.shares[k] = share
    for (let c = 0; c < 3; c++) this.places[3 * k + c] = places[at + c]!
    this.blocks[k] = block
  }

  slide(grows: number, shrinks: number): void {
    this.grows[this.free] = grows
    this.shrinks[this.free++] = shrinks
  }
}

/** Square of the sine of the angle below which directions count as parallel. */
const PARALLEL = 1e-10

const r = new Float64Array(3)
const n = new Float64Array(3)
const slides = new Float64Array(6)
/** b_kj: 3 by point and parameter. */
const b = new Float64Array(24)
const H = new Float64Array(9)
const GH = new Float64Array(9)
const out = new Float64Array(9)
/** By point: up to two blocks, and the derivative of its position with respect to each, 9. */
const sides = new Int32Array(8)
const moves = new Float64Array(72)

/**
 * Passes the blocks of −p ∇²d of a pair to `add`, i ≥ j, row-major.
 *
 * @returns whether `add` always returned true
 */
export function addCurvature(facing: Facing, p: number, all: Carriers, add: (i: number, j: number, block: Float64Array) => boolean): boolean {
  const { count, shares, places, free, grows, shrinks } = facing
  r.fill(0)
  for (let k = 0; k < count; k++) for (let c = 0; c < 3; c++) r[c]! += shares[k]! * places[3 * k + c]!
  const d = Math.sqrt(r[0]! * r[0]! + r[1]! * r[1]! + r[2]! * r[2]!)
  if (!(d > 0)) return true
  for (let c = 0; c < 3; c++) n[c] = r[c]! / d
  for (let j = 0; j < free; j++) for (let c = 0; c < 3; c++) slides[3 * j + c] = places[3 * grows[j]! + c]! - places[3 * shrinks[j]! + c]!
  const dot = (i: number, j: number): number => slides[i]! * slides[j]! + slides[i + 1]! * slides[j + 1]! + slides[i + 2]! * slides[j + 2]!
  // Inverse of the Gram matrix of the parameters.
  let [ia, ib, ic] = [0, 0, 0]
  if (free === 1) ia = 1 / dot(0, 0)
  if (free === 2) {
    const [ma, mb, mc] = [dot(0, 0), dot(0, 3), dot(3, 3)]
    const determinant = ma * mc - mb * mb
    if (!(determinant > PARALLEL * ma * mc)) return true
    ia = mc / determinant
    ib = -mb / determinant
    ic = ma / determinant
  }
  for (let k = 0; k < count; k++) {
    for (let j = 0; j < free; j++) {
      const turn = grows[j] === k ? 1 : shrinks[j] === k ? -1 : 0
      for (let c = 0; c < 3; c++) b[6 * k + 3 * j + c] = shares[k]! * slides[3 * j + c]! + turn * r[c]!
    }
    sidesOf(facing, k, all)
  }
  let whole = true
  for (let k = 0; k < count; k++) {
    for (let l = 0; l < count; l++) {
      const cc = shares[k]! * shares[l]!
      for (let x = 0; x < 3; x++) {
        for (let y = 0; y < 3; y++) {
          let value = (x === y ? cc : 0) - cc * n[x]! * n[y]!
          if (free > 0) value -= ia * b[6 * k + x]! * b[6 * l + y]!
          if (free > 1) {
            value -= ib * (b[6 * k + x]! * b[6 * l + 3 + y]! + b[6 * k + 3 + x]! * b[6 * l + y]!) + ic * b[6 * k + 3 + x]! * b[6 * l + 3 + y]!
          }
          H[3 * x + y] = -p / d * value
        }
      }
      whole = addSides(k, l, add) && whole
    }
  }
  return whole
}

/** The blocks on which a point's position depends. */
function sidesOf({ blocks, places, carrier }: Facing, k: number, all: Carriers): void {
  sides[2 * k] = blocks[k]!
  sides[2 * k + 1] = -1
  moves.fill(0, 18 * k, 18 * k + 18)
  moves[18 * k] = moves[18 * k + 4] = moves[18 * k + 8] = 1
  if (blocks[k]! >= 0 || carrier < 0 || all.blocks[carrier]! < 0) return
  const { inverseRoots: B, centers } = all
  sides[2 * k] = all.blocks[carrier]!
  sides[2 * k + 1] = all.blocks[carrier]! + 1
  const [rx, ry, rz] = [places[3 * k]! - centers[3 * carrier]!, places[3 * k + 1]! - centers[3 * carrier + 1]!, places[3 * k + 2]! - centers[3 * carrier + 2]!]
  for (let e = 0; e < 3; e++) {
    const [bx, by, bz] = [B[9 * carrier + 3 * e]!, B[9 * carrier + 3 * e + 1]!, B[9 * carrier + 3 * e + 2]!]
    moves[18 * k + 9 + e] = by * rz - bz * ry
    moves[18 * k + 12 + e] = bz * rx - bx * rz
    moves[18 * k + 15 + e] = bx * ry - by * rx
  }
}

/** Gᵀ H G of the sides of points k and l. */
function addSides(k: number, l: number, add: (i: number, j: number, block: Float64Array) => boolean): boolean {
  let whole = true
  for (let s = 2 * k; s < 2 * k + 2; s++) {
    if (sides[s]! < 0) continue
    for (let x = 0; x < 3; x++) {
      for (let y = 0; y < 3; y++) GH[3 * x + y] = moves[9 * s + x]! * H[y]! + moves[9 * s + 3 + x]! * H[3 + y]! + moves[9 * s + 6 + x]! * H[6 + y]!
    }
    for (let t = 2 * l; t < 2 * l + 2; t++) {
      if (sides[t]! < 0 || sides[s]! < sides[t]!) continue
      for (let x = 0; x < 3; x++) {
        for (let y = 0; y < 3; y++) {
          out[3 * x + y] = GH[3 * x]! * moves[9 * t + y]! + GH[3 * x + 1]! * moves[9 * t + 3 + y]! + GH[3 * x + 2]! * moves[9 * t + 6 + y]!
        }
      }
      whole = add(sides[s]!, sides[t]!, out) && whole
    }
  }
  return whole
}

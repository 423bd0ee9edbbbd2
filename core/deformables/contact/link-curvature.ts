/**
 * Derivatives of contact normals with respect to the unknowns: −p ∇²d of the distance d between two features, each a point of an affine set. The
 * nearest points minimise r = Σ c_k(s) x_k over the free parameters s. With E = ½ r² and b_kj = c_k ∂r/∂s_j + ∂c_k/∂s_j r
 *
 *   ∇²E = c_k c_l 1 − b_kj (∂r/∂s_i · ∂r/∂s_j)⁻¹ b_liᵀ,   ∇²d = (∇²E − ∇d ∇dᵀ) / d   [implicit functions].
 *
 * This matrix is indefinite for some features. With it Newton's method converges quadratically near the solution. Where the whole matrix is indefinite, its
 * positive semidefinite part is used instead, which still prevents overshooting [Li et al. 2020, projected Newton]. With T the two directions c_k t
 * perpendicular to the normal, and b orthonormalised by the Gram matrix, −p ∇²d = (p / d) W S Wᵀ, W = (b, T), S = diag(1 … 1, −1, −1), so that at most four
 * columns determine its spectrum.
 */

import { eigenvectors } from '../../math/jacobi'
import type { Carriers } from './carriers'

/**
 * Share of a point below which the nearest point is on the border of its feature. With 0, rounding decides where several features meet, as where a flat sheet
 * touches a ball with a vertex: the matrix then has no symmetry, and a symmetric sheet of 81 vertices was 3e-4 m off its symmetry within the step. It decides
 * about second derivatives only, which affect the convergence and not the result.
 */
const ON_BORDER = 1e-9

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

  /** Whether point q takes part in the motion of the nearest point along its feature, because that is not on the border opposite q. */
  slides(q: number): boolean {
    return Math.abs(this.shares[q]!) > ON_BORDER
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
/** W, 12 × 4; the factor R of its Gram matrix; the matrix N between the columns; eigenvectors. */
const W = new Float64Array(48)
const R = new Float64Array(16)
const middle = new Float64Array(16)
const vectors = new Float64Array(16)
const positive = new Float64Array(16)
/** By point: up to two blocks, and the derivative of its position with respect to each, 9. */
const sides = new Int32Array(8)
const moves = new Float64Array(72)

/**
 * Passes the blocks of −p ∇²d of a pair to `add`, i ≥ j, row-major.
 *
 * @param whole false: only its positive semidefinite part
 * @returns whether `add` always returned true
 */
export function addCurvature(facing: Facing, p: number, all: Carriers, add: (i: number, j: number, block: Float64Array) => boolean, whole: boolean): boolean {
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
  let taken = true
  const columns = whole ? 0 : positivePart(facing, ia, ib, ic)
  if (columns < 0) return true
  for (let k = 0; k < count; k++) {
    for (let l = 0; l < count; l++) {
      // Only the lower triangle is needed.
      if (sides[2 * k + 1]! < 0 && sides[2 * k]! < sides[2 * l]!) continue
      if (!whole) {
        between(k, l, columns, p / d)
        taken = addSides(k, l, add) && taken
        continue
      }
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
      taken = addSides(k, l, add) && taken
    }
  }
  return taken
}

/**
 * Writes W, and N such that W N Wᵀ is the positive semidefinite part of W S Wᵀ: with W = U R, that part is U (R S Rᵀ)₊ Uᵀ.
 *
 * @param ia … ic inverse of the Gram matrix of the parameters
 * @returns the number of columns; −1 if they are linearly dependent
 */
function positivePart({ count, shares, free }: Facing, ia: number, ib: number, ic: number): number {
  const m = free + 2
  // b G^{−1/2}: G⁻¹ = K Kᵀ with K lower triangular.
  const k00 = Math.sqrt(ia)
  const k10 = free > 1 ? ib / k00 : 0
  const k11 = free > 1 ? Math.sqrt(ic - k10 * k10) : 0
  const [tx, ty, tz] = across()
  const [ux, uy, uz] = [n[1]! * tz - n[2]! * ty, n[2]! * tx - n[0]! * tz, n[0]! * ty - n[1]! * tx]
  for (let k = 0; k < count; k++) {
    for (let c = 0; c < 3; c++) {
      const row = 4 * (3 * k + c)
      if (free > 0) W[row] = k00 * b[6 * k + c]! + k10 * b[6 * k + 3 + c]!
      if (free > 1) W[row + 1] = k11 * b[6 * k + 3 + c]!
      W[row + free] = shares[k]! * (c === 0 ? tx : c === 1 ? ty : tz)
      W[row + free + 1] = shares[k]! * (c === 0 ? ux : c === 1 ? uy : uz)
    }
  }
  // R: upper triangular, Rᵀ R = Wᵀ W.
  for (let j = 0; j < m; j++) {
    for (let i = 0; i <= j; i++) {
      let sum = 0
      for (let row = 0; row < 12 * count; row += 4) sum += W[row + i]! * W[row + j]!
      const square = sum
      for (let k = 0; k < i; k++) sum -= R[4 * k + i]! * R[4 * k + j]!
      if (i < j) {
        R[4 * i + j] = sum / R[4 * i + i]!
        continue
      }
      if (!(sum > PARALLEL * square)) return -1
      R[4 * j + j] = Math.sqrt(sum)
    }
  }
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) {
      let sum = 0
      for (let k = Math.max(i, j); k < m; k++) sum += (k < free ? 1 : -1) * R[4 * i + k]! * R[4 * j + k]!
      middle[i * m + j] = sum
    }
  }
  eigenvectors(middle, vectors, m)
  positive.fill(0)
  for (let e = 0; e < m; e++) {
    const value = middle[e * m + e]!
    if (!(value > 0)) continue
    // R⁻¹ times the eigenvector, in place.
    for (let i = m - 1; i >= 0; i--) {
      let sum = vectors[i * m + e]!
      for (let k = i + 1; k < m; k++) sum -= R[4 * i + k]! * vectors[k * m + e]!
      vectors[i * m + e] = sum / R[4 * i + i]!
    }
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) positive[4 * i + j]! += value * vectors[i * m + e]! * vectors[j * m + e]!
  }
  return m
}

/** A unit vector perpendicular to n. */
function across(): [number, number, number] {
  const [x, y, z] = [n[0]!, n[1]!, n[2]!]
  const least = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z) ? 0 : Math.abs(y) <= Math.abs(z) ? 1 : 2
  const [a, c, e] = least === 0 ? [0, -z, y] : least === 1 ? [z, 0, -x] : [-y, x, 0]
  const size = Math.sqrt(a! * a! + c! * c! + e! * e!)
  return [a! / size, c! / size, e! / size]
}

/** Writes the block of points k and l of the positive part × scale to H. */
function between(k: number, l: number, m: number, scale: number): void {
  for (let x = 0; x < 3; x++) {
    for (let y = 0; y < 3; y++) {
      let sum = 0
      for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) sum += W[4 * (3 * k + x) + i]! * positive[4 * i + j]! * W[4 * (3 * l + y) + j]!
      H[3 * x + y] = scale * sum
    }
  }
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
    if (sides[2 * k + 1]! < 0 && sides[2 * l + 1]! < 0) {
      // Two particles, whose moves are the unknowns.
      return sides[2 * l]! < 0 || sides[2 * k]! < sides[2 * l]! || add(sides[2 * k]!, sides[2 * l]!, H)
    }
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

/**
 * Lemke's algorithm [Baraff92 §13.2, app. B] for the general linear complementarity problem
 *
 *   w = M z + q,   w ≥ 0,   z ≥ 0,   zᵀw = 0
 *
 * with covering vector e = (1 … 1) and the lexicographic ratio test, which prevents cycling at degenerate ties. It ends with a solution or with an unbounded
 * ray: a direction z ≥ 0, z ≠ 0, with (M z)ᵢ ≤ 0 wherever zᵢ > 0 [Baraff92 eq. 13-1]. A ray does not prove that no solution exists; small problems are
 * searched for a missed one.
 */

import { luFactor, luSolve } from '../math/factor'
import { solutionByBases } from './complementary-bases'

export interface LcpResult {
  readonly status: 'solved' | 'ray' | 'limit'
  readonly z: Float64Array
  readonly w: Float64Array
  /** Direction of the unbounded ray; empty otherwise. */
  readonly ray: Float64Array
  readonly pivots: number
}

/** Pivot element below which a column cannot leave, × the largest element of its tableau column. */
const PIVOT = 1e-11
/** Relative difference of ratios that counts as a tie. */
const TIE = 1e-12

/** Solves the LCP of a row-major n × n matrix `M` and `q`. */
export function lemke(M: Float64Array, q: Float64Array, maxPivots = 50 * q.length + 200): LcpResult {
  const n = q.length
  const empty = new Float64Array(0)
  let lowest = 0
  for (let i = 0; i < n; i++) if (q[i]! < q[lowest]!) lowest = i
  if (n === 0 || q[lowest]! >= 0) return { status: 'solved', z: new Float64Array(n), w: q.slice(), ray: empty, pivots: 0 }

  // Tableau of w − M z − e z₀ = q: columns w (0 … n−1), z (n … 2n−1), z₀ (2n), right-hand side (2n+1).
  const width = 2 * n + 2
  const T = new Float64Array(n * width)
  const basis = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    T[i * width + i] = 1
    for (let j = 0; j < n; j++) T[i * width + n + j] = -M[i * n + j]!
    T[i * width + 2 * n] = -1
    T[i * width + 2 * n + 1] = q[i]!
    basis[i] = i
  }
  const pivot = (row: number, column: number): void => {
    const at = row * width
    const scale = 1 / T[at + column]!
    for (let j = 0; j < width; j++) T[at + j]! *= scale
    T[at + column] = 1
    for (let i = 0; i < n; i++) {
      if (i === row) continue
      const factor = T[i * width + column]!
      if (factor === 0) continue
      for (let j = 0; j < width; j++) T[i * width + j]! -= factor * T[at + j]!
      T[i * width + column] = 0
    }
    basis[row] = column
  }

  // z₀ enters at its lexicographically least feasible value.
  for (let i = lowest + 1; i < n; i++) if (q[i] === q[lowest]) lowest = i
  let leaving = basis[lowest]!
  pivot(lowest, 2 * n)
  let pivots = 1
  for (; pivots < maxPivots; pivots++) {
    const entering = leaving < n ? leaving + n : leaving - n
    const row = ratioTest(T, n, width, entering, basis)
    if (row < 0) {
      const ray = new Float64Array(n)
      if (entering >= n) ray[entering - n] = 1
      for (let i = 0; i < n; i++) if (basis[i]! >= n && basis[i]! < 2 * n) ray[basis[i]! - n] = Math.max(0, -T[i * width + entering]!)
      const missed = solutionByBases(M, q)
      return missed === null ? { status: 'ray', z: new Float64Array(n), w: q.slice(), ray, pivots }
        : { status: 'solved', z: missed, w: product(M, missed, q), ray: empty, pivots }
    }
    leaving = basis[row]!
    pivot(row, entering)
    if (leaving === 2 * n) return { ...polished(M, q, basis), pivots: pivots + 1 }
  }
  return { status: 'limit', z: new Float64Array(n), w: q.slice(), ray: empty, pivots }
}

/** The row that leaves: least ratio; ties are broken lexicographically over the columns of the inverse basis, z₀ first among equals. */
function ratioTest(T: Float64Array, n: number, width: number, entering: number, basis: Int32Array): number {
  let largest = 0
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(T[i * width + entering]!))
  let row = -1
  let least = Infinity
  const ratio = (i: number): number => T[i * width + 2 * n + 1]! / T[i * width + entering]!
  for (let i = 0; i < n; i++) {
    if (T[i * width + entering]! <= PIVOT * largest) continue
    const r = Math.max(0, ratio(i))
    const tie = TIE * (1 + r)
    if (row < 0 || r < least - tie) {
      least = r
      row = i
    } else if (Math.abs(r - least) <= tie) {
      if (basis[i] === 2 * n || (basis[row] !== 2 * n && lexicographicallyLess(T, n, width, entering, i, row))) row = i
      least = Math.min(least, r)
    }
  }
  return row
}

function lexicographicallyLess(T: Float64Array, n: number, width: number, entering: number, i: number, k: number): boolean {
  const pi = T[i * width + entering]!
  const pk = T[k * width + entering]!
  for (let j = 0; j < n; j++) {
    const difference = T[i * width + j]! / pi - T[k * width + j]! / pk
    if (Math.abs(difference) > TIE) return difference < 0
  }
  return i < k
}

/** z and w of the final basis, computed from M and q directly, without the accumulated rounding of the tableau. */
function polished(M: Float64Array, q: Float64Array, basis: Int32Array): Omit<LcpResult, 'pivots'> {
  const n = q.length
  const active: number[] = []
  for (let i = 0; i < n; i++) if (basis[i]! >= n && basis[i]! < 2 * n) active.push(basis[i]! - n)
  active.sort((i, j) => i - j)
  const m = active.length
  const B = new Float64Array(m * m)
  const r = new Float64Array(m)
  active.forEach((i, p) => {
    r[p] = -q[i]!
    active.forEach((j, s) => {
      B[p * m + s] = M[i * n + j]!
    })
  })
  const z = new Float64Array(n)
  const factor = luFactor(B, m)
  if (factor.pivotRatio > 0) {
    const x = luSolve(factor, r)
    for (let p = 0; p < m; p++) {
      let rest = r[p]!
      for (let s = 0; s < m; s++) rest -= B[p * m + s]! * x[s]!
      r[p] = rest
    }
    const dx = luSolve(factor, r)
    active.forEach((i, p) => {
      z[i] = Math.max(0, x[p]! + dx[p]!)
    })
  }
  return { status: 'solved', z, w: product(M, z, q), ray: new Float64Array(0) }
}

/** M z + q. */
function product(M: Float64Array, z: Float64Array, q: Float64Array): Float64Array {
  const n = q.length
  return Float64Array.from(q, (constant, i) => {
    let sum = constant
    for (let j = 0; j < n; j++) sum += M[i * n + j]! * z[j]!
    return sum
  })
}

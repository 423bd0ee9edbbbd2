/**
 * Solutions of a small linear complementarity problem by trying every complementary basis. Used for matrices that Lemke's algorithm does not process, such
 * as those of bimatrix games, where its first pivot ends on a ray although solutions exist [Murty, Linear Complementarity, ch. 2]. Also used to list all
 * solutions.
 */

import { luFactor, luSolve } from '../math/factor'

/** Largest number of rows for which the 2ⁿ bases are tried. */
export const MAX_ENUMERATED_ROWS = 10
/** Rounding threshold, × the largest of q and of M z. */
const ROUNDING = 1e-11
/** Pivot ratio below which a basis is singular. */
const SINGULAR = 1e-13

/**
 * z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0, from the first nonsingular basis that has a solution; bases with the fewest positive z come first. Null if there
 * is none.
 */
export function solutionByBases(M: Float64Array, q: Float64Array): Float64Array | null {
  const n = q.length
  if (n > MAX_ENUMERATED_ROWS) return null
  const sets = Array.from({ length: 1 << n }, (_, set) => set).sort((a, b) => members(a, n).length - members(b, n).length || a - b)
  for (const set of sets) {
    const z = basicSolution(M, q, members(set, n))
    if (z !== null && satisfies(M, q, z)) return z
  }
  return null
}

/** All basic solutions: one for each nonsingular basis that has a solution, ordered by the index set as a binary number. */
export function allBasicSolutions(M: Float64Array, q: Float64Array): Float64Array[] {
  const n = q.length
  const found: Float64Array[] = []
  for (let set = 0; set < 1 << n; set++) {
    const z = basicSolution(M, q, members(set, n))
    if (z !== null && satisfies(M, q, z)) found.push(z)
  }
  return found
}

function members(set: number, n: number): number[] {
  const found: number[] = []
  for (let i = 0; i < n; i++) if ((set >> i) & 1) found.push(i)
  return found
}

function basicSolution(M: Float64Array, q: Float64Array, active: readonly number[]): Float64Array | null {
  const n = q.length
  const m = active.length
  const z = new Float64Array(n)
  if (m === 0) return z
  const B = new Float64Array(m * m)
  for (let r = 0; r < m; r++) for (let k = 0; k < m; k++) B[r * m + k] = M[active[r]! * n + active[k]!]!
  const factor = luFactor(B, m)
  if (!(factor.pivotRatio > SINGULAR)) return null
  const x = luSolve(factor, Float64Array.from(active, i => -q[i]!))
  const largest = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (x.some(value => value < -ROUNDING * largest)) return null
  active.forEach((i, k) => { z[i] = Math.max(0, x[k]!) })
  return z
}

function satisfies(M: Float64Array, q: Float64Array, z: Float64Array): boolean {
  const n = q.length
  for (let i = 0; i < n; i++) {
    let w = q[i]!
    let size = Math.abs(w)
    for (let j = 0; j < n; j++) {
      const term = M[i * n + j]! * z[j]!
      w += term
      size = Math.max(size, Math.abs(term))
    }
    if (!(w >= -ROUNDING * size && (z[i] === 0 || w <= ROUNDING * size))) return false
  }
  return true
}

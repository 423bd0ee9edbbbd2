/**
 * Dantzig's pivoting for the general linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, zᵀw = 0 [Cottle and Dantzig 1968; Baraff94 §4–5]. Indices
 * with w_i < 0 are driven to w_i = 0 one after another, in order, while earlier indices keep their conditions.
 *
 * The multiplier λ of a friction pyramid has no diagonal entry. When its bound is reached, λ and the direction that reaches it enter the set together, as
 * friction slaved to its normal force. M need not be symmetric, so driving may be unbounded. In this case the method has no result, and Lemke's algorithm
 * must be used.
 */

import { luFactor, luSolve } from '../math/factor'
import type { LcpResult } from './lemke'

/** Threshold for zero, × the largest of q. */
const ZERO = 1e-12
/** Pivot ratio below which a set is singular. */
const SINGULAR = 1e-11
/** For a problem with unit diagonal: an index that responds less to its own force depends on the set. */
const DEPENDENT = 1e-9
/** Rounding accumulated over many pivots, × zero. */
const ROUNDING = 1e3

/** @returns status `limit` if pivots ran out or driving was unbounded */
export function principalPivoting(M: Float64Array, q: Float64Array, maxPivots = 10 * q.length + 50): LcpResult {
  const n = q.length
  const z = new Float64Array(n)
  const w = q.slice()
  const zero = ZERO * q.reduce((most, value) => Math.max(most, Math.abs(value)), Number.MIN_VALUE)
  const inSet = new Uint8Array(n)
  let pivots = 0
  const result = (status: LcpResult['status']): LcpResult => ({ status, z, w, ray: new Float64Array(0), pivots })
  for (let i = 0; i < n; i++) {
    while (inSet[i] === 0 && w[i]! < -zero) {
      if (pivots++ >= maxPivots) return result('limit')
      const clamped = [...inSet.keys()].filter(j => inSet[j] === 1)
      const dz = direction(M, n, clamped, i)
      if (dz === null) return result('limit')
      const dw = new Float64Array(n)
      for (let r = 0; r < n; r++) for (const j of [...clamped, i]) dw[r]! += M[r * n + j]! * dz[j]!
      // A negative value of an index that depends on the set can only be rounding.
      if (dw[i]! <= DEPENDENT && w[i]! >= -ROUNDING * zero) {
        w[i] = 0
        break
      }
      let step = dw[i]! > DEPENDENT ? -w[i]! / dw[i]! : Infinity
      let stop = i
      for (let j = 0; j < n; j++) {
        if (j === i) continue
        const limit = inSet[j] === 1 ? (dz[j]! < 0 ? z[j]! / -dz[j]! : Infinity) : w[j]! >= -zero && dw[j]! < -ZERO ? Math.max(0, w[j]!) / -dw[j]! : Infinity
        if (limit < step) {
          step = limit
          stop = j
        }
      }
      if (step === Infinity) return result('limit')
      for (const j of [...clamped, i]) z[j]! += step * dz[j]!
      for (let j = 0; j < n; j++) w[j]! += step * dw[j]!
      if (stop === i) {
        inSet[i] = 1
        w[i] = 0
      } else if (inSet[stop] === 1) {
        inSet[stop] = 0
        z[stop] = 0
      } else if (regular(M, n, [...clamped, stop])) {
        inSet[stop] = 1
        w[stop] = 0
      } else {
        // Both together: the driven index itself reaches this bound.
        inSet[stop] = inSet[i] = 1
        const all = [...inSet.keys()].filter(j => inSet[j] === 1)
        const values = solveOn(M, n, all, j => -q[j]!)
        if (values === null || values.some(value => value < -ROUNDING * zero)) return result('limit')
        all.forEach((j, k) => { z[j] = Math.max(0, values[k]!) })
        for (let r = 0; r < n; r++) w[r] = inSet[r] === 1 ? 0 : all.reduce((sum, j) => sum + M[r * n + j]! * z[j]!, q[r]!)
      }
    }
  }
  return result(w.every((value, j) => inSet[j] === 1 || value >= -ROUNDING * zero) ? 'solved' : 'limit')
}

/** Change of z per unit of z_i with w of the set unchanged; null if the set is singular. */
function direction(M: Float64Array, n: number, set: readonly number[], i: number): Float64Array | null {
  const values = solveOn(M, n, set, j => -M[j * n + i]!)
  if (values === null) return null
  const dz = new Float64Array(n)
  set.forEach((j, k) => { dz[j] = values[k]! })
  dz[i] = 1
  return dz
}

function regular(M: Float64Array, n: number, set: readonly number[]): boolean {
  return solveOn(M, n, set, () => 0) !== null
}

/** Solves M restricted to a set of indices; null if it is singular there. */
function solveOn(M: Float64Array, n: number, set: readonly number[], right: (index: number) => number): Float64Array | null {
  const size = set.length
  if (size === 0) return new Float64Array(0)
  const A = new Float64Array(size * size)
  set.forEach((r, a) => set.forEach((c, b) => { A[a * size + b] = M[r * n + c]! }))
  const factor = luFactor(A, size)
  return factor.pivotRatio <= SINGULAR ? null : luSolve(factor, Float64Array.from(set, right))
}

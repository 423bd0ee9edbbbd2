/**
 * The inverse of a growing and shrinking square matrix, kept up to date by rank-one changes: an index is appended (bordering), removed
 * (its Schur complement) or its column is replaced, each in O(k²). Used for the clamped rows of a pivoting method, symmetric or not.
 */

import { dot } from './factor'

export class ClampedFactor {
  /** Number of indices. */
  size = 0
  private readonly inverse: Float64Array
  private readonly u: Float64Array
  private readonly v: Float64Array

  /** @param capacity maximum number of indices */
  constructor(private readonly capacity: number) {
    this.inverse = new Float64Array(capacity * capacity)
    this.u = new Float64Array(capacity)
    this.v = new Float64Array(capacity)
  }

  clear(): void {
    this.size = 0
  }

  /** x = M⁻¹ r. */
  solve(r: Float64Array, x: Float64Array): void {
    for (let i = 0; i < this.size; i++) x[i] = dot(this.inverse, i * this.capacity, r, 0, this.size)
  }

  /**
   * Borders M with a column (size), a row (size) and a corner. Refused, with M unchanged, if the Schur complement is at most `threshold` in
   * magnitude: the new row depends on the present ones. `symmetric`: M is symmetric, including the new row.
   */
  append(column: Float64Array, row: Float64Array, corner: number, threshold: number, symmetric = false): boolean {
    const { size: k, capacity, inverse: B, u, v } = this
    this.solve(column, u)
    const schur = corner - dot(row, 0, u, 0, k)
    if (!(Math.abs(schur) > threshold)) return false
    if (symmetric) v.set(u)
    else v.fill(0, 0, k)
    for (let i = 0; i < k && !symmetric; i++) {
      const w = row[i]!
      if (w === 0) continue
      const at = i * capacity
      for (let j = 0; j < k; j++) v[j]! += w * B[at + j]!
    }
    const s = 1 / schur
    for (let i = 0; i < k; i++) {
      const w = u[i]! * s
      const at = i * capacity
      if (w !== 0) for (let j = 0; j < k; j++) B[at + j]! += w * v[j]!
      B[at + k] = -w
    }
    for (let j = 0; j < k; j++) B[k * capacity + j] = -v[j]! * s
    B[k * capacity + k] = s
    this.size = k + 1
    return true
  }

  /** Removes index `p`; the last index takes its place. Refused, unchanged, if the remainder is singular to `threshold`. */
  remove(p: number, threshold: number): boolean {
    const { capacity, inverse: B } = this
    const last = this.size - 1
    const pivot = B[p * capacity + p]!
    let largest = 0
    for (let j = 0; j <= last; j++) largest = Math.max(largest, Math.abs(B[p * capacity + j]!))
    if (!(Math.abs(pivot) > threshold * largest)) return false
    const s = 1 / pivot
    for (let i = 0; i <= last; i++) {
      if (i === p) continue
      const w = B[i * capacity + p]! * s
      if (w === 0) continue
      for (let j = 0; j <= last; j++) B[i * capacity + j]! -= w * B[p * capacity + j]!
    }
    if (p !== last) {
      for (let j = 0; j <= last; j++) B[p * capacity + j] = B[last * capacity + j]!
      for (let i = 0; i < last; i++) B[i * capacity + p] = B[i * capacity + last]!
    }
    this.size = last
    return true
  }

  /** Replaces column `p` of M. Refused, unchanged, if the result is singular to `threshold`. */
  replaceColumn(p: number, column: Float64Array, threshold: number): boolean {
    const { size: k, capacity, inverse: B, u } = this
    this.solve(column, u)
    let largest = 0
    for (let i = 0; i < k; i++) largest = Math.max(largest, Math.abs(u[i]!))
    const pivot = u[p]!
    if (!(Math.abs(pivot) > threshold * Math.max(largest, 1))) return false
    const row = p * capacity
    for (let j = 0; j < k; j++) B[row + j]! /= pivot
    for (let i = 0; i < k; i++) {
      if (i === p || u[i] === 0) continue
      const w = u[i]!
      const at = i * capacity
      for (let j = 0; j < k; j++) B[at + j]! -= w * B[row + j]!
    }
    return true
  }
}

/**
 * Cholesky of positive definite matrices by rows, each from its first nonzero element; the factor has the same shape. In place, in memory of the
 * caller, so that matrices of one shape can be factored repeatedly.
 */

import { addScaledRow, dot } from './factor'

/**
 * Factors an n × n matrix, given by its lower triangle, row-major, in place: G = L Lᵀ.
 *
 * @param first column of each row's first element
 * @returns whether every pivot was more than `tolerance` × its diagonal element; if not, the matrix is only partly factored
 */
export function factorSkyline(G: Float64Array, n: number, first: Int32Array, tolerance: number): boolean {
  for (let i = 0; i < n; i++) {
    const at = i * n
    const from = first[i]!
    for (let j = from; j < i; j++) {
      const start = Math.max(from, first[j]!)
      G[at + j] = (G[at + j]! - dot(G, at + start, G, j * n + start, j - start)) / G[j * n + j]!
    }
    const diagonal = G[at + i]!
    const pivot = diagonal - dot(G, at + from, G, at + from, i - from)
    if (!(pivot > tolerance * diagonal)) return false
    G[at + i] = Math.sqrt(pivot)
  }
  return true
}

/** L Lᵀ x = b, in place of b. */
export function solveSkyline(L: Float64Array, n: number, first: Int32Array, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const from = first[i]!
    b[i] = (b[i]! - dot(L, i * n + from, b, from, i - from)) / L[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    const from = first[i]!
    const x = b[i]! / L[i * n + i]!
    b[i] = x
    addScaledRow(b, from, L, i * n + from, -x, i - from)
  }
}

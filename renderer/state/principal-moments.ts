import type { Mat3 } from '../../core/math/matrix'
import type { Vec3 } from '../../core/math/vector'

/** Eigenvalues of a symmetric matrix, ascending, by cyclic Jacobi rotations. */
export function principalMoments(matrix: Mat3): Vec3 {
  const a = [...matrix]
  for (let sweep = 0; sweep < 32; sweep++) {
    const off = Math.abs(a[1]!) + Math.abs(a[2]!) + Math.abs(a[5]!)
    if (off <= 1e-16 * (Math.abs(a[0]!) + Math.abs(a[4]!) + Math.abs(a[8]!))) break
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) rotateAway(a, p, q)
  }
  const sorted = [a[0]!, a[4]!, a[8]!].sort((x, y) => x - y)
  return [sorted[0]!, sorted[1]!, sorted[2]!]
}

/** One rotation in the p, q plane that makes a_pq zero. */
function rotateAway(a: number[], p: 0 | 1, q: 1 | 2) {
  const apq = a[3 * p + q]!
  if (apq === 0) return
  const theta = (a[4 * q]! - a[4 * p]!) / (2 * apq)
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  const r = 3 - p - q
  const arp = a[3 * r + p]!
  const arq = a[3 * r + q]!
  a[4 * p] = a[4 * p]! - t * apq
  a[4 * q] = a[4 * q]! + t * apq
  a[3 * p + q] = a[3 * q + p] = 0
  a[3 * r + p] = a[3 * p + r] = c * arp - s * arq
  a[3 * r + q] = a[3 * q + r] = s * arp + c * arq
}

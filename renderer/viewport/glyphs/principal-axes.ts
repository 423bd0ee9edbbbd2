/** Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix by Jacobi's rotations. */

import type { Mat3 } from '../../../core/math/matrix'
import type { Vec3 } from '../../../core/math/vector'

export interface PrincipalAxes {
  readonly values: Vec3
  /** Unit vectors, right-handed, in the order of the values. */
  readonly axes: readonly [Vec3, Vec3, Vec3]
}

export function principalAxes(matrix: Mat3): PrincipalAxes {
  const a = [[matrix[0], matrix[1], matrix[2]], [matrix[3], matrix[4], matrix[5]], [matrix[6], matrix[7], matrix[8]]]
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  for (let sweep = 0; sweep < 20; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const off = a[p]![q]!
      if (off === 0) continue
      const theta = (a[q]![q]! - a[p]![p]!) / (2 * off)
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
      const c = 1 / Math.sqrt(t * t + 1)
      const s = t * c
      for (let k = 0; k < 3; k++) {
        const akp = a[k]![p]!
        const akq = a[k]![q]!
        a[k]![p] = c * akp - s * akq
        a[k]![q] = s * akp + c * akq
      }
      for (let k = 0; k < 3; k++) {
        const apk = a[p]![k]!
        const aqk = a[q]![k]!
        a[p]![k] = c * apk - s * aqk
        a[q]![k] = s * apk + c * aqk
        const vkp = v[k]![p]!
        const vkq = v[k]![q]!
        v[k]![p] = c * vkp - s * vkq
        v[k]![q] = s * vkp + c * vkq
      }
    }
  }
  const axis = (k: number): Vec3 => [v[0]![k]!, v[1]![k]!, v[2]![k]!]
  return { values: [a[0]![0]!, a[1]![1]!, a[2]![2]!], axes: [axis(0), axis(1), axis(2)] }
}

/** Semi-axes of the uniform solid ellipsoid that has these principal inertias and this mass, m. */
export function inertiaSemiAxes(values: Vec3, mass: number): Vec3 {
  const [a, b, c] = values
  const axis = (own: number, other: number, third: number) => Math.sqrt(Math.max(0, 2.5 * (other + third - own) / mass))
  return [axis(a, b, c), axis(b, a, c), axis(c, a, b)]
}

/**
 * Bending of all patches in an implicit stage. The condition is linear and isotropic in the three axes, so the matrix depends only on the stage
 * length: each block is a multiple of the unit matrix, Σ (k + d/a) c_i c_j.
 */

import type { StageElements } from '../condition'

/** @param weights nine numbers per particle of each patch: c for uu, uv, vv. @returns null if the stiffness differs between axes */
export function curvatureStage({ arity, vertices, weights }: { readonly arity: number; readonly vertices: Int32Array; readonly weights: Float64Array },
  stiffness: Float64Array, damping: Float64Array, slots: Int32Array): StageElements | null {
  for (const values of [stiffness, damping]) {
    for (let k = 0; k < values.length; k++) if (values[k] !== values[k - (k % 3)]) return null
  }
  const count = vertices.length / arity
  const pairs = (arity * (arity + 1)) / 2
  const blocks = slots.reduce((most, slot) => Math.max(most, (slot >= 0 ? slot : ~slot) + 1), 0)
  /** By block of the matrix: the contribution of stiffness, and of damping × a. */
  const stiff = new Float64Array(blocks)
  const damped = new Float64Array(blocks)
  for (let e = 0; e < count; e++) {
    let at = pairs * e
    for (let i = 0; i < arity; i++) {
      for (let j = 0; j <= i; j++) {
        const slot = slots[at++]!
        const to = slot >= 0 ? slot : ~slot
        for (let d = 0; d < 3; d++) {
          const product = weights[3 * (e * arity + i) + d]! * weights[3 * (e * arity + j) + d]!
          stiff[to]! += stiffness[9 * e + 3 * d]! * product
          damped[to]! += damping[9 * e + 3 * d]! * product
        }
      }
    }
  }
  /** C of a patch, then k C + d (C − C*) / a. */
  const C = new Float64Array(9)
  return {
    addForces(x, before, a, f, sums) {
      let { largest, potential } = sums
      for (let e = 0; e < count; e++) {
        curvatureValues(arity, vertices, weights, e, x, C)
        for (let r = 0; r < 9; r++) {
          const at = 9 * e + r
          const change = C[r]! - before[at]!
          const drag = (damping[at]! * change) / a
          potential += 0.5 * (stiffness[at]! * C[r]! * C[r]! + drag * change)
          C[r] = stiffness[at]! * C[r]! + drag
        }
        const across = Math.max(Math.abs(C[0]!), Math.abs(C[1]!), Math.abs(C[2]!))
        const mixed = Math.max(Math.abs(C[3]!), Math.abs(C[4]!), Math.abs(C[5]!))
        const along = Math.max(Math.abs(C[6]!), Math.abs(C[7]!), Math.abs(C[8]!))
        for (let i = 0; i < arity; i++) {
          const from = 3 * (e * arity + i)
          const c0 = weights[from]!, c1 = weights[from + 1]!, c2 = weights[from + 2]!
          const to = 3 * vertices[e * arity + i]!
          f[to]! -= c0 * C[0]! + c1 * C[3]! + c2 * C[6]!
          f[to + 1]! -= c0 * C[1]! + c1 * C[4]! + c2 * C[7]!
          f[to + 2]! -= c0 * C[2]! + c1 * C[5]! + c2 * C[8]!
          largest = Math.max(largest, Math.abs(c0) * across, Math.abs(c1) * mixed, Math.abs(c2) * along)
        }
      }
      sums.largest = largest
      sums.potential = potential
    },
    addMatrix(_x, _before, a, _semidefinite, values) {
      for (let k = 0; k < blocks; k++) {
        const s = stiff[k]! + damped[k]! / a
        values[9 * k]! += s
        values[9 * k + 4]! += s
        values[9 * k + 8]! += s
      }
    },
  }
}

/** The nine components of patch e to C. */
export function curvatureValues(arity: number, vertices: Int32Array, weights: Float64Array, e: number, x: Float64Array, C: Float64Array): void {
  let C0 = 0, C1 = 0, C2 = 0, C3 = 0, C4 = 0, C5 = 0, C6 = 0, C7 = 0, C8 = 0
  for (let k = e * arity; k < (e + 1) * arity; k++) {
    const i = 3 * vertices[k]!
    const c0 = weights[3 * k]!, c1 = weights[3 * k + 1]!, c2 = weights[3 * k + 2]!
    const x0 = x[i]!, x1 = x[i + 1]!, x2 = x[i + 2]!
    C0 += c0 * x0
    C1 += c0 * x1
    C2 += c0 * x2
    C3 += c1 * x0
    C4 += c1 * x1
    C5 += c1 * x2
    C6 += c2 * x0
    C7 += c2 * x1
    C8 += c2 * x2
  }
  C[0] = C0
  C[1] = C1
  C[2] = C2
  C[3] = C3
  C[4] = C4
  C[5] = C5
  C[6] = C6
  C[7] = C7
  C[8] = C8
}

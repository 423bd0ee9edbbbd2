/**
 * Stretch and shear of all triangles in an implicit stage. The gradients and second derivatives of the conditions with respect to the columns w_u and
 * w_v of a triangle's map (`stretch-shear.ts`) form a 6 × 6 matrix with the blocks U, M and V. The block of vertices i and j is then
 *
 *   a_i a_j U + a_i b_j M + b_i a_j Mᵀ + b_i b_j V,   a quarter of the products of 9 × 9 matrices per condition.
 */

import { atan2 } from '../../math/elementary'
import type { StageElements } from '../condition'
import { PARALLEL } from './vector-angle'

/** Places of the numbers that `measured` holds of one triangle. */
const LENGTH_U = 0, LENGTH_V = 1, SINE = 2, COSINE = 3, THETA = 4, W0 = 5, W1 = 6, W2 = 7

/** @param gradients a_i and b_i of each triangle, six numbers */
export function stretchShearStage(triangles: Int32Array, gradients: Float64Array, stiffness: Float64Array, damping: Float64Array,
  slots: Int32Array): StageElements {
  const count = triangles.length / 3
  /** û, v̂, their derivatives' directions p_u, p_v, and n, 3 each; see `vector-angle.ts`. */
  const u = new Float64Array(3)
  const v = new Float64Array(3)
  const p = new Float64Array(3)
  const q = new Float64Array(3)
  const n = new Float64Array(3)
  const U = new Float64Array(9)
  const M = new Float64Array(9)
  const V = new Float64Array(9)
  /**
   * |w_u|, |w_v|, sin θ, cos θ and θ, then k C + d (C − C*) / a of the three conditions. In an array, because the engine allocates memory for every number
   * that a closure's variable gets.
   */
  const measured = new Float64Array(8)

  function measure(t: number, x: Float64Array): void {
    const g = 6 * t
    const i = 3 * triangles[3 * t]!
    const j = 3 * triangles[3 * t + 1]!
    const k = 3 * triangles[3 * t + 2]!
    const a0 = gradients[g]!, a1 = gradients[g + 1]!, a2 = gradients[g + 2]!
    const b0 = gradients[g + 3]!, b1 = gradients[g + 4]!, b2 = gradients[g + 5]!
    const ux = a0 * x[i]! + a1 * x[j]! + a2 * x[k]!
    const uy = a0 * x[i + 1]! + a1 * x[j + 1]! + a2 * x[k + 1]!
    const uz = a0 * x[i + 2]! + a1 * x[j + 2]! + a2 * x[k + 2]!
    const vx = b0 * x[i]! + b1 * x[j]! + b2 * x[k]!
    const vy = b0 * x[i + 1]! + b1 * x[j + 1]! + b2 * x[k + 1]!
    const vz = b0 * x[i + 2]! + b1 * x[j + 2]! + b2 * x[k + 2]!
    const lengthU = Math.max(Math.sqrt(ux * ux + uy * uy + uz * uz), Number.MIN_VALUE)
    const lengthV = Math.max(Math.sqrt(vx * vx + vy * vy + vz * vz), Number.MIN_VALUE)
    const u0 = ux / lengthU, u1 = uy / lengthU, u2 = uz / lengthU
    const v0 = vx / lengthV, v1 = vy / lengthV, v2 = vz / lengthV
    const n0 = u1 * v2 - u2 * v1
    const n1 = u2 * v0 - u0 * v2
    const n2 = u0 * v1 - u1 * v0
    const exact = Math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    const cosine = u0 * v0 + u1 * v1 + u2 * v2
    const sine = Math.max(exact, PARALLEL)
    measured[LENGTH_U] = lengthU
    measured[LENGTH_V] = lengthV
    measured[SINE] = sine
    measured[COSINE] = cosine
    measured[THETA] = atan2(cosine, exact)
    u[0] = u0
    u[1] = u1
    u[2] = u2
    v[0] = v0
    v[1] = v1
    v[2] = v2
    n[0] = n0 / sine
    n[1] = n1 / sine
    n[2] = n2 / sine
    p[0] = (v0 - cosine * u0) / sine
    p[1] = (v1 - cosine * u1) / sine
    p[2] = (v2 - cosine * u2) / sine
    q[0] = (u0 - cosine * v0) / sine
    q[1] = (u1 - cosine * v1) / sine
    q[2] = (u2 - cosine * v2) / sine
  }

  function weigh(t: number, before: Float64Array, a: number): void {
    const k = 3 * t
    const lengthU = measured[LENGTH_U]!, lengthV = measured[LENGTH_V]!, theta = measured[THETA]!
    measured[W0] = stiffness[k]! * (lengthU - 1) + (damping[k]! * (lengthU - 1 - before[k]!)) / a
    measured[W1] = stiffness[k + 1]! * (lengthV - 1) + (damping[k + 1]! * (lengthV - 1 - before[k + 1]!)) / a
    measured[W2] = stiffness[k + 2]! * theta + (damping[k + 2]! * (theta - before[k + 2]!)) / a
  }

  /** Twice the potential of one condition. */
  function twice(k: number, C: number, before: Float64Array, a: number): number {
    const change = C - before[k]!
    return stiffness[k]! * C * C + (damping[k]! * change * change) / a
  }

  /** The 6 × 6 matrix of the triangle measured last. */
  function curve(t: number, a: number, semidefinite: boolean): void {
    const k = 3 * t
    const lengthU = measured[LENGTH_U]!, lengthV = measured[LENGTH_V]!, sine = measured[SINE]!, cosine = measured[COSINE]!
    const w0 = measured[W0]!, w1 = measured[W1]!, w2 = measured[W2]!
    const s0 = stiffness[k]! + damping[k]! / a
    const s1 = stiffness[k + 1]! + damping[k + 1]! / a
    const s2 = stiffness[k + 2]! + damping[k + 2]! / a
    // Lengths have ∇² = (1 − û ûᵀ) / |w|; θ has −∂²φ.
    const acrossU = (semidefinite ? Math.abs(w0) : w0) / lengthU
    const acrossV = (semidefinite ? Math.abs(w1) : w1) / lengthV
    const turn = semidefinite ? 0 : w2
    const overU = 1 / (lengthU * lengthU)
    const overV = 1 / (lengthV * lengthV)
    const alongU = s0 - acrossU
    const alongV = s1 - acrossV
    const normalU = (-turn * overU * cosine) / sine
    const normalV = (-turn * overV * cosine) / sine
    const mixed = s2 / (lengthU * lengthV)
    const normal = turn / (sine * lengthU * lengthV)
    for (let r = 0; r < 3; r++) {
      const ur = u[r]!, vr = v[r]!, pr = p[r]!, qr = q[r]!, nr = n[r]!
      for (let c = 0; c < 3; c++) {
        const at = 3 * r + c
        const nn = nr * n[c]!
        U[at] = alongU * ur * u[c]! + overU * (s2 * pr * p[c]! - turn * (ur * p[c]! + pr * u[c]!)) + normalU * nn
        V[at] = alongV * vr * v[c]! + overV * (s2 * qr * q[c]! - turn * (vr * q[c]! + qr * v[c]!)) + normalV * nn
        M[at] = mixed * pr * q[c]! + normal * nn
      }
      U[4 * r]! += acrossU
      V[4 * r]! += acrossV
    }
  }

  return {
    addForces(x, before, a, f, sums) {
      let { largest, potential } = sums
      for (let t = 0; t < count; t++) {
        measure(t, x)
        weigh(t, before, a)
        const k = 3 * t
        const lengthU = measured[LENGTH_U]!, lengthV = measured[LENGTH_V]!, theta = measured[THETA]!
        const w0 = measured[W0]!, w1 = measured[W1]!, w2 = measured[W2]!
        potential += 0.5 * (twice(k, lengthU - 1, before, a) + twice(k + 1, lengthV - 1, before, a) + twice(k + 2, theta, before, a))
        const shearU = w2 / lengthU
        const shearV = w2 / lengthV
        const gu0 = w0 * u[0]! + shearU * p[0]!
        const gu1 = w0 * u[1]! + shearU * p[1]!
        const gu2 = w0 * u[2]! + shearU * p[2]!
        const gv0 = w1 * v[0]! + shearV * q[0]!
        const gv1 = w1 * v[1]! + shearV * q[1]!
        const gv2 = w1 * v[2]! + shearV * q[2]!
        const sharpU = Math.abs(w0) * Math.max(Math.abs(u[0]!), Math.abs(u[1]!), Math.abs(u[2]!))
        const sharpV = Math.abs(w1) * Math.max(Math.abs(v[0]!), Math.abs(v[1]!), Math.abs(v[2]!))
        for (let i = 0; i < 3; i++) {
          const ai = gradients[6 * t + i]!
          const bi = gradients[6 * t + 3 + i]!
          const at = 3 * triangles[k + i]!
          f[at]! -= ai * gu0 + bi * gv0
          f[at + 1]! -= ai * gu1 + bi * gv1
          f[at + 2]! -= ai * gu2 + bi * gv2
          const su = ai * shearU
          const sv = bi * shearV
          largest = Math.max(largest, Math.abs(ai) * sharpU, Math.abs(bi) * sharpV,
            Math.abs(su * p[0]! + sv * q[0]!), Math.abs(su * p[1]! + sv * q[1]!), Math.abs(su * p[2]! + sv * q[2]!))
        }
      }
      sums.largest = largest
      sums.potential = potential
    },
    addMatrix(x, before, a, semidefinite, values) {
      for (let t = 0; t < count; t++) {
        measure(t, x)
        weigh(t, before, a)
        curve(t, a, semidefinite)
        let at = 6 * t
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j <= i; j++) {
            const slot = slots[at++]!
            // The pattern stores the lower triangle: a block above the diagonal is the transpose of block (j, i).
            const r = slot >= 0 ? i : j
            const c = slot >= 0 ? j : i
            const ar = gradients[6 * t + r]!, br = gradients[6 * t + 3 + r]!
            const ac = gradients[6 * t + c]!, bc = gradients[6 * t + 3 + c]!
            const uu = ar * ac, uv = ar * bc, vu = br * ac, vv = br * bc
            const to = 9 * (slot >= 0 ? slot : ~slot)
            values[to]! += uu * U[0]! + (uv + vu) * M[0]! + vv * V[0]!
            values[to + 1]! += uu * U[1]! + uv * M[1]! + vu * M[3]! + vv * V[1]!
            values[to + 2]! += uu * U[2]! + uv * M[2]! + vu * M[6]! + vv * V[2]!
            values[to + 3]! += uu * U[3]! + uv * M[3]! + vu * M[1]! + vv * V[3]!
            values[to + 4]! += uu * U[4]! + (uv + vu) * M[4]! + vv * V[4]!
            values[to + 5]! += uu * U[5]! + uv * M[5]! + vu * M[7]! + vv * V[5]!
            values[to + 6]! += uu * U[6]! + uv * M[6]! + vu * M[2]! + vv * V[6]!
            values[to + 7]! += uu * U[7]! + uv * M[7]! + vu * M[5]! + vv * V[7]!
            values[to + 8]! += uu * U[8]! + (uv + vu) * M[8]! + vv * V[8]!
          }
        }
      }
    },
  }
}

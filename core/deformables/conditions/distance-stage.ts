/** Springs of all pairs in an implicit stage. The blocks aa, bb and −ab of a pair are equal: α l̂ l̂ᵀ + β (1 − l̂ l̂ᵀ). */

import type { StageElements } from '../condition'

export function distanceStage(pairs: Int32Array, lengths: Float64Array, stiffness: Float64Array, damping: Float64Array, slots: Int32Array): StageElements {
  const count = lengths.length
  return {
    addForces(x, before, a, f, sums) {
      let { largest, potential } = sums
      for (let e = 0; e < count; e++) {
        // Rods have a strain, but no force.
        if (stiffness[e] === 0 && damping[e] === 0) continue
        const i = 3 * pairs[2 * e]!
        const j = 3 * pairs[2 * e + 1]!
        const dx = x[i]! - x[j]!
        const dy = x[i + 1]! - x[j + 1]!
        const dz = x[i + 2]! - x[j + 2]!
        const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
        const C = l - lengths[e]!
        const change = C - before[e]!
        const drag = (damping[e]! * change) / a
        const w = stiffness[e]! * C + drag
        if (w === 0) continue
        potential += 0.5 * (stiffness[e]! * C * C + drag * change)
        const fx = l > 0 ? (w * dx) / l : 0
        const fy = l > 0 ? (w * dy) / l : 0
        const fz = l > 0 ? (w * dz) / l : w
        largest = Math.max(largest, Math.abs(fx), Math.abs(fy), Math.abs(fz))
        f[i]! -= fx
        f[i + 1]! -= fy
        f[i + 2]! -= fz
        f[j]! += fx
        f[j + 1]! += fy
        f[j + 2]! += fz
      }
      sums.largest = largest
      sums.potential = potential
    },
    addMatrix(x, before, a, semidefinite, values) {
      for (let e = 0; e < count; e++) {
        // Rods have a strain, but no force.
        if (stiffness[e] === 0 && damping[e] === 0) continue
        const i = 3 * pairs[2 * e]!
        const j = 3 * pairs[2 * e + 1]!
        const dx = x[i]! - x[j]!
        const dy = x[i + 1]! - x[j + 1]!
        const dz = x[i + 2]! - x[j + 2]!
        const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
        const C = l - lengths[e]!
        const w = stiffness[e]! * C + (damping[e]! * (C - before[e]!)) / a
        const across = l > 0 ? (semidefinite ? Math.abs(w) : w) / l : 0
        const along = stiffness[e]! + damping[e]! / a - across
        const x0 = l > 0 ? dx / l : 0
        const x1 = l > 0 ? dy / l : 0
        const x2 = l > 0 ? dz / l : 1
        const xx = along * x0 * x0 + across
        const yy = along * x1 * x1 + across
        const zz = along * x2 * x2 + across
        const xy = along * x0 * x1
        const xz = along * x0 * x2
        const yz = along * x1 * x2
        for (let k = 0; k < 3; k++) {
          const slot = slots[3 * e + k]!
          const to = 9 * (slot >= 0 ? slot : ~slot)
          const s = k === 1 ? -1 : 1
          values[to]! += s * xx
          values[to + 1]! += s * xy
          values[to + 2]! += s * xz
          values[to + 3]! += s * xy
          values[to + 4]! += s * yy
          values[to + 5]! += s * yz
          values[to + 6]! += s * xz
          values[to + 7]! += s * yz
          values[to + 8]! += s * zz
        }
      }
    },
  }
}

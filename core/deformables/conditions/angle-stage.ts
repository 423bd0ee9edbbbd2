/**
 * Angles of all corners a–b–c in an implicit stage. With the forces' coefficient w and the stiffness s, the blocks of a and c follow from the derivatives in
 * `vector-angle.ts`; those of b are minus their sums, because only x_a − x_b and x_c − x_b count.
 */

import type { StageElements } from '../condition'
import { measureAngle, vectorAngle, type VectorAngle } from './vector-angle'

/** Blocks of an element: aa, ba, bb, ca, cb, cc. */
const BLOCKS = 6

export function angleStage(corners: Int32Array, angles: Float64Array, stiffness: Float64Array, damping: Float64Array, slots: Int32Array): StageElements {
  const count = angles.length
  const angle = vectorAngle()
  const nine = (): Float64Array => new Float64Array(9)
  const [aa, cc, ca, block] = [nine(), nine(), nine(), nine()]
  const measure = (e: number, x: Float64Array): void => {
    const a = 3 * corners[3 * e]!, b = 3 * corners[3 * e + 1]!, c = 3 * corners[3 * e + 2]!
    measureAngle(angle, x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!, x[c]! - x[b]!, x[c + 1]! - x[b + 1]!, x[c + 2]! - x[b + 2]!)
  }
  return {
    addForces(x, before, a, f, sums) {
      const { pa, pb } = angle
      let { largest, potential } = sums
      for (let e = 0; e < count; e++) {
        measure(e, x)
        const C = angle.phi - angles[e]!
        const change = C - before[e]!
        const drag = (damping[e]! * change) / a
        const w = stiffness[e]! * C + drag
        if (w === 0) continue
        potential += 0.5 * (stiffness[e]! * C * C + drag * change)
        for (let k = 0; k < 3; k++) {
          const first = (w * pa[k]!) / angle.lengthA
          const second = (w * pb[k]!) / angle.lengthB
          f[3 * corners[3 * e]! + k]! += first
          f[3 * corners[3 * e + 1]! + k]! -= first + second
          f[3 * corners[3 * e + 2]! + k]! += second
          largest = Math.max(largest, Math.abs(first), Math.abs(second), Math.abs(first + second))
        }
      }
      sums.largest = largest
      sums.potential = potential
    },
    addMatrix(x, before, a, semidefinite, values) {
      for (let e = 0; e < count; e++) {
        measure(e, x)
        const C = angle.phi - angles[e]!
        const s = stiffness[e]! + damping[e]! / a
        // The second derivative of an angle is not semidefinite.
        const w = semidefinite ? 0 : stiffness[e]! * C + (damping[e]! * (C - before[e]!)) / a
        if (s === 0 && w === 0) continue
        square(angle, angle.a, angle.pa, angle.lengthA, s, w, aa)
        square(angle, angle.b, angle.pb, angle.lengthB, s, w, cc)
        const { pa, pb, n, sine, lengthA, lengthB } = angle
        const over = 1 / (lengthA * lengthB)
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) ca[3 * r + c] = over * (s * pb[r]! * pa[c]! - (w / sine) * n[r]! * n[c]!)
        const at = BLOCKS * e
        addBlock(values, slots[at]!, aa)
        for (let k = 0; k < 9; k++) block[k] = -aa[k]! - ca[k]!
        addBlock(values, slots[at + 1]!, block)
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) block[3 * r + c] = aa[3 * r + c]! + cc[3 * r + c]! + ca[3 * r + c]! + ca[3 * c + r]!
        addBlock(values, slots[at + 2]!, block)
        addBlock(values, slots[at + 3]!, ca)
        for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) block[3 * r + c] = -ca[3 * r + c]! - cc[3 * r + c]!
        addBlock(values, slots[at + 4]!, block)
        addBlock(values, slots[at + 5]!, cc)
      }
    },
  }
}

/** Writes s ∇φ ∇φᵀ + w ∂²φ/∂u² for one of the vectors, with the unit vector u and its p. */
function square({ n, cosine, sine }: VectorAngle, u: Float64Array, p: Float64Array, length: number, s: number, w: number, out: Float64Array): void {
  const over = 1 / (length * length)
  const cotangent = w * cosine / sine
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) out[3 * r + c] = over * (s * p[r]! * p[c]! + cotangent * n[r]! * n[c]! + w * (u[r]! * p[c]! + p[r]! * u[c]!))
  }
}

/** Adds a block to its slot, transposed if the slot is that of the opposite block. */
function addBlock(values: Float64Array, slot: number, block: Float64Array): void {
  if (slot >= 0) {
    for (let k = 0; k < 9; k++) values[9 * slot + k]! += block[k]!
  } else {
    const to = 9 * ~slot
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) values[to + 3 * r + c]! += block[3 * c + r]!
  }
}

/**
 * Projected sweeps over the frictional contacts of an island, three rows at a time, so that the velocities of a contact's bodies are read and written once. A
 * WebAssembly kernel sweeps contacts with friction discs; the equivalent code in TypeScript sweeps contacts with polygons.
 */

import * as kernel from 'kernel:contact-sweep'
import type { StepProblem } from '../step-problem'
import type { Cone } from './cone'
import {
  CONTACT_RECORD, COUPLING, FRICTION, MASS_A, MASS_B, NORMAL, NORMAL_SCALE, PUSH, TANGENT_SCALE, TURN_A, TURN_B, packContact,
} from './contact-record'
import { ANGULAR, VELOCITY, type SweepMemory } from './sweep-memory'

export class ContactSweep {
  /** @param diagonal A_ii; of tangents it becomes the largest eigenvalue of their 2 × 2 block */
  constructor(problem: StepProblem, private readonly cone: Cone, private readonly memory: SweepMemory, diagonal: Float64Array) {
    const { records, rows, placesA, placesB } = memory
    const { bodyCount, slotA, slotB, friction } = problem
    for (let c = 0; c < friction.length; c++) {
      const { normal, staticFriction } = friction[c]!
      rows[c] = normal
      placesA[c] = VELOCITY * (slotA[normal]! < 0 ? bodyCount : slotA[normal]!)
      placesB[c] = VELOCITY * (slotB[normal]! < 0 ? bodyCount : slotB[normal]!)
      packContact(records, CONTACT_RECORD * c, problem, normal, staticFriction, diagonal)
    }
  }

  /** One Gauss–Seidel sweep over the contacts. @returns the largest violation met, m/s */
  sweep(relaxation: number, backwards: boolean): number {
    if (this.cone.directions > 0) return this.sweepScalar(relaxation, backwards)
    const { records, rows, placesA, placesB, u, p, b } = this.memory
    return kernel.sweep(
      records.byteOffset, rows.byteOffset, placesA.byteOffset, placesB.byteOffset, u.byteOffset, p.byteOffset, b.byteOffset, rows.length, relaxation, backwards,
    ) / relaxation
  }

  /** The kernel's equivalent: additions are in the same order, so that results are identical bit for bit. */
  sweepScalar(relaxation: number, backwards: boolean): number {
    const { cone, memory: { records: C, rows, placesA, placesB, u, p, b } } = this
    const disc = cone.directions === 0
    const count = rows.length
    let worst = 0
    for (let k = 0; k < count; k++) {
      const c = backwards ? count - 1 - k : k
      const o = CONTACT_RECORD * c
      const row = rows[c]!
      const x = placesA[c]!
      const y = placesB[c]!
      const v0 = u[x]! - u[y]!
      const v1 = u[x + 1]! - u[y + 1]!
      const v2 = u[x + 2]! - u[y + 2]!
      const a0 = u[x + ANGULAR]!
      const a1 = u[x + ANGULAR + 1]!
      const a2 = u[x + ANGULAR + 2]!
      const b0 = u[y + ANGULAR]!
      const b1 = u[y + ANGULAR + 1]!
      const b2 = u[y + ANGULAR + 2]!
      const n = o + NORMAL
      const rate = C[n]! * v0 + C[n + 4]! * a0 + C[n + 8]! * b0 + (C[n + 2]! * v2 + C[n + 6]! * a2 + C[n + 10]! * b2)
        + (C[n + 1]! * v1 + C[n + 5]! * a1 + C[n + 9]! * b1) - b[row]!
      const pn = p[row]!
      const normal = C[o + NORMAL_SCALE]!
      let dn = -relaxation * rate / normal
      if (pn + dn < 0) dn = -pn
      const s1 = p[row + 1]!
      const s2 = p[row + 2]!
      const radius = C[o + FRICTION]! * (pn + dn)
      let d1 = -s1
      let d2 = -s2
      const tangent = C[o + TANGENT_SCALE]!
      if (radius > 0) {
        const rate1 = C[o]! * v0 + C[o + 2]! * v1 + C[o + 8]! * a1 + C[o + 12]! * b0 + C[o + 16]! * b2
          + (C[o + 4]! * v2 + C[o + 6]! * a0 + C[o + 10]! * a2 + C[o + 14]! * b1 + C[o + COUPLING]! * dn) - b[row + 1]!
        const rate2 = C[o + 1]! * v0 + C[o + 3]! * v1 + C[o + 9]! * a1 + C[o + 13]! * b0 + C[o + 17]! * b2
          + (C[o + 5]! * v2 + C[o + 7]! * a0 + C[o + 11]! * a2 + C[o + 15]! * b1 + C[o + COUPLING + 1]! * dn) - b[row + 2]!
        const step = relaxation / tangent
        let t1 = s1 - step * rate1
        let t2 = s2 - step * rate2
        if (disc) {
          const square = t1 * t1 + t2 * t2
          if (square > radius * radius) {
            const shrink = radius / Math.sqrt(square)
            t1 *= shrink
            t2 *= shrink
          }
        } else {
          cone.project(t1, t2, radius)
          t1 = cone.x
          t2 = cone.y
        }
        d1 += t1
        d2 += t2
      }
      const change = Math.max(Math.abs(dn) * normal, Math.abs(d1) * tangent, Math.abs(d2) * tangent)
      if (change === 0) continue
      // NaN compares false with everything: it has to be kept, or the sweep would count as converged.
      if (!(change <= worst)) worst = change
      p[row] = pn + dn
      p[row + 1] = s1 + d1
      p[row + 2] = s2 + d2
      const massA = C[o + MASS_A]!
      const massB = C[o + MASS_B]!
      for (let r = 0; r < 3; r++) {
        const j = C[o + PUSH + r]! * dn + C[o + PUSH + 4 + r]! * d1 + C[o + PUSH + 8 + r]! * d2
        if (massA > 0) {
          u[x + r]! += massA * j
          u[x + ANGULAR + r]! += C[o + TURN_A + r]! * dn + C[o + TURN_A + 4 + r]! * d1 + C[o + TURN_A + 8 + r]! * d2
        }
        if (massB > 0) {
          u[y + r]! -= massB * j
          u[y + ANGULAR + r]! += C[o + TURN_B + r]! * dn + C[o + TURN_B + 4 + r]! * d1 + C[o + TURN_B + 8 + r]! * d2
        }
      }
    }
    return worst / relaxation
  }
}

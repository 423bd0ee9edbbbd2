/** Forces and works of conditions that are held by multipliers, in the last evaluation [held-conditions.ts]. */

import { spread } from '../energy'
import type { ParticleState } from '../system'
import type { HeldConditions } from './held-conditions'
import type { Rows } from './held-rows'

/**
 * Adds the forces on the first place of each element, N, 3 each; of a centre of mass those on all of its particles.
 *
 * @param share factor
 */
export function addConditionReactions({ sets }: HeldConditions, share: number, out: Float64Array): void {
  let at = 0
  for (const { condition: { count, rows, kind }, arity, jacobians, presses } of sets) {
    for (let e = 0; e < count; e++, at += 3) {
      for (let row = e * rows; row < (e + 1) * rows; row++) {
        for (let a = 0; a < (kind === 'centre' ? arity : 1); a++) {
          for (let c = 0; c < 3; c++) out[at + c]! += share * presses[row]! * jacobians[3 * (row * arity + a) + c]!
        }
      }
    }
  }
}

/**
 * Adds the wrenches on dynamic carriers: force, N, and moment about the centre of mass, N m; 6 a body, the world excluded.
 *
 * @param share factor; @param wrenches of each condition
 */
export function addConditionWrenches({ sets, points }: HeldConditions, share: number, wrenches: (condition: number) => Float64Array): void {
  sets.forEach(({ condition, arity, jacobians, presses, on }, k) => {
    if (on !== 'dynamic') return
    const out = wrenches(k)
    let slot = 0
    for (const vertex of condition.vertices) {
      const blocks = points.blocksOf(vertex).length
      if (blocks === 2) {
        const [body, arm] = [points.carrierOf(vertex) - 1, 3 * (vertex - points.first)]
        const [rx, ry, rz] = [points.arms[arm]!, points.arms[arm + 1]!, points.arms[arm + 2]!]
        for (let row = 0; row < presses.length; row++) {
          const at = 3 * (row * arity + slot)
          const [x, y, z] = [0, 1, 2].map(c => share * presses[row]! * jacobians[at + c]!) as [number, number, number]
          const wrench = [x, y, z, ry * z - rz * y, rz * x - rx * z, rx * y - ry * x]
          for (let c = 0; c < 6; c++) out[6 * body + c]! += wrench[c]!
        }
      }
      slot += blocks
    }
  })
}

/** Accounts of conditions: without feedback on particles only, with it, on points of dynamic bodies, and on points of prescribed ones or of the world. */
export type ConditionAccount = 'still' | 'feedback' | 'dynamic' | 'prescribed'

function accountOf({ feedback, on }: Rows): ConditionAccount {
  return on ?? (feedback === null ? 'still' : 'feedback')
}

/** Adds forces × a share, by account, to forces on all blocks. */
export function addConditionForces({ sets }: HeldConditions, share: number, accounts: Readonly<Record<ConditionAccount, Float64Array>>): void {
  for (const set of sets) {
    const { condition: { rows }, arity, jacobians, presses } = set
    presses.forEach((p, row) => {
      spread(set, Math.floor(row / rows), 0, share * p, jacobians.subarray(3 * arity * row, 3 * arity * (row + 1)), accounts[accountOf(set)])
    })
  }
}

/** J: work on particles that moved from `before` to `after`, by account. */
export function conditionWorks({ sets }: HeldConditions, before: ParticleState, after: ParticleState): Record<ConditionAccount, number> {
  const works: Record<ConditionAccount, number> = { still: 0, feedback: 0, dynamic: 0, prescribed: 0 }
  const moved = after.positions.map((x, k) => x - before.positions[k]!)
  for (const set of sets) {
    const { condition: { rows }, arity, vertices, jacobians, presses } = set
    let sum = 0
    for (let row = 0; row < presses.length; row++) {
      const e = Math.floor(row / rows)
      let along = 0
      for (let a = 0; a < arity; a++) {
        const i = 3 * vertices[e * arity + a]!
        // Blocks of bodies follow the particles.
        if (i >= moved.length) continue
        const at = 3 * (row * arity + a)
        along += jacobians[at]! * moved[i]! + jacobians[at + 1]! * moved[i + 1]! + jacobians[at + 2]! * moved[i + 2]!
      }
      sum += presses[row]! * along
    }
    works[accountOf(set)] += sum
  }
  return works
}

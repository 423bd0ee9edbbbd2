/** Reaction of a joint, from the multipliers of the islands being solved. */

import type { EquationsOfMotion } from '../../contact/equations'
import { aboutAnchor, type Reaction } from '../../contact/joint-breaking'
import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import type { Island } from '../../contact/island'
import { ZERO, type Vec3 } from '../../math/vector'

/** Wrench on A at the anchor, including the limits; null if no island contains the joint. */
export function islandReaction(equations: EquationsOfMotion, forces: readonly Float64Array[], joint: number): Reaction | null {
  const k = equations.islands.findIndex(({ joints }) => joints.some(({ index }) => index === joint))
  return k < 0 ? null : reactionIn(equations, equations.islands[k]!, forces[k]!, joint)
}

/** @param own further load of the joint, beyond the island's rows, on A about its centre of mass: for tree joints */
export function reactionIn(
  equations: EquationsOfMotion, island: Island | null, f: Float64Array, joint: number, own: Reaction = { force: ZERO, torque: ZERO },
): Reaction {
  const force = [...own.force] as [number, number, number]
  const torque = [...own.torque] as [number, number, number]
  const onA = (jacobian: Float64Array, at: number, multiplier: number): void => {
    for (let i = 0; i < 3; i++) {
      force[i]! += jacobian[at + i]! * multiplier
      torque[i]! += jacobian[at + 3 + i]! * multiplier
    }
  }
  for (const { index, firstRow, equations: rowsOfJoint } of island?.joints ?? []) {
    if (index !== joint) continue
    const { rows } = equations.world.joints[joint]!.constraint
    for (let r = 0; r < rows; r++) onA(rowsOfJoint.jacobian, r * JACOBIAN_WIDTH, f[firstRow + r]!)
  }
  island?.limits.forEach((limit, i) => {
    if (limit.joint === joint) onA(island.rows.jacobian, island.limitRow[i]! * JACOBIAN_WIDTH, f[island.limitRow[i]!]!)
  })
  const total: Vec3 = [force[0], force[1], force[2]]
  return { force: total, torque: aboutAnchor(equations, joint, total, [torque[0], torque[1], torque[2]]) }
}

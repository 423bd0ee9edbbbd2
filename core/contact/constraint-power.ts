/**
 * Power of multipliers at the snapshot: of friction, of joints with drives or feedback, and of kinematic bodies, which keep their motion against the
 * multipliers on them. Each function adds to the rates of the works, W, in the order of `WORKS`.
 */

import { dot, type Vec3 } from '../math/vector'
import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import { velocityAt } from '../geometry/motion'
import type { Island } from './island'
import { frictionPower } from './island-forces'
import type { Rows } from './rows'
import type { Snapshot } from './snapshot'
import { WORKS } from './works'

const FRICTION = WORKS.indexOf('friction')
const JOINTS = WORKS.indexOf('joints')
const KINEMATIC = WORKS.indexOf('kinematic')

/** Power of an island's multipliers f. */
export function addConstraintPower(snapshot: Snapshot, island: Island, f: Float64Array, power: Float64Array): void {
  for (let i = 0; i < island.points.length; i++) power[FRICTION] = power[FRICTION]! + frictionPower(island, i, f)
  for (const spin of island.spins) {
    const work = spin.of.joint === undefined ? FRICTION : JOINTS
    power[work] = power[work]! + dot(spin.torque(f), spin.velocity)
  }
  island.drives.forEach((_, i) => {
    power[JOINTS] = power[JOINTS]! + f[island.driveRow[i]!]! * island.driveVelocity[i]!
  })
  if (island.feedback !== null) {
    for (const { firstRow, equations: { error } } of island.joints) {
      for (let row = firstRow; row < firstRow + error.length; row++) {
        power[JOINTS] = power[JOINTS]! + f[row]! * island.rows.velocity(row, snapshot)
      }
    }
  }
  addKinematicPower(snapshot, island.rows, f, power)
  if (island.rows.second !== null) addKinematicPower(snapshot, island.rows.second, island.rows.owned(f), power)
}

/**
 * Power of kinematic bodies on the trees attached to them.
 *
 * @param before sum of all wrenches except the joint reactions of trees, 6 doubles a body
 * @param total the same with these reactions
 */
export function addTreePower({ trees, motions, bodies }: Snapshot, before: Float64Array, total: Float64Array, power: Float64Array): void {
  if (trees === null || !trees.forest.nodes.some(({ parent, parentNode }) => parent >= 0 && parentNode < 0 && bodies[parent]!.type === 'kinematic')) return
  const reactions = trees.reactions(before, total)
  trees.forest.nodes.forEach(({ body, parent, parentNode }, n) => {
    if (parent < 0 || parentNode >= 0 || bodies[parent]!.type !== 'kinematic') return
    const force: Vec3 = [reactions[6 * n]!, reactions[6 * n + 1]!, reactions[6 * n + 2]!]
    const torque: Vec3 = [reactions[6 * n + 3]!, reactions[6 * n + 4]!, reactions[6 * n + 5]!]
    const above = motions[parent]!
    power[KINEMATIC] = power[KINEMATIC]! + (dot(force, velocityAt(above, motions[body]!.center)) + dot(torque, above.angularVelocity))
  })
}

function addKinematicPower(snapshot: Snapshot, rows: Rows, f: Float64Array, power: Float64Array): void {
  const add = (body: number, at: number, force: number): void => {
    if (body < 0 || snapshot.bodies[body]!.type !== 'kinematic') return
    power[KINEMATIC] = power[KINEMATIC]! - force * velocityAlong(rows.jacobian, at, snapshot, body)
  }
  for (let row = 0; row < rows.count; row++) {
    add(rows.bodyA[row]!, row * JACOBIAN_WIDTH, f[row]!)
    add(rows.bodyB[row]!, row * JACOBIAN_WIDTH + 6, f[row]!)
  }
}

/** m/s or rad/s: velocity of one body along six doubles of a row. */
export function velocityAlong(jacobian: Float64Array, at: number, snapshot: Snapshot, body: number): number {
  const { velocity, angularVelocity } = snapshot.motions[body]!
  let sum = 0
  for (let k = 0; k < 3; k++) sum += jacobian[at + k]! * velocity[k]! + jacobian[at + 3 + k]! * angularVelocity[k]!
  return sum
}

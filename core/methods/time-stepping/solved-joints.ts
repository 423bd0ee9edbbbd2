/** Joint loads in the last step: their impulses divided by its length. */

import { JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { aboutAnchor } from '../../contact/joint-breaking'
import { treeReaction } from '../../contact/tree-reaction'
import { sizeOf } from '../../lcp/spin'
import { add, scale, ZERO, type Vec3 } from '../../math/vector'
import type { SolvedJoint } from '../method'
import type { StepContext } from './context'
import type { Stepper } from './stepper'

/** Loads of all joints on A at the anchor, N and N m, world frame. */
export function solvedJoints({ world, equations }: StepContext, { kept: { list: last }, motions: { trees } }: Stepper): SolvedJoint[] {
  const reactions = trees?.forces() ?? null
  const found = new Map<number, { force: Vec3; torque: Vec3; error: number; motorForce: number; limitForce: number }>()
  const entry = (joint: number) => {
    let known = found.get(joint)
    if (known === undefined) found.set(joint, known = { force: ZERO, torque: ZERO, error: 0, motorForce: 0, limitForce: 0 })
    return known
  }
  for (const { problem, joints, drives, limits, spins, endImpulse, endWork, endRows, duration } of last) {
    if (problem === null) continue
    const onA = (joint: number, jacobian: Float64Array, at: number, impulse: number): void => {
      const sum = entry(joint)
      sum.force = add(sum.force, scale([jacobian[at]!, jacobian[at + 1]!, jacobian[at + 2]!], impulse / duration))
      sum.torque = add(sum.torque, scale([jacobian[at + 3]!, jacobian[at + 4]!, jacobian[at + 5]!], impulse / duration))
    }
    const inAll = (row: number): number => problem.p[row]! + (row < endWork.length ? endImpulse[row]! : 0)
    for (const { index, firstRow, equations: start, atEnd } of joints) {
      atEnd.error.forEach((value, r) => {
        onA(index, start.jacobian, r * JACOBIAN_WIDTH, problem.p[firstRow + r]!)
        if (endRows !== null) onA(index, atEnd.jacobian, r * JACOBIAN_WIDTH, endImpulse[firstRow + r]!)
        entry(index).error = Math.max(entry(index).error, Math.abs(value))
      })
    }
    for (const { drive, row } of drives) entry(drive.joint).motorForce += inAll(row) / duration
    for (const spin of spins) {
      if (spin.of.joint !== undefined) entry(spin.of.joint.joint).motorForce += sizeOf(spin.rows.rows.map(inAll)) / duration
    }
    for (const { joint, row, side } of limits) {
      if (row < 0) continue
      entry(joint).limitForce += side * inAll(row) / duration
      onA(joint, problem.rows.jacobian, row * JACOBIAN_WIDTH, problem.p[row]!)
      if (row < endWork.length) onA(joint, endRows!.jacobian, row * JACOBIAN_WIDTH, endImpulse[row]!)
    }
  }
  return world.joints.map(({ constraint, coordinates, broken }, index): SolvedJoint => {
    const { force: ofRows, torque: turnOfRows, error, limitForce } = entry(index)
    const inTrees = reactions === null ? null : treeReaction(equations, reactions, index)
    const force = inTrees === null ? ofRows : add(ofRows, inTrees.force)
    const torque = inTrees === null ? turnOfRows : add(turnOfRows, inTrees.torque)
    const motorForce = entry(index).motorForce + equations.jointLoads.commanded(index)
    const { position, velocity } = coordinates.length > 0 ? equations.jointLoads.coordinate(index, 0) : { position: NaN, velocity: NaN }
    const a = equations.snapshot.motionOf(constraint.bodyA)
    const anchor = constraint.anchor(a, equations.snapshot.motionOf(constraint.bodyB))
    const second = coordinates.length > 1 ? equations.jointLoads.coordinate(index, 1) : null
    return {
      force, torque: aboutAnchor(equations, index, force, torque), broken, anchor, error, position, velocity,
      secondPosition: second?.position ?? NaN, secondVelocity: second?.velocity ?? NaN, motorForce, limitForce,
    }
  })
}

/** Splits the bodies of a step into islands: bodies that are joined, or may interact by contacts in this step. */

import { BodyGroups } from '../../contact/body-groups'
import type { JointSpin } from '../../contact/constraints'
import type { Snapshot } from '../../contact/snapshot'
import { bodiesOfJoint } from '../../dynamics/joints'
import type { ActiveConstraint } from './active-constraint'
import type { StepDrive } from './step-drive'
import type { StepJoint, StepLimit } from './joint-rows'
import { StepIsland } from './step-island'

/**
 * Islands in the order of their first body, contents in the order given. Immovable bodies belong to no island and connect none; a body without
 * contacts and joints is in none.
 */
export function partition(
  snapshot: Snapshot, joints: readonly StepJoint[], limits: readonly StepLimit[], drives: readonly StepDrive[],
  jointSpins: readonly JointSpin[], constraints: readonly ActiveConstraint[],
): StepIsland[] {
  const groups = new BodyGroups(snapshot)
  for (const { element: { constraint } } of joints) groups.join(...bodiesOfJoint(constraint))
  const { trees } = snapshot
  for (const { body, parent, parentNode } of trees?.forest.nodes ?? []) if (parentNode >= 0) groups.join(body, parent)
  for (const { constraint: { pair } } of constraints) groups.join(pair.bodyA, pair.bodyB)
  const islands = new Map<number, StepIsland>()
  const island = (...bodies: readonly number[]): StepIsland | null => {
    const home = groups.homeOf(...bodies)
    if (home < 0) return null
    let found = islands.get(home)
    if (found === undefined) islands.set(home, found = new StepIsland())
    return found
  }
  for (const joint of joints) island(...bodiesOfJoint(joint.element.constraint))?.joints.push(joint)
  for (const limit of limits) island(limit.element.constraint.bodyA, limit.element.constraint.bodyB)?.limits.push(limit)
  for (const entry of drives) island(entry.drive.element.constraint.bodyA, entry.drive.element.constraint.bodyB)?.drives.push(entry)
  for (const spin of jointSpins) island(spin.element.constraint.bodyA, spin.element.constraint.bodyB)?.jointSpins.push(spin)
  for (const active of constraints) island(active.constraint.pair.bodyA, active.constraint.pair.bodyB)?.constraints.push(active)
  for (let i = 0; i < snapshot.bodies.length; i++) if (groups.dynamic(i)) islands.get(groups.find(i))?.bodies.push(i)
  for (const found of islands.values()) found.inTrees = trees !== null && found.bodies.some(body => trees.has(body))
  return [...islands.keys()].sort((a, b) => a - b).map(home => islands.get(home)!)
}

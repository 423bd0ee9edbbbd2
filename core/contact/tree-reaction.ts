/** Reactions of joints of trees, from the momentum balance of the subtrees attached to them. */

import { add, cross, negate, sub, type Vec3 } from '../math/vector'
import type { EquationsOfMotion } from './equations'
import type { Reaction } from './joint-breaking'

/**
 * Reaction of a joint of a tree, on A about its centre of mass; null for joints that are rows.
 *
 * @param reactions of all nodes of trees
 */
export function treeReaction({ snapshot }: EquationsOfMotion, reactions: Float64Array, joint: number): Reaction | null {
  const node = snapshot.trees?.forest.nodeOfJoint[joint] ?? -1
  if (node < 0) return null
  const { link, body, parent } = snapshot.trees!.forest.nodes[node]!
  const at = 6 * node
  const force: Vec3 = [reactions[at]!, reactions[at + 1]!, reactions[at + 2]!]
  const torque: Vec3 = [reactions[at + 3]!, reactions[at + 4]!, reactions[at + 5]!]
  if (link!.isA) return { force, torque }
  const arm = sub(snapshot.motions[body]!.center, snapshot.motionOf(parent).center)
  return { force: negate(force), torque: negate(add(torque, cross(arm, force))) }
}

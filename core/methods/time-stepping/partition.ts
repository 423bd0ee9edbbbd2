/** Splits the bodies of a step into islands: what is joined, or may push each other in this step. */

import type { Snapshot } from '../../contact/snapshot'
import type { ActiveConstraint } from './active-constraint'
import { StepIsland, type StepDrive, type StepJoint, type StepLimit } from './step-island'

/**
 * Islands in the order of their first body, contents in the order given. Bodies that nothing moves belong to none and join none; a body that nothing
 * touches or joins is in none.
 */
export function partition(
  snapshot: Snapshot, joints: readonly StepJoint[], limits: readonly StepLimit[], drives: readonly StepDrive[],
  constraints: readonly ActiveConstraint[],
): StepIsland[] {
  const count = snapshot.bodies.length
  const parent = new Int32Array(count)
  for (let i = 0; i < count; i++) parent[i] = i
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  const dynamic = (body: number): boolean => body >= 0 && snapshot.inverseMass[body]! > 0
  const join = (a: number, b: number): void => {
    if (!dynamic(a) || !dynamic(b)) return
    const p = find(a)
    const q = find(b)
    if (p !== q) parent[Math.max(p, q)] = Math.min(p, q)
  }
  const homeOf = (a: number, b: number): number => dynamic(a) ? find(a) : dynamic(b) ? find(b) : -1
  for (const { element: { constraint } } of joints) join(constraint.bodyA, constraint.bodyB)
  for (const { constraint: { pair } } of constraints) join(pair.bodyA, pair.bodyB)
  const islands = new Map<number, StepIsland>()
  const island = (a: number, b: number): StepIsland | null => {
    const home = homeOf(a, b)
    if (home < 0) return null
    let found = islands.get(home)
    if (found === undefined) islands.set(home, found = new StepIsland())
    return found
  }
  for (const joint of joints) island(joint.element.constraint.bodyA, joint.element.constraint.bodyB)?.joints.push(joint)
  for (const limit of limits) island(limit.element.constraint.bodyA, limit.element.constraint.bodyB)?.limits.push(limit)
  for (const entry of drives) island(entry.drive.element.constraint.bodyA, entry.drive.element.constraint.bodyB)?.drives.push(entry)
  for (const active of constraints) island(active.constraint.pair.bodyA, active.constraint.pair.bodyB)?.constraints.push(active)
  for (let i = 0; i < count; i++) if (dynamic(i)) islands.get(find(i))?.bodies.push(i)
  return [...islands.keys()].sort((a, b) => a - b).map(home => islands.get(home)!)
}

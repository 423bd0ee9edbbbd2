/** Splits what touches into islands: sets of dynamic bodies that can influence each other through touching points and joints. */

import type { Drive, TouchingLimit, TouchingPoint } from './constraints'
import { Island } from './island'
import type { Snapshot } from './snapshot'
import type { World } from './world'

export interface IslandInputs {
  readonly world: World
  readonly snapshot: Snapshot
  readonly points: readonly TouchingPoint[]
  readonly limits: readonly TouchingLimit[]
  readonly drives: readonly Drive[]
  readonly jointPositions: Float64Array[]
  /** m/s: slips slower than this keep their direction. */
  readonly slowSlip: number
}

/**
 * Islands in the order of their first body, with their contents in the order given. Bodies that are not dynamic belong to none and
 * join none; joints of which neither body is dynamic, or of which one does not exist yet, are left out.
 */
export function buildIslands(inputs: IslandInputs): Island[] {
  const { world, snapshot, points, limits, drives } = inputs
  const parent = Int32Array.from(world.bodies, (_, i) => i)
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  const dynamic = (body: number): boolean => body >= 0 && snapshot.inverseMass[body]! > 0
  const join = (a: number, b: number): void => {
    if (!dynamic(a) || !dynamic(b)) return
    const ra = find(a)
    const rb = find(b)
    if (ra !== rb) parent[Math.max(ra, rb)] = Math.min(ra, rb)
  }
  const homeOf = (a: number, b: number): number => dynamic(a) ? find(a) : dynamic(b) ? find(b) : -1
  const joints = world.joints
    .map((element, index) => ({ index, element }))
    .filter(({ element: { constraint } }) => [constraint.bodyA, constraint.bodyB].every(body => body < 0 || snapshot.exists[body]))
  for (const { element: { constraint } } of joints) join(constraint.bodyA, constraint.bodyB)
  for (const point of points) join(point.bodyA, point.bodyB)

  const groups = new Map<number, { bodies: number[]; points: TouchingPoint[]; joints: typeof joints; limits: TouchingLimit[]; drives: Drive[] }>()
  const group = (home: number) => {
    let found = groups.get(home)
    if (!found) groups.set(home, found = { bodies: [], points: [], joints: [], limits: [], drives: [] })
    return found
  }
  for (const point of points) group(homeOf(point.bodyA, point.bodyB)).points.push(point)
  for (const joint of joints) {
    const home = homeOf(joint.element.constraint.bodyA, joint.element.constraint.bodyB)
    if (home >= 0) group(home).joints.push(joint)
  }
  const jointHome = (at: TouchingLimit | Drive): number => homeOf(at.element.constraint.bodyA, at.element.constraint.bodyB)
  for (const limit of limits) if (jointHome(limit) >= 0) group(jointHome(limit)).limits.push(limit)
  for (const drive of drives) if (jointHome(drive) >= 0) group(jointHome(drive)).drives.push(drive)
  for (let i = 0; i < world.bodies.length; i++) {
    if (dynamic(i)) groups.get(find(i))?.bodies.push(i)
  }
  return [...groups.keys()].sort((a, b) => a - b)
    .map(home => new Island(groups.get(home)!, inputs.jointPositions, inputs.slowSlip))
}

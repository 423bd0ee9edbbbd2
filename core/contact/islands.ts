/** Splits what touches into islands: sets of dynamic bodies that can influence each other through touching points and joints. */

import { bodiesOfJoint } from '../dynamics/joints/joint'
import { BodyGroups } from './body-groups'
import type { Drive, JointSpin, TouchingLimit, TouchingPoint } from './constraints'
import { Island, type Feedback } from './island'
import type { FrictionLaw } from './friction-law'
import type { Snapshot } from './snapshot'
import type { World } from './world'

export interface IslandInputs {
  readonly world: World
  readonly snapshot: Snapshot
  readonly points: readonly TouchingPoint[]
  readonly limits: readonly TouchingLimit[]
  readonly drives: readonly Drive[]
  readonly jointSpins: readonly JointSpin[]
  readonly jointPositions: Float64Array[]
  /** m/s: slower slips keep their direction. */
  readonly slowSlip: number
  /** rad/s: slower rotations keep their direction. */
  readonly slowSpin: number
  /** Coulomb's unless given. */
  readonly law?: FrictionLaw
  /** Of joints; absent: none. */
  readonly feedback?: Feedback | null
  /** Called by the solvers of the islands' problems, which may take long; throws to cancel them. */
  readonly interrupt?: () => void
}

/**
 * Islands in the order of their first body, with their contents in the order given. Bodies that are not dynamic belong to no island and connect none.
 * Left out are joints without a dynamic body, and broken joints and those of which one body does not exist, with their limits, drives and friction.
 * Joints of trees connect their bodies, and have no rows.
 */
export function buildIslands(inputs: IslandInputs): Island[] {
  const { world, snapshot, points, limits, drives, jointSpins } = inputs
  const bodies = new BodyGroups(snapshot)
  const joints = world.joints
    .map((element, index) => ({ index, element }))
    .filter(({ element: { constraint, broken } }) => !broken && bodiesOfJoint(constraint).every(body => snapshot.exists[body]))
  for (const { element: { constraint } } of joints) bodies.join(...bodiesOfJoint(constraint))
  for (const point of points) bodies.join(point.bodyA, point.bodyB)

  const groups = new Map<number, {
    bodies: number[]; points: TouchingPoint[]; joints: typeof joints; limits: TouchingLimit[]; drives: Drive[]; jointSpins: JointSpin[]
  }>()
  const group = (home: number) => {
    let found = groups.get(home)
    if (!found) groups.set(home, found = { bodies: [], points: [], joints: [], limits: [], drives: [], jointSpins: [] })
    return found
  }
  for (const point of points) group(bodies.homeOf(point.bodyA, point.bodyB)).points.push(point)
  for (const joint of joints) {
    if (snapshot.trees !== null && snapshot.trees.forest.nodeOfJoint[joint.index]! >= 0) continue
    const home = bodies.homeOf(...bodiesOfJoint(joint.element.constraint))
    if (home >= 0) group(home).joints.push(joint)
  }
  const acting = new Set(joints.map(({ index }) => index))
  const jointHome = ({ joint, element: { constraint } }: TouchingLimit | Drive | JointSpin): number =>
    acting.has(joint) ? bodies.homeOf(constraint.bodyA, constraint.bodyB) : -1
  for (const limit of limits) if (jointHome(limit) >= 0) group(jointHome(limit)).limits.push(limit)
  for (const drive of drives) if (jointHome(drive) >= 0) group(jointHome(drive)).drives.push(drive)
  for (const spin of jointSpins) if (jointHome(spin) >= 0) group(jointHome(spin)).jointSpins.push(spin)
  for (let i = 0; i < world.bodies.length; i++) {
    if (bodies.dynamic(i)) groups.get(bodies.find(i))?.bodies.push(i)
  }
  return [...groups.keys()].sort((a, b) => a - b)
    .map(home => new Island(
      { ...groups.get(home)!, interrupt: inputs.interrupt }, inputs.jointPositions, inputs.slowSlip, inputs.slowSpin, inputs.law, inputs.feedback))
}

/** Joints that appear and disappear during a run. */

import type { EquationsOfMotion } from '../contact/equations'
import { WORKS } from '../contact/works'
import { springEnergyOf } from '../contact/joint-breaking'
import type { World } from '../contact/world'
import { bodiesOfJoint, evaluateJoint, jointEquations, type JointConstraint } from '../dynamics/joints'
import { shortNumber } from '../math/short-number'
import { StopError, type MethodEnvironment } from './method'

interface Present {
  readonly equations: EquationsOfMotion
  readonly environment: MethodEnvironment
  readonly state: Float64Array
}

/**
 * m or rad, × the scene's size if that is more than a metre: tolerated error of a new joint, which is the rounding of a recorded pose in single
 * precision.
 */
const FITS = 1e-6
const JOINTS = WORKS.indexOf('joints')

/**
 * Activates and deactivates the joints of a time, with the energy of their springs and events. Incompatible velocities are left to an impact.
 *
 * @returns indices of the joints that changed
 * @throws StopError if a new joint does not fit its bodies: it would move them instantly
 */
export function spawnAndRemoveJoints({ equations, environment: { observer }, state }: Present, time: number): readonly number[] {
  const { world, snapshot, jointPositions } = equations
  const going = world.joints.flatMap(({ removeTime, broken }, joint) => removeTime === time && !broken ? [joint] : [])
  const coming = world.joints.flatMap(({ spawnTime }, joint) => spawnTime === time && time > 0 ? [joint] : [])
  if (going.length + coming.length === 0) return []
  snapshot.update(state)
  const energy = (joints: readonly number[]): number => springEnergyOf(equations, joints.map(joint => ({ joint })))
  const at = equations.layout.bodyLength + JOINTS
  state[at] = state[at]! - energy(going)
  for (const joint of coming) {
    const { constraint } = world.joints[joint]!
    requireFit(equations, constraint, time)
    const positions = jointPositions[joint]!.fill(0)
    positions.forEach((_, c) => { positions[c] = equations.jointLoads.coordinate(joint, c).position })
    world.joints[joint]!.broken = false
  }
  state[at] = state[at]! + energy(coming)
  for (const joint of going) world.joints[joint]!.broken = true
  for (const [kind, joints] of [['remove', going], ['spawn', coming]] as const) {
    for (const joint of joints) {
      const { bodyA, bodyB } = world.joints[joint]!.constraint
      observer.event({ kind, time, joint, bodyA, bodyB })
    }
  }
  return [...going, ...coming]
}

/** Bodies that are released by joints, among those that have changed. */
export function releasedBodies({ joints }: World, changed: readonly number[]): number[] {
  return changed.flatMap(joint => joints[joint]!.broken ? bodiesOfJoint(joints[joint]!.constraint) : [])
}

function requireFit({ world, snapshot }: EquationsOfMotion, constraint: JointConstraint, time: number): void {
  const bodies = bodiesOfJoint(constraint)
  if (bodies.some(body => !snapshot.exists[body])) return
  const out = jointEquations(constraint)
  evaluateJoint(constraint, body => snapshot.motionOf(body), out)
  const off = out.error.reduce((worst, error) => Math.max(worst, Math.abs(error)), 0)
  const allowed = FITS * Math.max(1, world.scales.size)
  if (off <= allowed) return
  throw new StopError('JointApart', `joint "${constraint.id}" appears at ${shortNumber(time, 6)} s, but does not fit its bodies then: its error is `
    + `${shortNumber(off)} m or rad, and ${shortNumber(allowed)} is allowed. Give its anchors at their poses of that time (poseA, poseB)`,
  time, [constraint.id, ...bodies.map(body => world.bodies[body]!.id)])
}

/** Motors, joint friction and joint limits at one instant: which hold, which are saturated, which limits are reached. */

import { spinFriction, type Drive, type JointSpin, type TouchingLimit } from './constraints'
import type { EquationsOfMotion } from './equations'
import { servoOf } from './servo'
import type { World } from './world'
import type { Tolerances } from './tolerances'

/**
 * All motors and joint friction of the world, as set by keys and controllers.
 *
 * @param time s
 * @param servos whether to include servos as rows; otherwise they are forces
 */
export function allDrives(world: World, time: number, servos: boolean): Drive[] {
  const drives: Drive[] = []
  world.joints.forEach((element, joint) => {
    if (element.broken) return
    element.coordinates.forEach((elements, coordinate) => {
      const { motor: own, friction, command } = elements
      const servo = servos ? servoOf(elements) : null
      const held = own && { targetVelocity: own.targetVelocity.at(time), maxForce: own.maxForce }
      const motor = command === null ? held : command.kind === 'velocity' ? command : null
      if (motor !== null) {
        drives.push({
          joint, element, coordinate, source: 'motor', targetVelocity: motor.targetVelocity, maxForce: motor.maxForce, state: 'holding', servo: null,
        })
      }
      if (servo !== null && servo.stiffness + servo.damping > 0) {
        drives.push({ joint, element, coordinate, source: 'servo', targetVelocity: 0, maxForce: servo.maxForce, state: 'holding', servo })
      }
      if (friction > 0) {
        drives.push({ joint, element, coordinate, source: 'friction', targetVelocity: 0, maxForce: friction, state: 'holding', servo: null })
      }
    })
  })
  return drives
}

/** Coulomb friction of every ball joint of the world. */
export function allJointSpins(world: World): JointSpin[] {
  return world.joints.flatMap((element, joint): JointSpin[] =>
    element.spinFriction > 0 && !element.broken ? [{ joint, element, spin: spinFriction('ball', element.spinFriction) }] : [])
}

/** A drive off its target velocity acts with its full force towards it; a drive at its target may hold. */
export function classifyDrives(drives: readonly Drive[], equations: EquationsOfMotion, speedTolerance: number): void {
  for (const drive of drives) {
    const off = drive.targetVelocity - equations.jointLoads.coordinate(drive.joint, drive.coordinate).velocity
    if (drive.maxForce === Infinity || Math.abs(off) <= speedTolerance) drive.state = 'holding'
    else drive.state = off > 0 ? 'positive' : 'negative'
  }
}

/** Reached limits, with their unilateral rows. */
export function touchingLimits(world: World, equations: EquationsOfMotion, tolerances: Tolerances): TouchingLimit[] {
  const touching: TouchingLimit[] = []
  world.joints.forEach((element, joint) => {
    element.coordinates.forEach(({ limits }, coordinate) => {
      if (limits === null || !equations.jointLoads.acts(joint)) return
      const { position } = equations.jointLoads.coordinate(joint, coordinate)
      for (const side of [1, -1] as const) {
        const bound = side === 1 ? limits.lower : limits.upper
        if (side * (position - bound) <= tolerances.gap) touching.push({ joint, element, coordinate, side, bound, normal: 'idle' })
      }
    })
  })
  return touching
}

/** Stores the last positions of joint coordinates, near which angles are unwrapped. */
export function rememberCoordinates(world: World, equations: EquationsOfMotion): void {
  world.joints.forEach((element, joint) => {
    for (let c = 0; c < element.constraint.coordinates; c++) {
      equations.jointPositions[joint]![c] = equations.jointLoads.coordinate(joint, c).position
    }
  })
}

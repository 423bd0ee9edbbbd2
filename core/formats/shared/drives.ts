/**
 * Drives of glTF and USD joints: a damped spring towards a position and a velocity, F = stiffness (rest − position) + damping (target velocity −
 * velocity), at most maxForce. The scene has four separate elements instead: springs, dampers, motors that hold a velocity with a bounded force, and
 * servos that hold a position with a bounded force.
 */

import type { Coordinate, Lose } from './six-freedoms'

export interface Drive {
  readonly stiffness: number
  readonly damping: number
  readonly targetVelocity: number
  readonly maxForce: number
  readonly rest: number
}

/** The scene's elements for a drive. @param what name of the drive in messages */
export function driven({ stiffness, damping, targetVelocity, maxForce, rest }: Drive, what: string, lose: Lose): Partial<Coordinate> {
  if (!(stiffness > 0) && !(damping > 0)) return {}
  if (maxForce === 0) return {}
  if (stiffness > 0) {
    if (targetVelocity !== 0) lose(`${what} has a target velocity in addition to its spring`, 'the spring alone')
    if (Number.isFinite(maxForce)) return { servo: { target: rest, stiffness, damping, maxForce } }
    return { stiffness, rest, damping }
  }
  if (targetVelocity === 0 && !Number.isFinite(maxForce)) return { damping }
  const bound = Number.isFinite(maxForce) ? maxForce : damping * Math.abs(targetVelocity)
  lose(`${what} approaches its velocity by a damping of ${Number(damping.toPrecision(4))}`, `a motor that holds the velocity with at most ${Number(bound.toPrecision(4))}`)
  return { motor: { targetVelocity, maxForce: bound } }
}

/** Adds a drive to a coordinate: springs are combined into one with the same total force. */
export function withDrive(known: Coordinate, made: Partial<Coordinate>): Coordinate {
  const [k, more] = [known.stiffness ?? 0, made.stiffness ?? 0]
  const together = k > 0 && more > 0 ? { stiffness: k + more, rest: (k * (known.rest ?? 0) + more * (made.rest ?? 0)) / (k + more) } : {}
  return { ...known, ...made, ...together, damping: (known.damping ?? 0) + (made.damping ?? 0) }
}

/** Relative error of a motor's velocity at its largest force. */
const MOTOR_SLACK = 0.01
/** m/s or rad/s: for smaller target velocities the error is relative to this; a brake has target velocity zero. */
const MIN_SPEED = 0.1

/** The drives of a coordinate: for its spring and damping, its motor, and its servo. */
export function drivesOf({ stiffness = 0, damping = 0, rest = 0, motor, servo }: Coordinate): readonly Drive[] {
  const drives: Drive[] = []
  if (stiffness > 0 || damping > 0) drives.push({ stiffness, damping, rest, targetVelocity: 0, maxForce: Infinity })
  if (motor !== undefined) {
    const { targetVelocity, maxForce } = motor
    drives.push({ stiffness: 0, damping: maxForce / (MOTOR_SLACK * Math.max(Math.abs(targetVelocity), MIN_SPEED)), rest: 0, targetVelocity, maxForce })
  }
  if (servo !== undefined) {
    drives.push({ stiffness: servo.stiffness, damping: servo.damping, rest: servo.target, targetVelocity: 0, maxForce: servo.maxForce ?? Infinity })
  }
  return drives
}

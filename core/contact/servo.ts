/** Which servo holds a coordinate, and its force where that is a force like others. */

import type { CoordinateElements, Servo } from './world'

/** The servo that holds a coordinate, if one does: a controller's, or the scene's while no controller has set anything. */
export function servoOf({ command, servo }: CoordinateElements): Servo | null {
  if (command === null) return servo
  return command.kind === 'position' ? command.servo : null
}

/** N or N m. */
export function servoForce({ stiffness, damping, maxForce, reference }: Servo, time: number, position: number, velocity: number): number {
  const wanted = reference(time)
  return Math.min(maxForce, Math.max(-maxForce, stiffness * (wanted.position - position) + damping * (wanted.velocity - velocity)))
}

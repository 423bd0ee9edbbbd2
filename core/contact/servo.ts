/** The active servo of a coordinate, and its force if it is evaluated as a force. */

import type { CoordinateElements, Servo } from './world'

/** The active servo of a coordinate, if any: a controller's, or the scene's if no controller has set a command. */
export function servoOf({ command, servo }: CoordinateElements): Servo | null {
  if (command === null) return servo
  return command.kind === 'position' ? command.servo : null
}

/** N or N m. */
export function servoForce({ stiffness, damping, maxForce, reference }: Servo, time: number, position: number, velocity: number): number {
  const wanted = reference(time)
  return Math.min(maxForce, Math.max(-maxForce, stiffness * (wanted.position - position) + damping * (wanted.velocity - velocity)))
}

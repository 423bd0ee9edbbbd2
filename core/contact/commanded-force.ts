/** What a controller's command pushes a coordinate with, beside the motor that a velocity is. */

import type { CoordinateCommand } from './world'

/** N or N m. A position is held by a spring and a damper, f = k (q* − q) + d (q̇* − q̇), within the largest force. */
export function commandedForce(command: CoordinateCommand, position: number, velocity: number): number {
  switch (command.kind) {
    case 'velocity': return 0
    case 'force': return command.force
    case 'position': {
      const { target, velocity: wanted, stiffness, damping, maxForce } = command
      return Math.min(maxForce, Math.max(-maxForce, stiffness * (target - position) + damping * (wanted - velocity)))
    }
  }
}

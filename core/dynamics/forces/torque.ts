import { transform } from '../../math/matrix'
import type { Vec3 } from '../../math/vector'
import type { ForceElement } from './force'

export interface TorqueSpec {
  readonly id: string
  readonly type: 'torque'
  readonly body: number
  /** N m, in `frame`. */
  readonly torque: Vec3
  readonly frame: 'world' | 'body'
}

/** A constant torque. It has no potential: rotations do not commute. */
export function constantTorque({ id, body, torque, frame }: TorqueSpec): ForceElement {
  return {
    id, type: 'torque', bodies: [body], breakpoints: [],
    potential: () => 0,
    apply(_time, motions, exists, sink) {
      if (exists[body]) sink.torque(body, frame === 'world' ? torque : transform(motions[body]!.rotation, torque), 'scripts')
    },
  }
}

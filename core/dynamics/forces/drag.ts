import { length, scale, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import type { ForceElement } from './force'
import { dynamicTargets } from './targets'

export interface DragSpec {
  readonly id: string
  readonly type: 'drag'
  /** Indices; absent: every dynamic body. */
  readonly bodies?: readonly number[]
  /** N s/m */
  readonly linear: number
  /** N s²/m² */
  readonly quadratic: number
  /** N m s/rad */
  readonly angular: number
}

/** F = −(linear + quadratic |v|) v at the centre of mass, T = −angular ω [PBM01-C §4]. */
export function drag({ id, bodies: listed, linear, quadratic, angular }: DragSpec, bodies: readonly RigidBody[]): ForceElement {
  const targets = dynamicTargets(bodies, listed).map(body => body.index)
  return {
    id, type: 'drag', bodies: targets, breakpoints: [],
    potential: () => 0,
    apply(_time, motions, exists, sink) {
      for (const index of targets) {
        if (!exists[index]) continue
        const { center, velocity, angularVelocity } = motions[index]!
        if (linear > 0 || quadratic > 0) sink.force(index, resistance(velocity, linear, quadratic), center, 'drag')
        if (angular > 0) sink.torque(index, scale(angularVelocity, -angular), 'drag')
      }
    },
  }
}

/** −(linear + quadratic |v|) v, N. */
export function resistance(velocity: Vec3, linear: number, quadratic: number): Vec3 {
  return scale(velocity, -(linear + quadratic * length(velocity)))
}

import { dot, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import type { ForceElement } from './force'
import { dynamicTargets } from './targets'

export interface UniformSpec {
  readonly id: string
  readonly type: 'uniform'
  /** Indices; absent: every dynamic body. */
  readonly bodies?: readonly number[]
  /** N, world frame. */
  readonly force: Vec3
}

/** The same constant force at the centre of mass of each body: V = −F·c. */
export function uniformForce({ id, bodies: listed, force }: UniformSpec, bodies: readonly RigidBody[]): ForceElement {
  const targets = dynamicTargets(bodies, listed).map(body => body.index)
  return {
    id, type: 'uniform', bodies: targets, breakpoints: [],
    potential: motions => targets.reduce((sum, index) => sum - dot(force, motions[index]!.center), 0),
    apply(_time, motions, exists, sink) {
      for (const index of targets) {
        if (exists[index]) sink.force(index, force, motions[index]!.center, 'potential')
      }
    },
  }
}

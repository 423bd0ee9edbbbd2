import { dot, scale, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import type { ForceElement } from './force'
import { dynamicTargets } from './targets'

/** Uniform gravity: F = m g at the centre of mass of every dynamic body, V = −m g·c. */
export function gravity(field: Vec3, bodies: readonly RigidBody[]): ForceElement {
  const targets = dynamicTargets(bodies)
  const weights = targets.map(body => scale(field, body.mass))
  return {
    id: 'gravity', type: 'gravity', bodies: targets.map(body => body.index), breakpoints: [],
    potential: motions => targets.reduce((sum, { index }, k) => sum - dot(weights[k]!, motions[index]!.center), 0),
    apply(_time, motions, exists, sink) {
      targets.forEach(({ index }, k) => {
        if (exists[index]) sink.force(index, weights[k]!, motions[index]!.center, 'potential')
      })
    },
  }
}

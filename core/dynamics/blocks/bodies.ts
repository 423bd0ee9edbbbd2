/** Rigid bodies: 7 + 6 doubles each, unpacked as motions. */

import type { BodyMotion } from '../../geometry/motion'
import { cross } from '../../math/vector'
import { angularMomentumOf, kineticEnergy, type RigidBody } from '../body'
import type { StateBlock } from './block'

export class BodyBlock implements StateBlock {
  readonly kind = 'bodies'

  /** @param motions of all bodies, by index, at the requested instant; `exists` likewise */
  constructor(readonly bodies: readonly RigidBody[], private readonly at: { readonly motions: readonly BodyMotion[]; readonly exists: readonly boolean[] }) {}

  get positions(): number {
    return 7 * this.bodies.length
  }

  get velocities(): number {
    return 6 * this.bodies.length
  }

  kineticEnergy(): number {
    const { bodies, at: { motions, exists } } = this
    return bodies.reduce((sum, body) => exists[body.index] ? sum + kineticEnergy(body, motions[body.index]!) : sum, 0)
  }

  addMomentum(out: Float64Array): void {
    const { bodies, at: { motions, exists } } = this
    for (const body of bodies) {
      if (body.type !== 'dynamic' || !exists[body.index]) continue
      const motion = motions[body.index]!
      const spin = angularMomentumOf(body, motion)
      const orbit = cross(motion.center, motion.velocity)
      for (let k = 0; k < 3; k++) {
        out[k]! += body.mass * motion.velocity[k]!
        out[3 + k]! += spin[k]! + body.mass * orbit[k]!
      }
    }
  }
}

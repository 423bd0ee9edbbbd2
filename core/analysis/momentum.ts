/** Momentum of all moving bodies, from a recorded frame. */

import { inverse, transform, type Mat3 } from '../math/matrix'
import { rotate, rotateInverse, type Quat } from '../math/quaternion'
import { add, cross, scale, ZERO, type Vec3 } from '../math/vector'
import { BODY_STRIDE } from '../trajectory/frame'
import type { BodyMasses } from './body-masses'

export interface Momentum {
  /** kg m/s */
  readonly linear: Vec3
  /** kg m²/s, about the world's origin. */
  readonly angular: Vec3
}

/** @returns a function of a frame's `bodies`; absent, fixed and kinematic bodies are ignored */
export function momentumOf({ inverseMass, centers, inverseInertia }: BodyMasses): (bodies: Float64Array) => Momentum {
  const moving = [...inverseMass.keys()].filter(i => inverseMass[i]! > 0).map(i => ({
    at: i * BODY_STRIDE, mass: 1 / inverseMass[i]!, center: vectorAt(centers, 3 * i),
    inertia: inverse(Array.from(inverseInertia.subarray(9 * i, 9 * i + 9)) as unknown as Mat3),
  }))
  return bodies => {
    let linear = ZERO
    let angular = ZERO
    for (const { at, mass, center, inertia } of moving) {
      if (Number.isNaN(bodies[at]!)) continue
      const orientation: Quat = [bodies[at + 3]!, bodies[at + 4]!, bodies[at + 5]!, bodies[at + 6]!]
      const p = scale(vectorAt(bodies, at + 7), mass)
      const spin = rotate(orientation, transform(inertia, rotateInverse(orientation, vectorAt(bodies, at + 10))))
      linear = add(linear, p)
      angular = add(angular, add(spin, cross(add(vectorAt(bodies, at), rotate(orientation, center)), p)))
    }
    return { linear, angular }
  }
}

function vectorAt(values: Float64Array, at: number): Vec3 {
  return [values[at]!, values[at + 1]!, values[at + 2]!]
}

/** Size and speed scales for tolerances, taken from the bodies involved, not from the scene, so that distant bodies have no influence. */

import type { World } from '../../contact/world'
import { length } from '../../math/vector'

export class LocalScales {
  /** By body, m, m/s, N; zero for immovable ones. */
  private readonly sizes: Float64Array
  private readonly speeds: Float64Array
  private readonly forces: Float64Array

  constructor({ bodies, bodyScales }: World) {
    const ofDynamic = (read: 'size' | 'speed' | 'force'): Float64Array =>
      Float64Array.from(bodies, ({ type, index }) => type === 'dynamic' ? bodyScales[index]![read] : 0)
    this.sizes = ofDynamic('size')
    this.speeds = ofDynamic('speed')
    this.forces = ofDynamic('force')
    for (const { type, index, initial, boundingRadius } of bodies) {
      if (type !== 'kinematic') continue
      this.speeds[index] = length(initial.velocity) + length(initial.angularVelocity) * (Number.isFinite(boundingRadius) ? boundingRadius : 0)
    }
  }

  /** m: the largest bounding radius of the dynamic ones of some bodies. */
  size(...bodies: readonly number[]): number {
    return largest(this.sizes, bodies)
  }

  /** m: the smallest bounding radius of some dynamic bodies. */
  least(bodies: readonly number[]): number {
    let least = Infinity
    for (const body of bodies) if (this.sizes[body]! > 0) least = Math.min(least, this.sizes[body]!)
    return least
  }

  /** m/s */
  speed(...bodies: readonly number[]): number {
    return largest(this.speeds, bodies)
  }

  /** N */
  force(...bodies: readonly number[]): number {
    return largest(this.forces, bodies)
  }
}

function largest(values: Float64Array, bodies: readonly number[]): number {
  let most = 0
  for (let k = 0; k < bodies.length; k++) if (bodies[k]! >= 0) most = Math.max(most, values[bodies[k]!]!)
  return most
}

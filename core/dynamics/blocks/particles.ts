/** Particles: 3 + 3 doubles each, all of a world's in one block. */

import type { StateBlock } from './block'

export class ParticleBlock implements StateBlock {
  readonly kind = 'particles'
  readonly count: number
  /** m, m/s: 3 a particle. */
  readonly position: Float64Array
  readonly velocity: Float64Array

  /** @param mass kg, by particle: > 0, for held particles too */
  constructor(readonly mass: Float64Array) {
    this.count = mass.length
    this.position = new Float64Array(3 * mass.length)
    this.velocity = new Float64Array(3 * mass.length)
  }

  get positions(): number {
    return 3 * this.count
  }

  get velocities(): number {
    return 3 * this.count
  }

  kineticEnergy(): number {
    const { mass, velocity } = this
    let sum = 0
    for (let i = 0; i < mass.length; i++) {
      const x = velocity[3 * i]!
      const y = velocity[3 * i + 1]!
      const z = velocity[3 * i + 2]!
      sum += 0.5 * mass[i]! * (x * x + y * y + z * z)
    }
    return sum
  }

  addMomentum(out: Float64Array): void {
    const { mass, position: r, velocity: v } = this
    for (let i = 0; i < mass.length; i++) {
      const m = mass[i]!
      for (let k = 0; k < 3; k++) {
        const [a, b] = [3 * i + (k + 1) % 3, 3 * i + (k + 2) % 3]
        out[k]! += m * v[3 * i + k]!
        out[3 + k]! += m * (r[a]! * v[b]! - r[b]! * v[a]!)
      }
    }
  }
}

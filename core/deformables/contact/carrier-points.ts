/** Points of features on carriers: their positions, and their motion with the carriers. They follow the particles in vectors of points, 3 each. */

import { outward, type Carriers } from './carriers'
import type { Features } from './features'

export class CarrierPoints {
  private readonly at = new Float64Array(3)

  constructor(private readonly all: Carriers, private readonly features: Pick<Features, 'particles' | 'points' | 'carriers' | 'places'>) {}

  /** Writes the positions for the given frames of the carriers: rotations R and origins p, at the start of the step or at its end, as iterated. */
  write(R: Float64Array, p: Float64Array, out: Float64Array): void {
    const { at, features: { particles, points, carriers, places } } = this
    for (let k = particles; k < points; k++) {
      outward(R, p, carriers[k]!, places[3 * k]!, places[3 * k + 1]!, places[3 * k + 2]!, at)
      out.set(at, 3 * k)
    }
  }

  /** Adds s × the material velocity of dynamic carriers at the start of the step. */
  addVelocity(s: number, P: Float64Array): void {
    const { all: { velocities: w, startCenters, blocks }, features: { particles, points, carriers } } = this
    for (let k = particles; k < points; k++) {
      const c = carriers[k]!
      if (blocks[c]! < 0) continue
      const [rx, ry, rz] = [0, 1, 2].map(e => P[3 * k + e]! - startCenters[3 * c + e]!) as [number, number, number]
      P[3 * k]! += s * (w[6 * c]! + w[6 * c + 4]! * rz - w[6 * c + 5]! * ry)
      P[3 * k + 1]! += s * (w[6 * c + 1]! + w[6 * c + 5]! * rx - w[6 * c + 3]! * rz)
      P[3 * k + 2]! += s * (w[6 * c + 2]! + w[6 * c + 3]! * ry - w[6 * c + 4]! * rx)
    }
  }

  /** Adds the displacements for a Newton step d of dynamic carriers from the positions P0. */
  addStep(d: Float64Array, P0: Float64Array, P1: Float64Array): void {
    const { all: { inverseRoots: B, centers, blocks }, features: { particles, points, carriers } } = this
    for (let k = particles; k < points; k++) {
      const c = carriers[k]!
      const block = blocks[c]!
      if (block < 0) continue
      const b = 9 * c
      const [ax, ay, az] = [d[3 * block + 3]!, d[3 * block + 4]!, d[3 * block + 5]!]
      const wx = B[b]! * ax + B[b + 3]! * ay + B[b + 6]! * az
      const wy = B[b + 1]! * ax + B[b + 4]! * ay + B[b + 7]! * az
      const wz = B[b + 2]! * ax + B[b + 5]! * ay + B[b + 8]! * az
      const [rx, ry, rz] = [P0[3 * k]! - centers[3 * c]!, P0[3 * k + 1]! - centers[3 * c + 1]!, P0[3 * k + 2]! - centers[3 * c + 2]!]
      P1[3 * k]! += d[3 * block]! + wy * rz - wz * ry
      P1[3 * k + 1]! += d[3 * block + 1]! + wz * rx - wx * rz
      P1[3 * k + 2]! += d[3 * block + 2]! + wx * ry - wy * rx
    }
  }
}

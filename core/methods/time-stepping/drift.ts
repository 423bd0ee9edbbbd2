/** Relative motion of two bodies since their last evaluation. */

import type { Pose } from '../../math/pose'

export class Drift {
  /** B's pose in A's frame. */
  private readonly place = new Float64Array(7).fill(NaN)
  private readonly now = new Float64Array(7)

  /** Stores B's present pose as the reference. */
  mark(a: Pose, b: Pose): void {
    this.look(a, b)
    this.place.set(this.now)
  }

  /** m: a bound on the displacement in A's frame of a point of B within `radius` of its origin; NaN without a reference. */
  since(a: Pose, b: Pose, radius: number): number {
    this.look(a, b)
    const { place, now } = this
    let shift = 0
    let turn = 0
    for (let k = 0; k < 3; k++) shift += (now[k]! - place[k]!) * (now[k]! - place[k]!)
    for (let k = 3; k < 7; k++) turn += (now[k]! - place[k]!) * (now[k]! - place[k]!)
    // A quaternion changes by half the rotation angle. A sign flip counts as a motion, which is conservative.
    return Math.sqrt(shift) + 2 * Math.sqrt(turn) * radius
  }

  private look({ position: p, orientation: a }: Pose, { position: q, orientation: b }: Pose): void {
    const { now } = this
    const x = -a[0]
    const y = -a[1]
    const z = -a[2]
    const w = a[3]
    const dx = q[0] - p[0]
    const dy = q[1] - p[1]
    const dz = q[2] - p[2]
    const tx = 2 * (y * dz - z * dy)
    const ty = 2 * (z * dx - x * dz)
    const tz = 2 * (x * dy - y * dx)
    now[0] = dx + w * tx + y * tz - z * ty
    now[1] = dy + w * ty + z * tx - x * tz
    now[2] = dz + w * tz + x * ty - y * tx
    now[3] = w * b[0] + x * b[3] + y * b[2] - z * b[1]
    now[4] = w * b[1] - x * b[2] + y * b[3] + z * b[0]
    now[5] = w * b[2] + x * b[1] - y * b[0] + z * b[3]
    now[6] = w * b[3] - x * b[0] - y * b[1] - z * b[2]
  }
}

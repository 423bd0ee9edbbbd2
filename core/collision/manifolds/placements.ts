/** Poses of bodies at one instant, in columns: input of manifolds, without an object for each body. */

import type { Pose } from '../../math/pose'
import type { Vec3 } from '../../math/vector'

export class Placements {
  /** m, of the body frames and of the centres of mass; 3 doubles per body. */
  readonly position: Float64Array
  readonly center: Float64Array
  /** Unit quaternions, 4 doubles per body; and their matrices, row-major, 9 doubles. */
  readonly orientation: Float64Array
  readonly rotation: Float64Array
  /** Poses as objects, created on demand for colliders. */
  private readonly poses: (Pose | null)[]

  constructor(count: number) {
    this.position = new Float64Array(3 * count)
    this.center = new Float64Array(3 * count)
    this.orientation = new Float64Array(4 * count)
    this.rotation = new Float64Array(9 * count)
    this.poses = new Array<Pose | null>(count).fill(null)
  }

  /**
   * Sets the pose of a body after its centre and orientation have been written.
   *
   * @param centerOfMass m, in the body frame
   */
  place(body: number, [x, y, z]: Vec3): void {
    const { orientation: q, rotation: R, position, center } = this
    const o = 4 * body
    const i = q[o]!
    const j = q[o + 1]!
    const k = q[o + 2]!
    const w = q[o + 3]!
    const r = 9 * body
    R[r] = 1 - 2 * (j * j + k * k)
    R[r + 1] = 2 * (i * j - w * k)
    R[r + 2] = 2 * (i * k + w * j)
    R[r + 3] = 2 * (i * j + w * k)
    R[r + 4] = 1 - 2 * (i * i + k * k)
    R[r + 5] = 2 * (j * k - w * i)
    R[r + 6] = 2 * (i * k - w * j)
    R[r + 7] = 2 * (j * k + w * i)
    R[r + 8] = 1 - 2 * (i * i + j * j)
    const p = 3 * body
    position[p] = center[p]! - (R[r]! * x + R[r + 1]! * y + R[r + 2]! * z)
    position[p + 1] = center[p + 1]! - (R[r + 3]! * x + R[r + 4]! * y + R[r + 5]! * z)
    position[p + 2] = center[p + 2]! - (R[r + 6]! * x + R[r + 7]! * y + R[r + 8]! * z)
    this.poses[body] = null
  }

  poseOf(body: number): Pose {
    const { position: p, orientation: q } = this
    return this.poses[body] ??= {
      position: [p[3 * body]!, p[3 * body + 1]!, p[3 * body + 2]!],
      orientation: [q[4 * body]!, q[4 * body + 1]!, q[4 * body + 2]!, q[4 * body + 3]!],
    }
  }
}

/**
 * Writes the pose of B relative to A.
 *
 * @param rotation rotates vectors from B's frame to A's, row-major
 * @param position of B's origin in A's frame, m
 */
export function placeRelative({ position: p, rotation: R }: Placements, a: number, b: number, rotation: Float64Array, position: Float64Array): void {
  const r = 9 * a
  const s = 9 * b
  const x = p[3 * b]! - p[3 * a]!
  const y = p[3 * b + 1]! - p[3 * a + 1]!
  const z = p[3 * b + 2]! - p[3 * a + 2]!
  for (let i = 0; i < 3; i++) {
    const u = R[r + i]!
    const v = R[r + 3 + i]!
    const w = R[r + 6 + i]!
    position[i] = u * x + v * y + w * z
    rotation[3 * i] = u * R[s]! + v * R[s + 3]! + w * R[s + 6]!
    rotation[3 * i + 1] = u * R[s + 1]! + v * R[s + 4]! + w * R[s + 7]!
    rotation[3 * i + 2] = u * R[s + 2]! + v * R[s + 5]! + w * R[s + 8]!
  }
}

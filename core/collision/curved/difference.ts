/**
 * The Minkowski difference of two placed convex solids, A − B, by its support function, on plain numbers in the frame of A's primitive. Rounding is then
 * proportional to the distance between the solids, not to their distance from the origin.
 */

import type { Pose } from '../../math/pose'
import type { Vec3 } from '../../math/vector'
import type { FlatConvex } from './flat-convex'

export class Difference {
  a!: FlatConvex
  b!: FlatConvex
  /** Rotates vectors from B's frame to A's, row-major; B's origin in A's frame, m. */
  readonly rotation = new Float64Array(9)
  readonly position = new Float64Array(3)
  /** Length scale of rounding, m. */
  scale = 0
  /** The last found points of the cores, in A's frame, m. */
  ax = 0
  ay = 0
  az = 0
  bx = 0
  by = 0
  bz = 0
  /** The last rotated vector. */
  x = 0
  y = 0
  z = 0
  /** Of A's primitive in the world. */
  private readonly world = new Float64Array(9)
  private readonly worldB = new Float64Array(9)
  private readonly origin = new Float64Array(3)
  /** From the body's origin to the primitive's, in world axes, m. */
  private readonly offsetA = new Float64Array(3)
  private readonly offsetB = new Float64Array(3)

  /** @param ownA pose of A's primitive in its body frame */
  place(a: FlatConvex, b: FlatConvex, bodyA: Pose, ownA: Pose, bodyB: Pose, ownB: Pose): void {
    this.a = a
    this.b = b
    const { world: r, worldB: s, rotation, position, offsetA: u, offsetB: v, origin } = this
    const p = bodyA.position
    const q = bodyB.position
    placeInWorld(bodyA, ownA, r, u)
    placeInWorld(bodyB, ownB, s, v)
    for (let k = 0; k < 3; k++) origin[k] = p[k]! + u[k]!
    const x = q[0] - p[0] + (v[0]! - u[0]!)
    const y = q[1] - p[1] + (v[1]! - u[1]!)
    const z = q[2] - p[2] + (v[2]! - u[2]!)
    position[0] = r[0]! * x + r[3]! * y + r[6]! * z
    position[1] = r[1]! * x + r[4]! * y + r[7]! * z
    position[2] = r[2]! * x + r[5]! * y + r[8]! * z
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) rotation[3 * i + j] = r[i]! * s[j]! + r[3 + i]! * s[3 + j]! + r[6 + i]! * s[6 + j]!
    }
    this.scale = a.size + b.size + Math.sqrt(x * x + y * y + z * z)
  }

  /** Separation of the cores along a unit vector of A's frame out of B towards A, m; also finds the points nearest to its plane. */
  separated(nx: number, ny: number, nz: number): number {
    const { a } = this
    a.support(-nx, -ny, -nz)
    this.ax = a.x
    this.ay = a.y
    this.az = a.z
    this.supportB(nx, ny, nz)
    return nx * (this.ax - this.bx) + ny * (this.ay - this.by) + nz * (this.az - this.bz)
  }

  /** The point of B's core farthest along a direction. */
  supportB(nx: number, ny: number, nz: number): void {
    const { b, rotation: r, position } = this
    b.support(r[0]! * nx + r[3]! * ny + r[6]! * nz, r[1]! * nx + r[4]! * ny + r[7]! * nz, r[2]! * nx + r[5]! * ny + r[8]! * nz)
    const { x, y, z } = b
    this.bx = position[0]! + (r[0]! * x + r[1]! * y + r[2]! * z)
    this.by = position[1]! + (r[3]! * x + r[4]! * y + r[5]! * z)
    this.bz = position[2]! + (r[6]! * x + r[7]! * y + r[8]! * z)
  }

  /** Rotates a vector from B's frame to A's, into x, y and z. */
  turn(x: number, y: number, z: number): void {
    const r = this.rotation
    this.x = r[0]! * x + r[1]! * y + r[2]! * z
    this.y = r[3]! * x + r[4]! * y + r[5]! * z
    this.z = r[6]! * x + r[7]! * y + r[8]! * z
  }

  /** Rotates a vector from A's frame to B's, into x, y and z. */
  turnBack(x: number, y: number, z: number): void {
    const r = this.rotation
    this.x = r[0]! * x + r[3]! * y + r[6]! * z
    this.y = r[1]! * x + r[4]! * y + r[7]! * z
    this.z = r[2]! * x + r[5]! * y + r[8]! * z
  }

  directionInWorld(x: number, y: number, z: number): Vec3 {
    const r = this.world
    return [r[0]! * x + r[1]! * y + r[2]! * z, r[3]! * x + r[4]! * y + r[5]! * z, r[6]! * x + r[7]! * y + r[8]! * z]
  }

  pointInWorld(x: number, y: number, z: number): Vec3 {
    const r = this.world
    const o = this.origin
    return [
      o[0]! + (r[0]! * x + r[1]! * y + r[2]! * z), o[1]! + (r[3]! * x + r[4]! * y + r[5]! * z), o[2]! + (r[6]! * x + r[7]! * y + r[8]! * z),
    ]
  }
}

/** The rotation matrix of a primitive in the world, and the vector from the body's origin to the primitive's. */
function placeInWorld({ orientation: q }: Pose, own: Pose, rotation: Float64Array, offset: Float64Array): void {
  const o = own.orientation
  let x = q[0]
  let y = q[1]
  let z = q[2]
  let w = q[3]
  matrix(x, y, z, w, rotation)
  const [px, py, pz] = own.position
  for (let i = 0; i < 3; i++) offset[i] = rotation[3 * i]! * px + rotation[3 * i + 1]! * py + rotation[3 * i + 2]! * pz
  if (o[0] === 0 && o[1] === 0 && o[2] === 0) return
  x = q[3] * o[0] + q[0] * o[3] + q[1] * o[2] - q[2] * o[1]
  y = q[3] * o[1] - q[0] * o[2] + q[1] * o[3] + q[2] * o[0]
  z = q[3] * o[2] + q[0] * o[1] - q[1] * o[0] + q[2] * o[3]
  w = q[3] * o[3] - q[0] * o[0] - q[1] * o[1] - q[2] * o[2]
  matrix(x, y, z, w, rotation)
}

/** Of a unit quaternion. */
function matrix(x: number, y: number, z: number, w: number, r: Float64Array): void {
  r[0] = 1 - 2 * (y * y + z * z)
  r[1] = 2 * (x * y - w * z)
  r[2] = 2 * (x * z + w * y)
  r[3] = 2 * (x * y + w * z)
  r[4] = 1 - 2 * (x * x + z * z)
  r[5] = 2 * (y * z - w * x)
  r[6] = 2 * (x * z - w * y)
  r[7] = 2 * (y * z + w * x)
  r[8] = 1 - 2 * (x * x + y * y)
}

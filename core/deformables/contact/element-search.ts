/** The nearest points of an edge or a triangle and a convex solid with a curved surface, in the frame of the solid's carrier. */

import { SegmentSearch } from '../../collision/curved/segment-search'
import type { Primitive } from '../../geometry/shape'
import { transform, transformTransposed, type Mat3 } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { toMatrix } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'

/** Search data of one solid. */
export interface CurvedSolid {
  readonly primitive: Primitive
  /** In its carrier's frame. */
  readonly pose: Pose
}

/** Whether edges and triangles need a search of the solid's surface. Points and edges have their own pairs, and corners cover a half-space. */
export function isCurved({ kind }: Primitive): boolean {
  return kind !== 'halfSpace' && kind !== 'polyhedron' && kind !== 'sphere' && kind !== 'capsule'
}

export class ElementSearch {
  /** m, signed. */
  distance = 0
  /** Unit, out of the solid. */
  readonly normal = new Float64Array(3)
  /** Weights of the corners at the nearest point of the element; exactly 0 for corners without a part in it. */
  readonly weights = new Float64Array(3)
  /** Whether that point is inside the element, neither at a corner nor, for a triangle, on a side. */
  isInside = false
  private readonly sides: readonly SegmentSearch[]
  private readonly rotation: Mat3
  /** Intersection of a line with the triangle's plane. */
  private readonly foot = new Float64Array(3)

  /** @param corners 2 or 3 */
  constructor(private readonly solid: CurvedSolid, private readonly corners: number) {
    this.sides = Array.from({ length: corners === 2 ? 1 : 3 }, () => new SegmentSearch(solid.primitive, solid.pose))
    this.rotation = toMatrix(solid.pose.orientation)
  }

  /** With the corners at P, 3 each, m. */
  find(P: Float64Array): void {
    if (this.corners === 3 && this.byPlane(P)) return
    this.isInside = false
    this.distance = Infinity
    this.sides.forEach((side, k) => {
      const next = (k + 1) % this.corners
      side.find(P, 3 * k, 3 * next)
      if (!(side.distance < this.distance)) return
      this.distance = side.distance
      this.normal[0] = side.nx
      this.normal[1] = side.ny
      this.normal[2] = side.nz
      this.weights.fill(0)
      this.weights[k] = 1 - side.s
      this.weights[next] = side.s
      this.isInside = this.corners === 2 && side.s > 0 && side.s < 1
    })
  }

  /**
   * Distance by the triangle's plane, if the nearest point is inside the triangle: then the foot of the solid's farthest point towards the plane lies within.
   * If the solid crosses the plane but no side, its section lies wholly inside the triangle or wholly outside, so any one of its points decides.
   *
   * @returns whether the nearest point is inside the triangle
   */
  private byPlane(P: Float64Array): boolean {
    const [ux, uy, uz] = [P[3]! - P[0]!, P[4]! - P[1]!, P[5]! - P[2]!]
    const [vx, vy, vz] = [P[6]! - P[0]!, P[7]! - P[1]!, P[8]! - P[2]!]
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const size = Math.sqrt(x * x + y * y + z * z)
    const n: Vec3 = [x / size, y / size, z / size]
    const low = this.farthest([-n[0], -n[1], -n[2]])
    const high = this.farthest(n)
    const [under, over] = [low, high].map(q => n[0] * (q[0] - P[0]!) + n[1] * (q[1] - P[1]!) + n[2] * (q[2] - P[2]!)) as [number, number]
    const { foot, normal } = this
    if (under >= 0 || over <= 0) {
      const [q, height] = under >= 0 ? [low, under] : [high, over]
      for (let k = 0; k < 3; k++) foot[k] = q[k]! - height * n[k]!
      if (!this.within(P)) return false
      this.distance = Math.abs(height)
    } else {
      const share = under / (under - over)
      for (let k = 0; k < 3; k++) foot[k] = low[k]! + share * (high[k]! - low[k]!)
      if (!this.within(P)) return false
      this.distance = Math.max(under, -over)
    }
    const sense = under >= 0 || -under < over ? -1 : 1
    for (let k = 0; k < 3; k++) normal[k] = sense * n[k]!
    this.isInside = true
    return true
  }

  /** The solid's point farthest along a direction, in the carrier's frame, m. */
  private farthest(m: Vec3): Vec3 {
    const { rotation, solid: { primitive, pose: { position } } } = this
    const [x, y, z] = transform(rotation, primitive.support(transformTransposed(rotation, m)))
    return [position[0] + x, position[1] + y, position[2] + z]
  }

  /** Whether `foot`, in the triangle's plane, is within it; with its weights. */
  private within(P: Float64Array): boolean {
    const { foot, weights } = this
    const [ux, uy, uz] = [P[3]! - P[0]!, P[4]! - P[1]!, P[5]! - P[2]!]
    const [vx, vy, vz] = [P[6]! - P[0]!, P[7]! - P[1]!, P[8]! - P[2]!]
    const [rx, ry, rz] = [foot[0]! - P[0]!, foot[1]! - P[1]!, foot[2]! - P[2]!]
    const [uu, uv, vv] = [ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz]
    const [ur, vr] = [ux * rx + uy * ry + uz * rz, vx * rx + vy * ry + vz * rz]
    const crossed = uu * vv - uv * uv
    const beta = (vv * ur - uv * vr) / crossed
    const gamma = (uu * vr - uv * ur) / crossed
    if (!(beta > 0 && gamma > 0 && beta + gamma < 1)) return false
    weights[0] = 1 - beta - gamma
    weights[1] = beta
    weights[2] = gamma
    return true
  }
}

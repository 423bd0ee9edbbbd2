/** A convex polyhedron at one placement, in world axes about a given origin: the geometry of one step. */

import type { Polyhedron } from '../../../geometry/polyhedron'
import type { Pose } from '../../../math/pose'
import { toMatrix } from '../../../math/quaternion'
import { sub, type Vec3 } from '../../../math/vector'

/** Three doubles for each vertex, face and edge; the arrays are reused for the next placement. */
export class PlacedSolid {
  solid!: Polyhedron
  /** m */
  vertices: Float64Array = new Float64Array(0)
  /** Unit, outwards, by face. */
  normals: Float64Array = new Float64Array(0)
  /** m: the face's plane is normal · x = offset. */
  offsets: Float64Array = new Float64Array(0)
  /** Unit, by edge. */
  directions: Float64Array = new Float64Array(0)

  /** @param origin of the coordinates, m: near both bodies of a pair, so that rounding follows their distance */
  place(solid: Polyhedron, { position, orientation }: Pose, origin: Vec3): this {
    this.solid = solid
    this.vertices = ensureLength(this.vertices, 3 * solid.vertices.length)
    this.normals = ensureLength(this.normals, 3 * solid.faces.length)
    this.offsets = ensureLength(this.offsets, solid.faces.length)
    this.directions = ensureLength(this.directions, 3 * solid.edges.length)
    const { vertices, normals, offsets, directions } = this
    const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = toMatrix(orientation)
    const [px, py, pz] = sub(position, origin)
    const turn = (out: Float64Array, k: number, x: number, y: number, z: number): void => {
      out[k] = m0 * x + m1 * y + m2 * z
      out[k + 1] = m3 * x + m4 * y + m5 * z
      out[k + 2] = m6 * x + m7 * y + m8 * z
    }
    for (let v = 0; v < solid.vertices.length; v++) {
      const [x, y, z] = solid.vertices[v]!
      turn(vertices, 3 * v, x, y, z)
      vertices[3 * v]! += px
      vertices[3 * v + 1]! += py
      vertices[3 * v + 2]! += pz
    }
    for (let f = 0; f < solid.faces.length; f++) {
      const { normal: [x, y, z], offset } = solid.faces[f]!
      turn(normals, 3 * f, x, y, z)
      offsets[f] = offset + (normals[3 * f]! * px + normals[3 * f + 1]! * py + normals[3 * f + 2]! * pz)
    }
    for (let e = 0; e < solid.edges.length; e++) {
      const [x, y, z] = solid.edges[e]!.direction
      turn(directions, 3 * e, x, y, z)
    }
    return this
  }

  /** m: height of vertex v along a direction. */
  along(v: number, x: number, y: number, z: number): number {
    const { vertices } = this
    return x * vertices[3 * v]! + y * vertices[3 * v + 1]! + z * vertices[3 * v + 2]!
  }

  /** m: height of the highest vertex along a direction. */
  top(x: number, y: number, z: number): number {
    let most = -Infinity
    for (let v = 0; v < this.solid.vertices.length; v++) most = Math.max(most, this.along(v, x, y, z))
    return most
  }

  /** m: height of a point over face f: the gap ψ of C(v, f). */
  height(f: number, x: number, y: number, z: number): number {
    const { normals, offsets } = this
    return normals[3 * f]! * x + normals[3 * f + 1]! * y + normals[3 * f + 2]! * z - offsets[f]!
  }
}

function ensureLength(array: Float64Array, length: number): Float64Array {
  return array.length >= length ? array : new Float64Array(length)
}

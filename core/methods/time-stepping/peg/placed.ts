/** A convex polyhedron at one placement, in world axes about a given origin: what one step's geometry is read from. */

import type { Polyhedron } from '../../../geometry/polyhedron'
import { transform } from '../../../math/matrix'
import type { Pose } from '../../../math/pose'
import { toMatrix } from '../../../math/quaternion'
import { add, dot, sub, type Vec3 } from '../../../math/vector'

export interface PlacedSolid {
  readonly solid: Polyhedron
  /** m */
  readonly vertices: readonly Vec3[]
  /** Unit, outwards, by face. */
  readonly normals: readonly Vec3[]
  /** m: the face's plane is normal · x = offset. */
  readonly offsets: readonly number[]
  /** Unit, by edge. */
  readonly directions: readonly Vec3[]
}

/** @param origin of the coordinates, m: near both bodies of a pair, so that rounding follows their distance */
export function placeSolid(solid: Polyhedron, pose: Pose, origin: Vec3): PlacedSolid {
  const rotation = toMatrix(pose.orientation)
  const position = sub(pose.position, origin)
  const normals = solid.faces.map(face => transform(rotation, face.normal))
  return {
    solid, normals,
    vertices: solid.vertices.map(v => add(position, transform(rotation, v))),
    offsets: solid.faces.map((face, f) => face.offset + dot(normals[f]!, position)),
    directions: solid.edges.map(edge => transform(rotation, edge.direction)),
  }
}

/** Height of vertex v of one solid over face f of another, m: the gap ψ of C(v, f). */
export function heightOver(on: PlacedSolid, f: number, point: Vec3): number {
  return dot(on.normals[f]!, point) - on.offsets[f]!
}

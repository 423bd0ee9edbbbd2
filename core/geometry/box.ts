/** A box is a polyhedron of eight vertices and six faces, with normals exact by construction. */

import { UNIT_X, UNIT_Y, UNIT_Z, negate, type Vec3 } from '../math/vector'
import { Polyhedron } from './polyhedron'
import { requirePositive } from './shape'

/** Vertex i is at the low (0) or high (1) end of x, y, z by the bits 1, 2, 4 of i; faces are in the order −x +x −y +y −z +z. */
const LOOPS = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] as const
const NORMALS = [negate(UNIT_X), UNIT_X, negate(UNIT_Y), UNIT_Y, negate(UNIT_Z), UNIT_Z] as const

/** Centred on the frame's origin. @param size full edge lengths, m */
export function box(size: Vec3): Polyhedron {
  size.forEach((edge, axis) => requirePositive('box', `size ${'xyz'[axis]}`, edge))
  const [x, y, z] = [size[0] / 2, size[1] / 2, size[2] / 2]
  const vertices = Array.from({ length: 8 }, (_, i): Vec3 => [i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z])
  return Polyhedron.fromCorners(vertices, LOOPS, NORMALS)
}

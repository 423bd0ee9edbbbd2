/** Points and edges of rigid shapes for contact with edges and triangles of deformables. */

import { endOf, rodOf } from '../../collision/rod'
import type { Capsule } from '../../geometry/capsule'
import type { Polyhedron } from '../../geometry/polyhedron'
import type { Primitive } from '../../geometry/shape'
import type { Sphere } from '../../geometry/sphere'
import type { Pose } from '../../math/pose'
import type { Skeleton } from './features'

/** Null for half-spaces, which are always touched by vertices first, and for curved shapes other than thickened points and edges. */
export function skeletonOf(primitive: Primitive, pose: Pose): Pick<Skeleton, 'points' | 'edges' | 'radius'> | null {
  switch (primitive.kind) {
    case 'polyhedron': {
      const { coordinates, edges } = (primitive as Polyhedron).placed(pose)
      return { points: coordinates, edges: Int32Array.from(edges.flatMap(({ from, to }) => [from, to])), radius: 0 }
    }
    case 'sphere': return { points: Float64Array.from(pose.position), edges: new Int32Array(0), radius: (primitive as Sphere).radius }
    case 'capsule': {
      const rod = rodOf(primitive as Capsule, pose)
      return { points: Float64Array.from([...endOf(rod, 0), ...endOf(rod, 1)]), edges: Int32Array.of(0, 1), radius: rod.radius }
    }
    default: return null
  }
}

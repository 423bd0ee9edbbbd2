/** Persistent contact manifolds of pairs of solids. */

import type { HalfSpace } from '../../geometry/half-space'
import type { Polyhedron } from '../../geometry/polyhedron'
import type { Primitive } from '../../geometry/shape'
import type { Pose } from '../../math/pose'
import type { PairCollider } from '../contact'
import { HullManifold } from './hull-manifold'
import type { Manifold } from './manifold'
import { PlaneManifold } from './plane-manifold'
import { SearchedManifold } from './searched-manifold'

export type { ContactSink, Facing, Manifold } from './manifold'
export { Placements } from './placements'

interface Placed {
  readonly primitive: Primitive
  /** In its body frame. */
  readonly pose: Pose
}

/**
 * The manifold of a pair.
 *
 * @param collider of the same pair
 * @param tolerance lateral distance within which features count as the same, m; for pairs without a specialised manifold
 */
export function manifoldOf(a: Placed, b: Placed, collider: PairCollider, tolerance: number): Manifold {
  if (a.primitive.kind === 'polyhedron') {
    const solid = (a.primitive as Polyhedron).placed(a.pose)
    if (b.primitive.kind === 'polyhedron') return new HullManifold(solid, (b.primitive as Polyhedron).placed(b.pose))
    if (b.primitive.kind === 'halfSpace') return new PlaneManifold(solid, (b.primitive as HalfSpace).placed(b.pose))
  }
  return new SearchedManifold(collider, tolerance)
}

/** Where two primitives touch at one instant, or pass each other without contact. */

import type { FeaturePair, PairCollider } from '../collision/contact'
import { relativeVelocityAt, type BodyMotion } from '../geometry/motion'
import { addScaled, dot, length, type Vec3 } from '../math/vector'
import { isHidden, type Primitives } from './placed-joins'

/** × tolerance: how far bodies are moved on to see whether they only graze: a side that they meet then overlaps by clearly more than the tolerance. */
const AHEAD = 8

export interface ContactRegion {
  readonly features: readonly FeaturePair[]
  /** Whether the bodies move on along each other: the features of the separating plane then are no contact. */
  readonly passes: boolean
}

/**
 * The contact region of a pair of touching or separated primitives.
 *
 * Features between two pieces of one mesh are none of the mesh, and are left out. Corners that meet exactly, as where a box slides from one tile of a floor to
 * the next, have several separating planes. If the bodies can move on without overlap, the region is that of the plane that separates them then: it is no
 * collision with the side of the next tile. It is empty if its features do not face each other yet, as where the rim of a disc begins to cross an edge.
 *
 * @param tolerance m: largest gap
 * @param approach m/s: slower approaches do not count
 */
export function contactRegion(
  pair: Primitives & { readonly collider: PairCollider }, a: BodyMotion, b: BodyMotion, tolerance: number, approach: number,
): ContactRegion {
  const { collider } = pair
  const region = collider.region(a.pose, b.pose, tolerance)
  const visible = region.filter(features => !isHidden(pair, features, a.pose, b.pose))
  if (visible.length < region.length) return { features: visible, passes: true }
  let least = -approach
  let velocity: Vec3 | null = null
  const approaches = (features: FeaturePair): boolean => {
    const { point, normal } = features.locate(a.pose, b.pose)
    const relative = relativeVelocityAt(a, b, point)
    const rate = dot(normal, relative)
    if (rate >= least) return rate < -approach
    least = rate
    velocity = relative
    return true
  }
  region.forEach(approaches)
  const met = { features: region, passes: false }
  if (velocity === null) return met
  const ahead = { ...a.pose, position: addScaled(a.pose.position, velocity, AHEAD * tolerance / length(velocity)) }
  if (collider.separation(ahead, b.pose) < -tolerance) return met
  const next = collider.region(ahead, b.pose, tolerance)
  const facing = next.filter(features => features.margin(a.pose, b.pose) >= 0)
  return next.length === 0 || facing.some(approaches) ? met : { features: facing, passes: true }
}

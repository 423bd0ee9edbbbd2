/** The manifold of any other pair: the contact region and candidates of its collider, searched at every evaluation. */

import type { FeaturePair, PairCollider } from '../contact'
import type { ContactSink, Facing, Manifold } from './manifold'
import type { Placements } from './placements'

export class SearchedManifold implements Manifold {
  /** @param tolerance lateral distance within which features count as the same, m */
  constructor(private readonly collider: PairCollider, private readonly tolerance: number) {}

  contacts(at: Placements, a: number, b: number, reach: number, out: ContactSink): number {
    const { collider, tolerance } = this
    const poseA = at.poseOf(a)
    const poseB = at.poseOf(b)
    const separation = collider.separation(poseA, poseB)
    if (separation > reach) return separation
    const touching = collider.region(poseA, poseB, tolerance)
    const watched = [...touching, ...collider.candidates(poseA, poseB, touching)]
    for (const features of collider.inStep?.(poseA, poseB, watched, reach) ?? watched) {
      const { point, normal, gap } = features.locate(poseA, poseB)
      if (gap <= reach) out.add(NaN, features, point[0], point[1], point[2], normal[0], normal[1], normal[2], gap)
    }
    return separation
  }

  separation(at: Placements, a: number, b: number, out: Facing): number {
    const { separation, normal, point } = this.collider.separating(at.poseOf(a), at.poseOf(b))
    out.set(normal)
    out.set(point, 3)
    return separation
  }

  featuresOf(code: number): FeaturePair {
    throw new RangeError(`features of this pair have no codes, and yet ${code}`)
  }
}

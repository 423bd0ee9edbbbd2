/**
 * The standard contact model [PEG17 §1.2.2]: every feature pair of the separating plane is a unilateral constraint of its own, whose plane has no end.
 *
 *   0 ≤ p_i ⟂ ψ_i(q⁺) ≥ 0                                                                                             [PEG17 eq. 7, 9]
 *
 * At a corner, where a vertex faces two planes that both end there, it demands too much (the standard-model trap, PEG17 fig. 2); curved shapes have no such
 * corners, and for them it is exact.
 */

import type { FeaturePair } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import { lengthSquared, sub, type Vec3 } from '../../math/vector'
import type { ContactModel, PairStep, StepConstraint } from './contact-model'

export const standardModel: ContactModel = {
  name: 'standard',
  constraints(pair, step, out) {
    for (const features of facingFeatures(pair, step)) out.push(unilateral(pair, features))
  },
}

/** The constraint of a single feature pair. */
export function unilateral(pair: PrimitivePair, features: FeaturePair): StepConstraint {
  return { kind: 'unilateral', pair, key: `${pair.key}/${features.key}`, candidates: [features], primaries: 1 }
}

/** Feature pairs of a pair's separating plane that are within reach: those that touch first, then those that could be next; none of them twice. */
export function facingFeatures({ collider }: PrimitivePair, { startA, startB, reach, tolerance, spacing }: PairStep): FeaturePair[] {
  if (collider.separation(startA, startB) > reach) return []
  const touching = collider.region(startA, startB, tolerance)
  const found: FeaturePair[] = []
  const points: Vec3[] = []
  for (const features of [...touching, ...collider.candidates(startA, startB, touching)]) {
    const { point, gap } = features.locate(startA, startB)
    if (gap > reach || points.some(other => lengthSquared(sub(other, point)) <= spacing * spacing)) continue
    found.push(features)
    points.push(point)
  }
  return found
}

/**
 * The standard contact model [PEG17 §1.2.2]: every feature pair of the separating plane is a separate unilateral constraint with an unbounded plane.
 *
 *   0 ≤ p_i ⟂ ψ_i(q⁺) ≥ 0                                                                                             [PEG17 eq. 7, 9]
 *
 * It is too restrictive at a corner, where a vertex faces two planes that both end there (the standard-model trap, PEG17 fig. 2). Curved shapes have
 * no such corners; for them it is exact.
 */

import type { FeaturePair, PairCollider } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import { relativeVelocityAt } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { addScaled, distanceSquared, dot, type Vec3 } from '../../math/vector'
import type { ContactModel, PairStep, StepConstraint } from './contact-model'
import { FacingFeatures } from './facing'
import { isHidden } from '../../contact/placed-joins'

/** Cached data of pairs of polyhedra, with the lifetime of their colliders. */
const remembered = new WeakMap<PairCollider, FacingFeatures>()
const constraints = new WeakMap<FeaturePair, StepConstraint>()

/** m: rounding of the gaps of flush faces, far below the gaps at which contacts rest. */
const FLUSH = 1e-12

export const standardModel: ContactModel = {
  name: 'standard',
  constraints(pair, step, out) {
    for (const features of facingFeatures(pair, step)) {
      // If the pair overlaps nevertheless, any of its features may push.
      if (step.again || !isHidden(pair, features, step.startA, step.startB)) out.push(unilateral(pair, features))
    }
  },
}

/** The constraint of a single feature pair. */
export function unilateral(pair: PrimitivePair, features: FeaturePair): StepConstraint {
  let constraint = constraints.get(features)
  if (constraint === undefined) {
    constraint = { kind: 'unilateral', pair, key: `${pair.key}/${features.key}`, candidates: [features], primaries: 1 }
    constraints.set(features, constraint)
  }
  return constraint
}

/** Feature pairs of a pair's separating plane within reach: touching ones first, then those that may touch; without duplicates. */
export function facingFeatures(pair: PrimitivePair, step: PairStep): FeaturePair[] {
  const { startA, startB, reach, spacing } = step
  const found: FeaturePair[] = []
  const points: Vec3[] = []
  for (const features of featuresOf(pair, step)) {
    const { point, gap } = features.locate(startA, startB)
    if (gap > reach || isNear(point, points, spacing)) continue
    found.push(features)
    points.push(point)
  }
  return found
}

function isNear(point: Vec3, others: readonly Vec3[], spacing: number): boolean {
  for (let k = 0; k < others.length; k++) if (distanceSquared(others[k]!, point) <= spacing * spacing) return true
  return false
}

function featuresOf(pair: PrimitivePair, step: PairStep): readonly FeaturePair[] {
  const { collider, a, b } = pair
  if (!step.again && a.primitive.kind === 'polyhedron' && b.primitive.kind === 'polyhedron') {
    let facing = remembered.get(collider)
    if (facing === undefined) remembered.set(collider, facing = new FacingFeatures(pair))
    return facing.of(step)
  }
  const { startA, startB, reach } = step
  if (collider.separation(startA, startB) > reach) return []
  const found = watchedAt(collider, startA, step)
  const ahead = grazes(collider, found, step)
  return ahead === null ? found : watchedAt(collider, ahead, step)
}

/** Feature pairs of a pair that is not two polyhedra, with A at the given pose. */
function watchedAt(collider: PairCollider, a: Pose, { startB, reach, tolerance, again }: PairStep): readonly FeaturePair[] {
  const touching = collider.region(a, startB, tolerance)
  const watched = [...touching, ...collider.candidates(a, startB, touching)]
  return again ? watched : collider.inStep?.(a, startB, watched, reach) ?? watched
}

/**
 * Where A comes to by its velocity if it passes features on the way without overlap and ends flush with B: a disc that slides from one tile of a floor to the
 * next does not collide with the next one's side. Null if it passes none.
 */
function grazes(collider: PairCollider, found: readonly FeaturePair[], { startA, startB, tolerance, moving }: PairStep): Pose | null {
  if (moving === undefined) return null
  const { a, b, h } = moving
  for (const features of found) {
    const { point, normal, gap } = features.locate(startA, startB)
    const velocity = relativeVelocityAt(a, b, point)
    if (gap + h * dot(normal, velocity) >= -tolerance) continue
    const ahead = { ...startA, position: addScaled(startA.position, velocity, h) }
    const separation = collider.separation(ahead, startB)
    return separation >= -FLUSH && separation <= tolerance ? ahead : null
  }
  return null
}

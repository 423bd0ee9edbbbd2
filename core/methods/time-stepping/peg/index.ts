/**
 * The polytopal exact geometry (PEG) contact model in three dimensions, with friction [PEG17 §2–5].
 *
 * Faces of convex polyhedra end at their edges: a vertex near a corner has to stay above one of the faces that meet there, not above all of them, and an edge
 * has to pass one of the edges that it can cross. So no body is trapped in front of a corner, and bodies that satisfy the constraints do not overlap. The
 * candidate of a constraint that may push is chosen before the step, at the poses predicted by free motion followed by the shortest separation;
 * `primaryContacts` of a scene is the number of candidates among which the step may choose [PEG17 §5.3].
 *
 * Half-spaces are unbounded faces, and curved shapes have no corners: their constraints are unilateral. Unilateral constraints
 * also replace those of polyhedra in a repeated query, after a pair passed through each other within the step or none of its constraints could push: they
 * keep the touching features apart, even at corners.
 */

import type { PairCollider } from '../../../collision/contact'
import type { ContactModel } from '../contact-model'
import { facingFeatures, standardModel, unilateral } from '../standard-model'
import { HeldConstraints } from './held'

/** @param primaryContacts largest number of candidates of a constraint that may be active [PEG17 §5.3] */
export function pegModel(primaryContacts: number): ContactModel {
  /** Cached data of two polyhedra, kept as long as their collider. */
  const remembered = new WeakMap<PairCollider, HeldConstraints>()
  return {
    name: 'peg',
    fallback: standardModel,
    constraints(pair, step, out) {
      const polyhedra = Number(pair.a.primitive.kind === 'polyhedron') + Number(pair.b.primitive.kind === 'polyhedron')
      const halfSpace = pair.a.primitive.kind === 'halfSpace' || pair.b.primitive.kind === 'halfSpace'
      if (polyhedra === 2 && !step.again) {
        let held = remembered.get(pair.collider)
        if (held === undefined) remembered.set(pair.collider, held = new HeldConstraints(pair, step.tolerance, primaryContacts))
        for (const constraint of held.of(step)) out.push(constraint)
        return
      }
      const features = polyhedra === 1 && halfSpace && !step.again ? pair.collider.region(step.startA, step.startB, step.reach) : facingFeatures(pair, step)
      for (const single of features) out.push(unilateral(pair, single))
    },
  }
}

/**
 * The polytopal exact geometry (PEG) contact model in three dimensions, with friction [PEG17 §2–5].
 *
 * Convex polyhedra are taken as they are, with faces that end where their edges are: a vertex at a corner has to stay above one of the faces that meet
 * there, not above all of them, and an edge has to pass one of the edges that it can cross. So nothing is trapped in front of a corner, and nothing that
 * satisfies the constraints overlaps. Which candidate of a constraint may push is chosen before the step, where it would lead if the bodies moved freely
 * and then parted the shortest way; `primaryContacts` of a scene lets that many be chosen from within the step [PEG17 §5.3].
 *
 * A half-space is a face without end, and curved shapes have no corners: their constraints are unilateral. So are those of polyhedra that are asked for again,
 * since the pair passes through something within the step or none of its constraints could push: then the features that meet are held, corner or not.
 */

import type { PairCollider } from '../../../collision/contact'
import type { ContactModel } from '../contact-model'
import { facingFeatures, standardModel, unilateral } from '../standard-model'
import { HeldConstraints } from './held'

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

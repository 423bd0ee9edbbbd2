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

import type { Polyhedron } from '../../../geometry/polyhedron'
import type { WorldPrimitive } from '../../../contact/world'
import type { PrimitivePair } from '../../../contact/contact-set'
import type { PairCollider } from '../../../collision/contact'
import type { ContactModel } from '../contact-model'
import { facingFeatures, standardModel, unilateral } from '../standard-model'
import { pairConstraints, pairFactories, type PairFactories } from './pair'

interface KnownPair {
  readonly a: Polyhedron
  readonly b: Polyhedron
  readonly factories: PairFactories
}

export function pegModel(primaryContacts: number): ContactModel {
  /** What never changes of a pair, kept as long as its collider. */
  const known = new WeakMap<PairCollider, KnownPair>()
  const placed = ({ primitive, pose }: WorldPrimitive): Polyhedron => (primitive as Polyhedron).placed(pose)
  const knownPair = (pair: PrimitivePair, slack: number): KnownPair => {
    let found = known.get(pair.collider)
    if (found === undefined) {
      const [a, b] = [placed(pair.a), placed(pair.b)]
      known.set(pair.collider, found = { a, b, factories: pairFactories(a, b, slack) })
    }
    return found
  }
  return {
    name: 'peg',
    fallback: standardModel,
    constraints(pair, step, out) {
      const polyhedra = Number(pair.a.primitive.kind === 'polyhedron') + Number(pair.b.primitive.kind === 'polyhedron')
      const halfSpace = pair.a.primitive.kind === 'halfSpace' || pair.b.primitive.kind === 'halfSpace'
      if (polyhedra === 2 && !step.again) {
        const { a, b, factories } = knownPair(pair, step.tolerance)
        for (const { side, feature, index, kind, candidates, primaries } of pairConstraints(a, b, pair.collider, step, primaryContacts, factories)) {
          out.push({ kind, pair, key: `${pair.key}/${side}.${feature}${index}`, candidates, primaries })
        }
        return
      }
      const features = polyhedra === 1 && halfSpace && !step.again ? pair.collider.region(step.startA, step.startB, step.reach) : facingFeatures(pair, step)
      for (const single of features) out.push(unilateral(pair, single))
    },
  }
}

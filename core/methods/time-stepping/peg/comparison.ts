/**
 * The models with which PEG17 compares its own, built from the same feature pairs. The exact model avoids what they wrongly forbid or miss.
 *
 *   half-spaces          every pair of features that could touch is a separate constraint with an unbounded plane; the standard model of the paper
 *                        [PEG17 eq. 9]
 *   locally non-convex   a vertex must stay above one of the nearby faces; edge crossings are not detected            [PEG17 eq. 12–15, after Nguyen]
 *
 * Curved shapes have no corners, and half-spaces no ends: for them these models equal the standard one.
 */

import type { ContactModel, StepConstraint } from '../contact-model'
import { standardModel, unilateral } from '../standard-model'
import { pegModel } from './index'

/** More than the number of candidates of any vertex or edge. */
const ALL = 1000

/** Every candidate of the exact model that may push as a separate unilateral constraint [PEG17 eq. 9]. */
export function halfSpaceModel(): ContactModel {
  return comparison('half-spaces', ALL, ({ pair, candidates, primaries }) => candidates.slice(0, primaries).map(single => unilateral(pair, single)))
}

/** The exact model without edge crossings [PEG17 eq. 12–15]. */
export function locallyNonConvexModel(primaryContacts: number): ContactModel {
  return comparison('locally-nonconvex', primaryContacts, constraint => constraint.kind === 'cross' ? [] : [constraint])
}

function comparison(name: string, primaryContacts: number, of: (constraint: StepConstraint) => readonly StepConstraint[]): ContactModel {
  const exact = pegModel(primaryContacts)
  return {
    name, fallback: standardModel,
    constraints(pair, step, out) {
      const found: StepConstraint[] = []
      exact.constraints(pair, step, found)
      for (const constraint of found) out.push(...of(constraint))
    },
  }
}

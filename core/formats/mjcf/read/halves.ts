/** Merges a body that cut-loops.ts has cut in two to close a loop; its joint closes the loop again. */

import { symmetric } from '../../../math/matrix'
import type { Body } from '../../../scene'
import type { SceneDraft } from '../../shared/draft'
import { addMasses, componentsOf, type BodyMass } from '../../shared/inertia'

export interface Halves {
  /** Ids of the two bodies: the one that is kept, and the one at the joint. */
  readonly whole: string
  readonly half: string
  /** Whether the bodies of the joint collide with each other. */
  readonly touch: boolean
}

export function joinHalves(draft: SceneDraft, { whole, half, touch }: Halves): void {
  const [kept, gone] = [whole, half].map(id => draft.bodies.findIndex(body => body.id === id)) as [number, number]
  if (whole === half || kept < 0 || gone < 0) return
  const [first, second] = [massOf(draft.bodies[kept]!), massOf(draft.bodies[gone]!)]
  if (first === null || second === null) return
  const { mass, centerOfMass, inertia } = addMasses([first, second])
  draft.bodies[kept] = { ...draft.bodies[kept]!, mass: { mass, centerOfMass, inertia: componentsOf(inertia) } }
  draft.bodies.splice(gone, 1)
  draft.joints.forEach((joint, i) => {
    if (joint.type === 'gear' || (joint.bodyA !== half && joint.bodyB !== half)) return
    const renamed = (id: string | null): string | null => id === half ? whole : id
    draft.joints[i] = { ...joint, bodyA: renamed(joint.bodyA), bodyB: renamed(joint.bodyB), ...(touch ? { collide: true } : {}) }
  })
}

function massOf({ mass }: Body): BodyMass | null {
  if (mass?.mass === undefined || mass.centerOfMass === undefined || mass.inertia === undefined) return null
  return { mass: mass.mass, centerOfMass: mass.centerOfMass, inertia: symmetric(...mass.inertia) }
}

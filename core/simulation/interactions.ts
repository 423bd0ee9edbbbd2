/** Interactions of the scene: pairwise potentials between particles of deformables. */

import { lennardJones, pairLoad, softPair } from '../deformables'
import type { Deformables } from '../dynamics/deformable'
import type { ForceElement } from '../dynamics/forces'
import type { ParticleForce } from '../dynamics/forces/particles'
import type { ResolvedForce, ResolvedForceOf } from '../scene'

type Interaction = ResolvedForceOf<'pair' | 'lennard-jones'>

export function isInteraction(force: ResolvedForce): force is Interaction {
  return force.type === 'pair' || force.type === 'lennard-jones'
}

/** @param places indices of deformables by id. @returns null if it has no particles */
export function interactionForce(force: Interaction, { list, mass }: Deformables, places: ReadonlyMap<string, number>): ParticleForce | null {
  const chosen = force.deformables.map(id => list[places.get(id)!]!)
  if (chosen.length === 0) return null
  const numbers = chosen.flatMap(({ first, count, index }) => Array.from({ length: count }, (_, k) => [first + k, index] as const))
  const potential = force.type === 'pair' ? softPair(force.energy, force.cutOff) : lennardJones(force.depth, force.diameter)
  const load = pairLoad(mass.length, potential, force.cutOff, {
    particles: Int32Array.from(numbers, ([particle]) => particle), owners: force.within ? null : Int32Array.from(numbers, ([, owner]) => owner),
  })
  return { account: 'potential', addForces: load.addForces, potential: load.potential, pairs: load.pairs }
}

/** Its place among the forces on bodies, of which it has none: they are numbered as in the scene. */
export function withoutBodies({ id, type }: Interaction): ForceElement {
  return { id, type, bodies: [], breakpoints: [], potential: () => 0, apply: () => undefined }
}

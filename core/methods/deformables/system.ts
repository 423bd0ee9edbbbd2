/**
 * The particles of a world as one system for implicit integration: energies by deformable, weight and other forces, and the supports of held
 * particles.
 */

import { distanceCondition, energyOf, ENTRY, SEARCHES, sheetEnergies, strandEnergies, type Energy, type ParticleSystem } from '../../deformables'
import type { Deformable, Deformables } from '../../dynamics/deformable'
import { conditionOf } from './conditions'

/** Kind of an energy: stretching and shearing of elements, or bending. */
export type EnergyKind = 'stretch' | 'bend'

export interface OwnEnergy {
  readonly energy: Energy
  readonly kind: EnergyKind
  readonly deformable: number
  /** A behaviour: its elements are none of the deformable's, and have no recorded strain. */
  readonly added: boolean
}

/** In the order of the deformables. */
export function energiesOf({ list, position, mass }: Deformables): OwnEnergy[] {
  return list.flatMap((deformable, index) => [
    ...energiesIn(deformable, position).map((energy): OwnEnergy => ({
      energy, deformable: index, kind: STRETCHED.has(energy.condition.kind) ? 'stretch' : 'bend', added: false,
    })),
    ...deformable.behaviours.map(({ condition, stiffness, damping }): OwnEnergy => {
      const one = conditionOf(condition, mass)
      const numbers = one.count * one.rows
      const energy = energyOf(one, new Float64Array(numbers).fill(stiffness), new Float64Array(numbers).fill(damping), mass.length)
      return { energy, deformable: index, kind: condition.type === 'angle' ? 'bend' : 'stretch', added: true }
    }),
  ])
}

/** Kinds of conditions that measure lengths, not angles. */
const STRETCHED: ReadonlySet<string> = new Set(['distance', 'stretch'])

function energiesIn({ springs, strands, sheet, damping }: Deformable, rest: Float64Array): Energy[] {
  const energies: Energy[] = []
  if (springs !== null) {
    const { a, b, restLength, stiffness, damping: own } = springs
    const pairs = Int32Array.from({ length: 2 * a.length }, (_, k) => (k % 2 === 0 ? a : b)[k >> 1]!)
    energies.push(energyOf(distanceCondition(pairs, restLength), stiffness, own, rest.length / 3))
  }
  for (const strand of strands) energies.push(...strandEnergies(strand, damping, rest))
  if (sheet !== null) energies.push(...sheetEnergies(sheet, damping, rest))
  return energies
}

/** The state of searches of conditions, from which the next step starts: by energy and element, in the form of the memory of links. */
export function parametersOf(own: readonly OwnEnergy[]): number[] {
  return own.flatMap(({ energy: { condition: { parameters } } }, k) => parameters === undefined ? []
    : [...parameters].flatMap((u, e) => Number.isNaN(u) ? [] : [SEARCHES, k, e, u, 0, 0, 0, 0]))
}

/** Takes it back. @returns the other entries */
export function takeParameters(own: readonly OwnEnergy[], memory: readonly number[]): number[] {
  const others: number[] = []
  for (let at = 0; at < memory.length; at += ENTRY) {
    if (memory[at] !== SEARCHES) others.push(...memory.slice(at, at + ENTRY))
    else own[memory[at + 1]!]!.energy.condition.parameters![memory[at + 2]!] = memory[at + 3]!
  }
  return others
}

/**
 * @param masses kg, by particle, then by block of bodies
 * @param held by block: 1 if forces do not move it
 * @param lead sets the positions of held particles
 */
export function particleSystem(loads: ParticleSystem['loads'], masses: Float64Array, held: Uint8Array, lead: NonNullable<ParticleSystem['lead']>, own: readonly OwnEnergy[]): ParticleSystem {
  return { masses, energies: own.map(({ energy }) => energy), loads, held, lead }
}

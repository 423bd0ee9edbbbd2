/**
 * Contact forces of a step of the run that takes several implicit steps: the impulse of each contact over the whole step ÷ its length, as for reactions of
 * supports. Contacts that only an earlier part had are included.
 */

import type { World } from '../../contact/world'
import { CONTACT, type Links, type ParticleState } from '../../deformables'
import { addScaled, type Vec3 } from '../../math/vector'
import { pointOf } from './attachments'
import { sidesOf, weighted, type Side } from './sides'
import type { Touching } from './touching'

/** One contact with its sums over the implicit steps, each weighted with its share of the step. */
export interface MeanContact {
  /** Equal for the links of the same features: see {@link keyOf}. */
  readonly key: string
  readonly sides: readonly [Side, Side]
  /** N */
  readonly force: Vec3
  /** N: Σ share × normal force × normal. */
  readonly pressed: Vec3
  /** N: Σ share × the largest friction. */
  readonly most: number
  /** m, m/s: the middle of the first side and its velocity, that of the second if it consists of particles, and the gap, at the end of its last part. */
  readonly place: Vec3
  readonly velocity: Vec3
  readonly other: Vec3
  readonly gap: number
}

const ZERO: Vec3 = [0, 0, 0]

/** What a contact of one implicit step has in common with the same contact of the next. */
export function keyOf({ finders, first, second }: Links, i: number): string {
  return `${finders[i]} ${first[i]} ${second[i]}`
}

export class ContactMeans {
  private found = new Map<string, MeanContact>()
  private parts = 0

  begin(): void {
    this.found.clear()
    this.parts = 0
  }

  /** Adds the contacts of an implicit step that was accepted. @param share its length ÷ that of the run's step; @param state at its end */
  add(world: World, touching: Touching, share: number, { positions, velocities }: ParticleState): void {
    this.parts++
    // The usual step has one part, whose contacts are those of the links.
    if (share === 1) return
    const { contacts: { links } } = touching
    for (let i = 0; i < links.count; i++) {
      if (links.kinds[i] !== CONTACT || !(links.presses[i]! > 0)) continue
      const key = keyOf(links, i)
      const before = this.found.get(key)
      const press = share * links.presses[i]!
      this.found.set(key, {
        key, sides: sidesOf(world, touching, i), most: (before?.most ?? 0) + links.friction[i]! * press,
        force: addScaled(before?.force ?? ZERO, pointOf(links.forces, i), share), pressed: addScaled(before?.pressed ?? ZERO, pointOf(links.normals, i), press),
        place: weighted(links, i, positions, 1), velocity: weighted(links, i, velocities, 1), other: weighted(links, i, velocities, -1), gap: links.gaps[i]!,
      })
    }
  }

  /** @returns what restores the present sums */
  keep(): () => void {
    const { parts, found } = this
    const copy = new Map(found)
    return () => {
      this.found = copy
      this.parts = parts
    }
  }

  /** Contacts of the whole step; null if it had one part. */
  get contacts(): readonly MeanContact[] | null {
    return this.parts > 1 ? [...this.found.values()] : null
  }
}

/** Bodies that must be stepped together even if they do not touch: forces between them are evaluated at one instant. */

import { bodiesOfJoint } from '../../dynamics/joints'
import { coupledByForces } from '../../contact/coupled-by-forces'
import type { World } from '../../contact/world'

export class Coupling {
  /** By body: dynamic bodies of its group, sorted; undefined if it is alone. */
  private readonly groups: readonly (readonly number[] | undefined)[]

  /** @param together whether all must be stepped together, for sequential impacts that propagate through the whole scene */
  constructor({ bodies, forces, joints }: World, together: boolean) {
    const lists = together ? [bodies.map(({ index }) => index)] : [...coupledByForces(forces), ...joints.map(({ constraint }) => bodiesOfJoint(constraint))]
    const groups: (Set<number> | undefined)[] = bodies.map(() => undefined)
    for (const list of lists) {
      const dynamic = list.filter(body => body >= 0 && bodies[body]!.type === 'dynamic')
      if (dynamic.length < 2) continue
      const joined = new Set<number>(dynamic.flatMap(body => groups[body] === undefined ? [body] : [...groups[body]]))
      for (const body of joined) groups[body] = joined
    }
    const sorted = new Map<Set<number>, readonly number[]>()
    this.groups = groups.map(group => {
      if (group === undefined) return undefined
      const found = sorted.get(group) ?? [...group].sort((a, b) => a - b)
      sorted.set(group, found)
      return found
    })
  }

  /** Some bodies and all bodies that must be stepped with them. */
  closure(bodies: Iterable<number>): Set<number> {
    const all = new Set(bodies)
    for (const body of [...all]) for (const other of this.groups[body] ?? []) all.add(other)
    return all
  }
}

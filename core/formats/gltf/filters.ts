/** Collision filters of KHR_physics_rigid_bodies: two colliders touch if the filter of each allows the systems of the other. */

import { arrayOf, objectOf, RIGID_BODIES, type Gltf } from './json'

interface Filter {
  readonly systems: readonly string[]
  /** Null if all systems are allowed except the excluded ones. */
  readonly only: readonly string[] | null
  readonly not: readonly string[]
}

/** Whether colliders with these filters touch. A collider without a filter belongs to no system and allows all. */
export function filterRule(json: Gltf): (a: number | null, b: number | null) => boolean {
  const filters = arrayOf(objectOf(json.extensions?.[RIGID_BODIES]).collisionFilters).map(readFilter)
  const of = (index: number | null): Filter => (index === null ? undefined : filters[index]) ?? { systems: [], only: null, not: [] }
  const lets = ({ only, not }: Filter, { systems }: Filter): boolean =>
    only === null ? !systems.some(system => not.includes(system)) : systems.some(system => only.includes(system))
  return (a, b) => lets(of(a), of(b)) && lets(of(b), of(a))
}

function readFilter(value: unknown): Filter {
  const { collisionSystems, collideWithSystems, notCollideWithSystems } = objectOf(value)
  const names = (list: unknown): string[] => arrayOf(list).map(String)
  return { systems: names(collisionSystems), only: collideWithSystems === undefined ? null : names(collideWithSystems), not: names(notCollideWithSystems) }
}

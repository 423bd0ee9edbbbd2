/** Collision groups of a stage [UsdPhysicsCollisionGroup]: bodies of two groups pass through each other if one group filters out the other. */

import { exceptPair, setCollision } from '../shared/collision-classes'
import type { SceneDraft } from '../shared/draft'
import { booleanOf, stringOf } from './layer'
import type { PlacedPrim } from './stage'

const MEMBERS = 'collection:colliders:includes'

/** Pairs that do not touch [UsdPhysicsFilteredPairsAPI]: of bodies, and of colliders through their bodies. */
export function addFilteredPairs(placed: readonly PlacedPrim[], bodyId: (path: string) => string | null, draft: SceneDraft): void {
  for (const { prim, schemas } of placed) {
    if (!schemas.includes('PhysicsFilteredPairsAPI')) continue
    for (const target of prim.relationships.get('physics:filteredPairs') ?? []) {
      const ids = [prim.path, target].map(path => bodyId(path) ?? placed.flatMap(({ prim: { path: inner } }) => inner.startsWith(`${path}/`) ? bodyId(inner) ?? [] : []))
      const [some, others] = ids.map(found => [...new Set(typeof found === 'string' ? [found] : found)]) as [string[], string[]]
      if (some.length === 0 || others.length === 0) draft.losses.add(prim.path, `its filter against "${target}", which is not a body`, 'nothing')
      for (const one of some) for (const other of others) exceptPair(draft, one, other)
    }
  }
}

/** @param bodyId body of a prim */
export function addGroups(placed: readonly PlacedPrim[], bodyId: (path: string) => string | null, draft: SceneDraft): void {
  const groups = placed.filter(({ prim }) => prim.type === 'PhysicsCollisionGroup').map(({ prim }) => prim)
  if (groups.length === 0) return
  const filters = new Map(groups.map(group => [group.path, new Set(group.relationships.get('physics:filteredGroups') ?? [])]))
  const inverted = new Set(groups.filter(group => booleanOf(group, 'physics:invertFilteredGroups', false)).map(({ path }) => path))
  const kinds = new Map<string, Set<string>>()
  for (const group of groups) {
    if (stringOf(group, 'physics:mergeGroup', '') !== '') draft.losses.add(group.path, 'its merging with other groups', 'a group by itself')
    if (group.relationships.get('collection:colliders:excludes')?.length) draft.losses.add(group.path, 'what it leaves out', 'all that it includes')
    for (const path of group.relationships.get(MEMBERS) ?? []) {
      // The target may be a body, one of its colliders, or a subtree with bodies.
      const own = bodyId(path)
      const below = own !== null ? [own] : placed.flatMap(({ prim }) => prim.path.startsWith(`${path}/`) ? bodyId(prim.path) ?? [] : [])
      for (const id of below) kinds.set(id, (kinds.get(id) ?? new Set<string>()).add(group.path))
    }
  }
  for (const body of draft.bodies) if (!kinds.has(body.id) && (body.shapes?.length ?? 0) > 0) kinds.set(body.id, new Set(['']))
  const filtersOut = (a: string, b: string): boolean => a !== '' && filters.get(a)!.has(b) !== inverted.has(a)
  setCollision(draft, kinds, (a, b) => !filtersOut(a, b) && !filtersOut(b, a))
}

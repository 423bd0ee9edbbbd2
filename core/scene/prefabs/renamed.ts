import { collections, elementsOf } from '../ids'
import { withReferencesOf } from '../references'
import type { Collection } from '../schema/field'
import { withNamesChanged } from '../script-names'
import type { Scene } from '../types'

/** The scene with other ids in all references; unaffected parts are shared. Schema and rules are not checked. */
export function withIds(scene: Scene, ids: ReadonlyMap<string, string>): Scene {
  const renamed = (_: Collection, id: string) => ids.get(id) ?? id
  const result = { ...scene } as Record<string, unknown>
  for (const collection of [...collections, 'materialPairs'] as const) {
    const elements = collection === 'materialPairs' ? scene.materialPairs ?? [] : elementsOf(scene, collection)
    const after = elements.map(element => {
      const referring = withReferencesOf(collection, element, renamed) as { id?: string; source?: string }
      const source = collection === 'scripts' ? withNamesChanged(referring.source!, renamed) : undefined
      const named = source === undefined || source === referring.source ? referring : { ...referring, source }
      const id = named.id === undefined ? undefined : ids.get(named.id)
      return id === undefined ? named : { ...named, id }
    })
    if (after.some((element, i) => element !== elements[i])) result[collection] = after
  }
  return result as unknown as Scene
}

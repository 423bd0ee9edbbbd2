/** Edits of a document with instances: their contents follow the prefab's file; a changed property of one instance becomes an override of it. */
import { collections, elementsOf, indexOfIds } from '../ids'
import { problem, ProblemList, type Problem } from '../problem'
import { checkDocument } from '../rules/document'
import type { Scene } from '../types'
import { withInstances, type ContentOf } from './expand'
import { mayOverride, withOverrides } from './overriding'
import { ownerOf, ownersIn } from './owner'

type Result = { readonly ok: true; readonly scene: Scene } | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * The scene after an edit, with the contents of its instances, or stand-ins of prefabs that could not be placed before either; or the reason why the edit is
 * not possible.
 */
export function settledEdit(before: Scene, after: Scene, contentOf: ContentOf): Result {
  if (!after.instances?.length && !after.prefabs?.length) return { ok: true, scene: after }
  const touched = touchedPart(before, after)
  if (touched !== null) return { ok: false, problems: [touched] }
  const kept = withOverrides(before, after, contentOf)
  const placed = withInstances(kept, contentOf, file => elementsOf(before, 'prefabs').some(one => one.file === file))
  if (!placed.ok || placed.scene === kept || hasSameParts(before, placed.scene)) return placed
  const list = new ProblemList()
  checkDocument({ scene: placed.scene, list })
  return list.failed ? { ok: false, problems: list.finish() } : placed
}

/** Change of an edit to an object of an instance that cannot be an override, or to an id under its own. */
function touchedPart(before: Scene, after: Scene): Problem | null {
  const owners = ownersIn(after)
  const known = ownersIn(before)
  // A removal or renaming of a material is followed into its users, which are rebuilt.
  if (elementsOf(before, 'materials').some(({ id }) => !indexOfIds(elementsOf(after, 'materials')).has(id))) return null
  for (const collection of collections) {
    const [was, is] = [elementsOf(before, collection), elementsOf(after, collection)]
    if (was === is) continue
    const places = indexOfIds(was)
    for (const [i, element] of is.entries()) {
      const owner = ownerOf(owners, element.id)
      const isOld = was[places.get(element.id) ?? -1] === element
      if (owner === null || known.has(owner) === isOld || (!known.has(owner) && !places.has(element.id))) continue
      if (known.has(owner) && places.has(element.id) && mayOverride(collection, was[places.get(element.id)!]!, element)) continue
      return known.has(owner) && places.has(element.id)
        ? problem('PartOfPrefab', [collection, i], `"${element.id}" belongs to "${owner}": it can be changed only in the file of its prefab`, {
          allowed: 'to edit the prefab, or to make the instance local first', ids: [element.id, owner],
        })
        : problem('ReservedId', [collection, i, 'id'], `"${element.id}" begins with the prefix of "${owner}"`, {
          value: element.id, allowed: `an id that does not begin with "${owner}."`, ids: [element.id],
        })
    }
    const now = indexOfIds(is)
    const gone = was.find(({ id }) => !now.has(id) && owners.has(ownerOf(known, id) ?? ''))
    if (gone) return partProblem(before, gone.id)
  }
  return null
}

const hasSameParts = (before: Scene, after: Scene) => collections.every(collection => {
  const [was, is] = [elementsOf(before, collection), elementsOf(after, collection)]
  return was === is || (was.length === is.length && was.every(({ id }, i) => id === is[i]!.id))
})

const partProblem = (scene: Scene, id: string) => {
  const owner = ownerOf(ownersIn(scene), id)!
  return problem('PartOfPrefab', [], `"${id}" belongs to "${owner}": it can be deleted only in the file of its prefab`, {
    value: id, allowed: 'to edit the prefab, to delete the whole instance, or to make it local first', ids: [id, owner],
  })
}

/** Ids removed together with some ids: for an instance all its contents. Or the reason why they cannot be removed. */
export function withParts(scene: Scene, ids: readonly string[]): readonly string[] | Problem {
  const owners = ownersIn(scene)
  if (owners.size === 0) return ids
  const gone = new Set(ids)
  const used = scene.instances?.find(one => gone.has(one.prefab) && !gone.has(one.id))
  if (used) return problem('InUse', ['prefabs'], `It is still used by the instance "${used.id}"`, { value: used.prefab, allowed: 'to delete its instances first', ids: [used.id] })
  const part = ids.find(id => !isGone(ownerOf(owners, id), gone))
  if (part !== undefined) return partProblem(scene, part)
  const brought = collections.flatMap(collection => elementsOf(scene, collection)).filter(({ id }) => gone.has(ownerOf(owners, id) ?? '')).map(({ id }) => id)
  return [...new Set([...ids, ...brought])]
}

const isGone = (owner: string | null, gone: ReadonlySet<string>) => owner === null || gone.has(owner)

/** New ids for an instance or a prefab and all that it brought; null for anything else. */
export function renamedParts(scene: Scene, from: string, to: string): ReadonlyMap<string, string> | null {
  if (!ownersIn(scene).has(from)) return null
  const own = new Set([from])
  const parts = collections.flatMap(collection => elementsOf(scene, collection)).filter(({ id }) => ownerOf(own, id) !== null)
  return new Map([[from, to], ...parts.map(({ id }) => [id, `${to}${id.slice(from.length)}`] as const)])
}

/** Makes instances local: their contents become the scene's own, and no longer follow the prefab's file. */
import { elementsOf, freshIds } from '../ids'
import { withReferencesOf } from '../references'
import type { Collection } from '../schema/field'
import type { MaterialPair, Scene } from '../types'
import { ownerOf } from './owner'
import { groupOf } from './plain'

const PLACED = ['bodies', 'deformables', 'joints', 'forces', 'sensors', 'scripts', 'groups'] as const

/**
 * Each instance becomes a group with its id. A prefab without remaining instances is removed: its materials and meshes become the scene's. Those of a
 * prefab that remains are copied.
 */
export function unpacked(scene: Scene, ids: readonly string[]): Scene {
  return ids.reduce(unpackedOne, scene)
}

function unpackedOne(scene: Scene, id: string): Scene {
  const instance = scene.instances?.find(one => one.id === id)
  if (!instance) return scene
  const instances = scene.instances!.filter(one => one !== instance)
  const { instances: _, prefabs = [], ...rest } = scene
  const stays = instances.some(({ prefab }) => prefab === instance.prefab)
  const kept = stays ? prefabs : prefabs.filter(one => one.id !== instance.prefab)
  const local: Scene = {
    ...rest, groups: [...scene.groups ?? [], groupOf(instance)],
    ...kept.length > 0 ? { prefabs: kept } : {}, ...instances.length > 0 ? { instances } : {},
  }
  return stays ? withOwnAssets(local, id, instance.prefab) : local
}

/** Copies of the prefab's materials and meshes for the contents of the instance. */
function withOwnAssets(scene: Scene, instance: string, prefab: string): Scene {
  const makeId = freshIds(scene)
  const copies = new Map<string, string>()
  const own = new Set([instance])
  const owners = new Set([prefab])
  const result = { ...scene } as Record<string, unknown>
  const copied = (collection: Collection, id: string) => {
    if ((collection !== 'materials' && collection !== 'meshes' && collection !== 'textures') || ownerOf(owners, id) === null) return id
    if (!copies.has(id)) copies.set(id, makeId(`${instance}.${id.slice(prefab.length + 1)}`))
    return copies.get(id)!
  }
  for (const collection of PLACED) {
    const elements = elementsOf(scene, collection)
    const after = elements.map(element => ownerOf(own, element.id) === null ? element : withReferencesOf(collection, element, copied))
    if (after.some((element, i) => element !== elements[i])) result[collection] = after
  }
  for (const collection of ['materials', 'meshes', 'textures'] as const) {
    const added = elementsOf(scene, collection).filter(({ id }) => copies.has(id)).map(element => ({ ...element, id: copies.get(element.id)! }))
    if (added.length > 0) result[collection] = [...elementsOf(scene, collection), ...added]
  }
  const pairs = (scene.materialPairs ?? []).flatMap(pair => pairsOfCopies(pair, copies))
  if (pairs.length > 0) result.materialPairs = [...scene.materialPairs!, ...pairs]
  return result as unknown as Scene
}

/** Pairs of materials hold for their copies too, and for a copy with the other material. */
function pairsOfCopies(pair: MaterialPair, copies: ReadonlyMap<string, string>): MaterialPair[] {
  const [a, b] = pair.materials
  const of = (id: string) => copies.has(id) ? [id, copies.get(id)!] : [id]
  const found = of(a).flatMap(first => of(b).map((second): [string, string] => [first, second]))
  const isNew = ([first, second]: readonly [string, string], at: number) => (first !== a || second !== b)
    && found.findIndex(([x, y]) => (x === first && y === second) || (x === second && y === first)) === at
  return found.filter(isNew).map(materials => ({ ...pair, materials }))
}

/** Objects of a scene that come from prefabs: their id begins with the id of an instance or a prefab and a full stop. */
import { collections, elementsOf } from '../ids'
import type { Scene } from '../types'

/** Ids of instances and prefabs. */
export type Owners = ReadonlySet<string>

const known = new WeakMap<Scene, Owners>()
const NONE: Owners = new Set()

export function ownersIn(scene: Scene): Owners {
  const { instances = [], prefabs = [] } = scene
  if (instances.length === 0 && prefabs.length === 0) return NONE
  let owners = known.get(scene)
  if (!owners) known.set(scene, owners = new Set([...instances, ...prefabs].map(({ id }) => id)))
  return owners
}

/** The instance or prefab whose contents include this id; null if the id is the scene's own. */
export function ownerOf(owners: Owners, id: string): string | null {
  if (owners.size === 0) return null
  for (let at = id.indexOf('.'); at >= 0; at = id.indexOf('.', at + 1)) {
    const owner = id.slice(0, at)
    if (owners.has(owner)) return owner
  }
  return null
}

/** The instance whose contents include this id, in this scene. */
export function instanceAround(scene: Scene, id: string): string | null {
  const owner = ownerOf(ownersIn(scene), id)
  return owner !== null && scene.instances?.some(one => one.id === owner) ? owner : null
}

/** The scene as written, without the contents of its prefabs. */
export function ownScene(scene: Scene, owners: Owners = ownersIn(scene)): Scene {
  if (owners.size === 0) return scene
  const own = { ...scene } as Record<string, unknown>
  for (const collection of collections) {
    const all = elementsOf(scene, collection)
    const kept = all.filter(({ id }) => ownerOf(owners, id) === null)
    if (kept.length === all.length) continue
    if (kept.length > 0) own[collection] = kept
    else delete own[collection]
  }
  const pairs = scene.materialPairs?.filter(({ materials: [a, b] }) => !isOfOne(owners, a, b))
  if (pairs !== undefined && pairs.length < scene.materialPairs!.length) {
    if (pairs.length > 0) own.materialPairs = pairs
    else delete own.materialPairs
  }
  return own as unknown as Scene
}

/** Whether a pair belongs to a prefab: both of its materials do. */
function isOfOne(owners: Owners, a: string, b: string): boolean {
  const [first, second] = [ownerOf(owners, a), ownerOf(owners, b)]
  return first !== null && first === second
}

import type { Collection } from './schema/field'
import type { Body, Deformable, Force, Group, Instance, Joint, Material, MeshAsset, Parameter, Prefab, Scene, Script, Sensor, Texture } from './types'

export interface ElementOf {
  materials: Material
  bodies: Body
  deformables: Deformable
  joints: Joint
  forces: Force
  sensors: Sensor
  parameters: Parameter
  scripts: Script
  groups: Group
  prefabs: Prefab
  instances: Instance
  meshes: MeshAsset
  textures: Texture
}

/** The collections whose elements have ids, in the order in which ids are looked up. */
export const collections = [
  'materials', 'bodies', 'deformables', 'joints', 'forces', 'sensors', 'parameters', 'scripts', 'groups', 'prefabs', 'instances',
  'meshes', 'textures',
] as const satisfies readonly Collection[]

/** Place of an id in the document. */
export interface Place {
  readonly collection: Collection
  readonly index: number
}

const none: readonly never[] = []

/** The elements of a collection, empty if the document omits it. */
export function elementsOf<C extends Collection>(scene: Scene, collection: C): readonly ElementOf[C][] {
  return (scene[collection] as readonly ElementOf[C][] | undefined) ?? none
}

// Arrays of a document are never changed in place, so the identity of an array determines its ids and their order.
const maps = new WeakMap<readonly object[], ReadonlyMap<string, number>>()

/** Id → index of one collection's array, cached with the array. The first of duplicate ids counts. */
export function indexOfIds(elements: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  const known = maps.get(elements)
  if (known) return known
  const map = new Map<string, number>()
  for (let i = 0; i < elements.length; i++) {
    const { id } = elements[i]!
    if (!map.has(id)) map.set(id, i)
  }
  maps.set(elements, map)
  return map
}

/** States that `after` has the same ids in the same order as `before`, which saves rebuilding the map. */
export function sameIds(before: readonly object[], after: readonly object[]): void {
  const map = maps.get(before)
  if (map) maps.set(after, map)
}

/** Collection and index of an id; null if unused. */
export function placeOf(scene: Scene, id: string): Place | null {
  for (const collection of collections) {
    const index = indexOfIds(elementsOf(scene, collection)).get(id)
    if (index !== undefined) return { collection, index }
  }
  return null
}

/** The element of this id in this collection. */
export function elementById<C extends Collection>(scene: Scene, collection: C, id: string): ElementOf[C] | null {
  const elements = elementsOf(scene, collection)
  const index = indexOfIds(elements).get(id)
  return index === undefined ? null : elements[index]!
}

/** An unused id: the wanted one, or with the first free number (`box`, `box-2`, `box-3`). */
export const freshId = (scene: Scene, wanted: string): string => freshIds(scene)(wanted)

/** The same for several new elements: each id returned counts as used from then on, and numbers that were tried are not tried again. */
export function freshIds(scene: Scene): (wanted: string) => string {
  const given = new Set<string>()
  const tried = new Map<string, number>()
  const taken = (id: string) => given.has(id) || placeOf(scene, id) !== null
  return wanted => {
    const base = wanted.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 100) || 'thing'
    let id = base
    if (taken(base)) {
      const stem = base.replace(/-\d+$/, '')
      let n = tried.get(stem) ?? 2
      while (taken(`${stem}-${n}`)) n++
      tried.set(stem, n)
      id = `${stem}-${n}`
    }
    given.add(id)
    return id
  }
}

/** Inserts elements into collections of a scene at given places, and removes them. */
import type { Patches } from 'mutative'
import type { Collection } from './schema/field'
import { collections, sameIds } from './ids'
import type { Scene } from './types'

export type ScenePatches = Patches<{ pathAsArray: true, arrayLengthAssignment: true }>

/** An element with its index: before a removal, or after an insertion. */
export interface PlacedElement {
  readonly collection: Collection | 'materialPairs'
  readonly index: number
  readonly element: object
}

/** The scene with these elements. Indices ascend within a collection; unchanged parts are shared. */
export function withElements(scene: Scene, elements: readonly PlacedElement[]): Scene {
  return placed(scene, elements, inserted)
}

/** The scene without these elements; collections that become empty remain. */
export function withoutElements(scene: Scene, elements: readonly PlacedElement[]): Scene {
  return placed(scene, elements, removed)
}

type Rearrange = (elements: readonly object[], at: readonly PlacedElement[]) => object[]

function placed(scene: Scene, elements: readonly PlacedElement[], rearrange: Rearrange): Scene {
  const result = { ...scene } as Record<string, unknown>
  for (const collection of new Set(elements.map(element => element.collection))) {
    const before = (scene[collection] ?? []) as readonly object[]
    result[collection] = rearrange(before, elements.filter(element => element.collection === collection))
  }
  return result as unknown as Scene
}

function inserted(elements: readonly object[], at: readonly PlacedElement[]): object[] {
  const after: object[] = []
  let next = 0
  for (const { index, element } of at) {
    while (after.length < index && next < elements.length) after.push(elements[next++]!)
    after.push(element)
  }
  while (next < elements.length) after.push(elements[next++]!)
  return after
}

function removed(elements: readonly object[], at: readonly PlacedElement[]): object[] {
  const gone = new Set(at.map(({ index }) => index))
  return elements.filter((_, i) => !gone.has(i))
}

/** Collections in which elements changed only inside keep their index of ids. */
export function keepIds(before: Scene, after: Scene, patches: ScenePatches): Scene {
  const rearranged = new Set(patches.filter(({ path }) => path.length < 3 || path[2] === 'id').map(({ path }) => path[0]))
  for (const collection of collections) {
    const old = before[collection]
    const now = after[collection]
    if (old && now && old !== now && !rearranged.has(collection)) sameIds(old, now)
  }
  return after
}

import { apply, type Patches } from 'mutative'
import type { Collection } from './schema/field'
import { collections, sameIds } from './ids'
import type { Scene } from './types'

export type ScenePatches = Patches<{ pathAsArray: true, arrayLengthAssignment: true }>

/** An element with its place: before a removal, after an insertion. */
export interface PlacedElement {
  readonly collection: Collection | 'materialPairs'
  readonly index: number
  readonly element: object
}

/**
 * What an edit did, as plain data that can be kept in a journal, applied again and taken back. Insertions and removals are recorded as
 * such: as patches, taking one of 10,000 bodies out of the middle would be thousands.
 */
export type Change =
  | { readonly kind: 'patch', readonly patches: ScenePatches, readonly inverse: ScenePatches }
  /** Indices ascend within a collection. `created` collections are absent without these elements: they come and go with them. */
  | { readonly kind: 'insert' | 'remove', readonly elements: readonly PlacedElement[], readonly created: readonly string[] }
  | { readonly kind: 'move', readonly collection: Collection, readonly from: number, readonly to: number }
  | { readonly kind: 'sequence', readonly changes: readonly Change[] }

/** The change that takes this one back. */
export function inverted(change: Change): Change {
  switch (change.kind) {
    case 'patch': return { kind: 'patch', patches: change.inverse, inverse: change.patches }
    case 'insert': return { ...change, kind: 'remove' }
    case 'remove': return { ...change, kind: 'insert' }
    case 'move': return { ...change, from: change.to, to: change.from }
    case 'sequence': return { kind: 'sequence', changes: change.changes.map(inverted).reverse() }
  }
}

/** The scene after a change. Pure; what the change does not touch is shared. The change must fit the scene. */
export function applyChange(scene: Scene, change: Change): Scene {
  switch (change.kind) {
    case 'patch': return keepIds(scene, apply(scene, change.patches), change.patches)
    case 'insert': return placed(scene, change.elements, inserted, [])
    case 'remove': return placed(scene, change.elements, removed, change.created)
    case 'move': {
      const elements = [...(scene[change.collection] ?? [])] as object[]
      elements.splice(change.to, 0, ...elements.splice(change.from, 1))
      return { ...scene, [change.collection]: elements }
    }
    case 'sequence': return change.changes.reduce(applyChange, scene)
  }
}

type Rearrange = (elements: readonly object[], at: readonly PlacedElement[]) => object[]

function placed(scene: Scene, elements: readonly PlacedElement[], rearrange: Rearrange, absent: readonly string[]): Scene {
  const result = { ...scene } as Record<string, unknown>
  for (const collection of new Set(elements.map(element => element.collection))) {
    const before = (scene[collection] ?? []) as readonly object[]
    result[collection] = rearrange(before, elements.filter(element => element.collection === collection))
  }
  for (const collection of absent) delete result[collection]
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

/** Collections of which only the inside of elements changed keep their index of ids. */
export function keepIds(before: Scene, after: Scene, patches: ScenePatches): Scene {
  const rearranged = new Set(patches.filter(({ path }) => path.length < 3 || path[2] === 'id').map(({ path }) => path[0]))
  for (const collection of collections) {
    const old = before[collection]
    const now = after[collection]
    if (old && now && old !== now && !rearranged.has(collection)) sameIds(old, now)
  }
  return after
}

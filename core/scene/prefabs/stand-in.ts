/**
 * Stand-in of a prefab that cannot be placed, while the scene around it is edited: a box for each instance, and a placeholder for every body and material of it
 * that the scene refers to. It is never written; simulation and export read the scene without it.
 */
import { collections, elementsOf } from '../ids'
import type { Problem } from '../problem'
import { withReferencesOf } from '../references'
import type { Body, Material, Prefab, Scene } from '../types'
import type { PrefabContent } from './content'

/** m: the edge of the box. */
const SIZE = 0.2
const BOX = 'missing'

/** Cached by the error of the file, which is constant until the file is read again. */
const known = new WeakMap<readonly Problem[], Map<string, PrefabContent>>()

/** @param own the scene as written, whose references into the prefab must remain valid */
export function standInFor(own: Scene, prefab: Prefab, problems: readonly Problem[]): PrefabContent {
  const wanted = referredTo(own, prefab)
  const made = known.get(problems) ?? new Map<string, PrefabContent>()
  known.set(problems, made)
  const key = JSON.stringify([prefab.file, wanted])
  let content = made.get(key)
  if (!content) made.set(key, content = { file: prefab.file, scene: standIn(prefab.file, wanted) })
  return content
}

interface Wanted {
  readonly bodies: readonly string[]
  readonly materials: readonly string[]
}

function standIn(file: string, { bodies, materials }: Wanted): Scene {
  const material = (id: string): Material => ({ id, density: 1000, friction: { static: 0.5, dynamic: 0.5 }, color: '#d0409a' })
  const box: Body = {
    id: BOX, name: `Missing: ${file}`, type: 'fixed', shapes: [{ type: 'box', size: [SIZE, SIZE, SIZE], material: BOX }],
  }
  return {
    format: 'cairn-scene', version: 1,
    materials: [BOX, ...materials.filter(id => id !== BOX)].map(material),
    bodies: [box, ...bodies.filter(id => id !== BOX).map((id): Body => ({ id, mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }))],
  }
}

/** Ids within the prefab, sorted. */
function referredTo(own: Scene, prefab: Prefab): Wanted {
  const owners = elementsOf(own, 'instances').filter(one => one.prefab === prefab.id).map(({ id }) => `${id}.`)
  const bodies = new Set<string>()
  const materials = new Set<string>()
  const note = (collection: string, id: string): string => {
    if (collection === 'bodies') for (const owner of owners) if (id.startsWith(owner)) bodies.add(id.slice(owner.length))
    if (collection === 'materials' && id.startsWith(`${prefab.id}.`)) materials.add(id.slice(prefab.id.length + 1))
    return id
  }
  for (const collection of collections) for (const element of elementsOf(own, collection)) withReferencesOf(collection, element, note)
  for (const pair of own.materialPairs ?? []) withReferencesOf('materialPairs', pair, note)
  return { bodies: [...bodies].sort(), materials: [...materials].sort() }
}

/** Ids that follow names: scripts, plots and files then say what a person called the thing. Whoever edits an id keeps it. */

import { collections, freshId, type Scene } from '../../core/scene'
import { shapeStem, shapeTypes } from '../shapes'
import { jointTypes } from '../joints'
import { titleOf } from './scene-access'

/** The id that a name makes: `Big ramp` gives `big-ramp`; empty where nothing of it can be in an id. */
export function idFromName(name: string): string {
  return name.replaceAll('ß', 'ss').normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9_.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 60)
}

/** Stems that the editor gives by itself to what has no name yet. */
const OWN_STEMS: ReadonlySet<string> = new Set([
  ...shapeTypes, ...shapeTypes.map(shapeStem),
  ...jointTypes,
  'uniform', 'point', 'torque', 'drag', 'spring', 'attractor', 'wind', 'keyframed', 'script-force',
])

/** Whether nobody chose this id: it is what the editor made of the name, or of the type where there is none. */
export function followsName(element: { readonly id: string; readonly name?: string }): boolean {
  const stem = element.id.replace(/-\d+$/, '')
  const made = element.name ? idFromName(element.name) : ''
  return OWN_STEMS.has(stem) || (made !== '' && (element.id === made || stem === made || stem === made.replace(/-\d+$/, '')))
}

/** The id that an element gets with a new name; its own where that was chosen by hand, or the name has nothing for an id. */
export function idAfterRename(scene: Scene, id: string, name: string): string {
  const element = collections.flatMap(collection => (scene[collection] ?? []) as readonly { id: string; name?: string }[]).find(one => one.id === id)
  const wanted = idFromName(name)
  if (!element || wanted === '' || wanted === id || !followsName(element)) return id
  return freshId(scene, wanted)
}

/** A message with the names of the things that it is about in place of their ids. */
export function withNames(message: string, ids: readonly string[], scene: Scene): string {
  let text = message
  for (const id of ids) {
    const element = collections.flatMap(collection => (scene[collection] ?? []) as readonly { id: string; name?: string }[]).find(one => one.id === id)
    if (element && titleOf(element) !== id) text = text.replaceAll(`"${id}"`, `“${titleOf(element)}”`)
  }
  return text
}

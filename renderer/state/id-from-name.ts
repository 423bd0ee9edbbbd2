/** Ids that follow names, so that scripts, plots and files use the user's names. An id that the user edited is kept. */

import { collections, freshId, type Collection, type Scene } from '../../core/scene'
import { shapeStem, shapeTypes } from '../shapes'
import { jointTypes } from '../joints'
import { titleOf } from './scene-access'

/** The id for a name: `Big ramp` gives `big-ramp`; empty if the name has no character allowed in ids. */
export function idFromName(name: string): string {
  return name.replaceAll('ß', 'ss').normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/[^a-z0-9_.]+/g, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 60)
}

/** Stems of ids that the editor gives to elements without a name. */
const OWN_STEMS: ReadonlySet<string> = new Set([
  ...shapeTypes, ...shapeTypes.map(shapeStem),
  ...jointTypes,
  'uniform', 'point', 'torque', 'drag', 'spring', 'attractor', 'wind', 'pair', 'lennard-jones', 'keyframed', 'guide', 'script-force', 'controller',
  'imu', 'joint-sensor', 'contact', 'range', 'pose', 'rope', 'cloth', 'particles', 'hair',
])

/** Whether the editor chose this id: from the name, or from the type if there is none. */
export function followsName(element: { readonly id: string; readonly name?: string }): boolean {
  const stem = element.id.replace(/-\d+$/, '')
  const made = element.name ? idFromName(element.name) : ''
  return OWN_STEMS.has(stem) || (made !== '' && (element.id === made || stem === made || stem === made.replace(/-\d+$/, '')))
}

/** The id after renaming. Stays the same if the user chose it, or if the name has no character allowed in ids. */
export function idAfterRename(scene: Scene, id: string, name: string): string {
  const element = collections.flatMap(collection => (scene[collection] ?? []) as readonly { id: string; name?: string }[]).find(one => one.id === id)
  const wanted = idFromName(name)
  if (!element || wanted === '' || wanted === id || !followsName(element)) return id
  return freshId(scene, wanted)
}

/** An element of a list, not a field of it. */
const PLACE = new RegExp(`\\b(${collections.join('|')})\\[(\\d+)\\](?![\\w.[])`, 'g')

/** A message with names in place of ids, and of places such as `bodies[1]`. */
export function withNames(message: string, ids: readonly string[], scene: Scene): string {
  let text = message.replace(PLACE, (place, collection: Collection, index: string) => {
    const element = scene[collection]?.[Number(index)]
    return element ? `“${titleOf(element)}”` : place
  })
  for (const id of ids) {
    const element = collections.flatMap(collection => (scene[collection] ?? []) as readonly { id: string; name?: string }[]).find(one => one.id === id)
    if (element) text = text.replaceAll(`"${id}"`, `“${titleOf(element)}”`)
  }
  return text
}

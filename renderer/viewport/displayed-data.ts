/** Data that the viewport derives from the displayed run: indices of selected contacts, and trails of bodies. */

import type { ContactKey } from '../../main/protocol/runs'
import type { ContactFrame } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import { contactKey } from '../state/contact-list'
import { usePlayback } from '../state/playback'
import { bodiesOf } from '../state/scene-access'
import { sameContact, useSelection } from '../state/selection'
import type { Trail } from './glyphs/trails'
import { trailOf } from './trail-points'

/** Above this number of bodies, trails are drawn of selected bodies only. */
const MAX_TRAILS = 60

/** Index of a contact in a frame; −1 if the frame does not contain it. */
export function contactIndex(contacts: ContactFrame | null, key: ContactKey | null, scene: Scene): number {
  if (!contacts || !key) return -1
  const bodyIds = bodiesOf(scene).map(body => body.id)
  const deformableIds = (scene.deformables ?? []).map(({ id }) => id)
  const ids = [...bodyIds, ...deformableIds]
  const [a, b] = [ids.indexOf(key.bodyA), ids.indexOf(key.bodyB)]
  for (let i = 0; i < contacts.count; i++) {
    if (contacts.bodyA[i] === a && contacts.bodyB[i] === b && sameContact(contactKey(contacts, i, { bodyIds, deformableIds }), key)) return i
  }
  return -1
}

/** Trails of the selected bodies up to the displayed frame, or of all dynamic bodies if none is selected. */
export function displayedTrails(): Trail[] {
  const playback = usePlayback()
  const selection = useSelection()
  const source = playback.messages
  if (!source || !playback.frame) return []
  const bodies = bodiesOf(playback.shownScene)
  const chosen = selection.bodies.length > 0
  return bodies.flatMap((body, b) => {
    if (chosen ? !selection.idSet.has(body.id) : (body.type ?? 'dynamic') !== 'dynamic' || bodies.length > MAX_TRAILS) return []
    return [{ points: trailOf(index => source.frames.get(index), playback.frame!.index, b), selected: chosen }]
  })
}

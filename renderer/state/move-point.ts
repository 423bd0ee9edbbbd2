/** Moves bodies so that a picked point of them comes to lie on another picked point, as one edit. Both points snap to corners, centres and edges. */

import { sub } from '../../core/math/vector'
import { wholeOf } from '../modelling/pieces'
import { applyMotion } from '../viewport/gizmos/rigid-edit'
import { useDocument } from './document'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { shapesOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useView } from './view'

/** The whole selection moves if the first point is of a selected body; otherwise that body, or the instance that it is part of. */
export async function movePickedPoint(): Promise<void> {
  const document = useDocument()
  const pick = usePick()
  const { notify } = useShell()
  // Picking refers to the poses of the document, which are displayed meanwhile.
  usePlayback().returnToStart()
  const from = await pick.ask({ prompt: 'Click the point that moves: a corner, centre or edge.', what: 'point' })
  const body = from && document.element('bodies', from.body)
  if (!body) return
  if (shapesOf(body).some(({ type }) => type === 'halfSpace')) {
    notify('A half-space is unbounded and is not moved: click a point of another body first', { kind: 'error' })
    return
  }
  const selection = useSelection()
  const { locked } = useView()
  const moved = new Set(selection.bodies.includes(body.id) ? selection.ids.filter(id => !locked.has(id)) : [wholeOf(document.scene, body.id)])
  const to = await pick.ask({ prompt: 'Click the point to which it moves.', what: 'point' })
  if (!to) return
  if (moved.has(to.body) || moved.has(wholeOf(document.scene, to.body))) {
    notify('Both points are of what is moved: click a point of something else second', { kind: 'error' })
    return
  }
  const before = document.scene
  document.edit('move point to point', draft => applyMotion(draft, before, moved, { pivot: from.point, rotation: [0, 0, 0, 1], shift: sub(to.point, from.point) }))
}

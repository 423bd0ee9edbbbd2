/** Places a flat face of a body, an instance or a group onto a flat face of another, as one edit. */

import { faceAt, flatFacesOf, laidOnto, ModellingError, nearestFaces, type FlatFace } from '../../core/modelling'
import type { Body } from '../../core/scene'
import { carried, pieceOf, piecesOf, wholeOf, type Piece } from '../modelling/pieces'
import { isPlanar } from '../modelling/plane'
import { applyPoses } from '../modelling/poses-edit'
import { useDocument } from './document'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { useSelection } from './selection'
import { useShell } from './shell'

/** Moves the first of the two selected pieces to the one selected last. */
export function layNearestFaces(): void {
  const { scene } = useDocument()
  const [moving, onto] = piecesOf(scene, useSelection().ids)
  if (!moving || !onto) return
  try {
    lay(moving, ...nearestFaces(moving, onto, isPlanar(scene)))
  } catch (error) {
    if (!(error instanceof ModellingError)) throw error
    useShell().notify(error.message, { kind: 'error' })
  }
}

/** Asks the user for both faces. */
export async function layPickedFaces(): Promise<void> {
  const first = await pickFace('Click the flat face that is laid down: its body moves.')
  if (!first) return
  if (first.face.endless) {
    useShell().notify('A half-space is unbounded and is not moved: click the face of another body first', { kind: 'error' })
    return
  }
  const second = await pickFace('Click the flat face onto which it is laid: its body stays.')
  if (!second) return
  const { scene } = useDocument()
  const [moving, onto] = [first, second].map(({ body }) => wholeOf(scene, body.id))
  if (moving === onto) useShell().notify(`Both faces are of the same ${moving === first.body.id ? 'body' : 'instance'}: click one of each`, { kind: 'error' })
  else lay(pieceOf(scene, moving!), first.face, second.face)
}

/** Picking refers to the poses of the document, which are displayed meanwhile. */
async function pickFace(prompt: string): Promise<{ body: Body; face: FlatFace } | null> {
  usePlayback().returnToStart()
  const hit = await usePick().ask({ prompt, what: 'direction' })
  const document = useDocument()
  const body = hit && document.element('bodies', hit.body)
  if (!body) return null
  const face = faceAt(flatFacesOf(body, isPlanar(document.scene)), hit.point, hit.normal)
  if (!face) useShell().notify(`"${body.name ?? body.id}" is not flat there: click a flat face`, { kind: 'error' })
  return face && { body, face }
}

function lay(moving: Piece, face: FlatFace, onto: FlatFace): void {
  const document = useDocument()
  const before = document.scene
  const [from] = moving.moved.values()
  const poses = carried(moving, from!, laidOnto(from!, face, onto, isPlanar(before)))
  document.edit('lay face on face', draft => applyPoses(draft, before, poses))
}

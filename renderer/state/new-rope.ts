/** A rope between two points of bodies that the user picks in the viewport. */

import { addScaled, distance, type Vec3 } from '../../core/math/vector'
import type { DeformableOf } from '../../core/scene'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { newElement } from './free-names'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { useSelection } from './selection'
import { useShell } from './shell'
import type { Hit } from './viewport-api'

/** m: radius of a new rope, and the length of its segments as long as they are not too few or too many. */
export const ROPE_RADIUS = 0.01
export const ROPE_SEGMENT = 0.04
const FEWEST = 8
const MOST = 200

type End = Pick<Hit, 'body' | 'point' | 'normal'>

/** Straight between two points of surfaces, attached to their bodies. Its axis begins and ends one radius above them. */
export function ropeBetween(a: End, b: End): Omit<DeformableOf<'rope'>, 'id' | 'material'> {
  const points = [a, b].map(({ point, normal }) => rounded(addScaled(point, normal, ROPE_RADIUS))) as [Vec3, Vec3]
  const segments = Math.min(Math.max(Math.round(distance(...points) / ROPE_SEGMENT), FEWEST), MOST)
  return { type: 'rope', radius: ROPE_RADIUS, damping: 0.005, points, segments, attachments: [{ vertex: 0, body: a.body }, { vertex: segments, body: b.body }] }
}

/** Asks for the two points, and adds the rope. */
export async function addRopeBetween(): Promise<void> {
  const [document, shell, pick] = [useDocument(), useShell(), usePick()]
  usePlayback().returnToStart()
  const a = await pick.ask({ prompt: 'Click where the rope begins.', what: 'point' })
  const b = a && await pick.ask({ prompt: 'Click where it ends.', what: 'point' })
  if (!a || !b) return
  if (distance(a.point, b.point) < FEWEST * ROPE_RADIUS) {
    return shell.notify(`The points are ${Math.round(1000 * distance(a.point, b.point))} mm apart: a rope needs at least ${1000 * FEWEST * ROPE_RADIUS} mm`, { kind: 'error' })
  }
  const made = newElement(document.scene, 'Rope', 'rope')
  document.edit('add rope', draft => {
    const material = materialForNewShape(draft)
    draft.deformables ??= []
    draft.deformables.push({ ...made, material, ...ropeBetween(a, b) })
  })
  useSelection().select([made.id])
}

const rounded = (point: Vec3): Vec3 => point.map(value => Math.round(value * 1e6) / 1e6) as unknown as Vec3

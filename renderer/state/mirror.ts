/** Mirrors the selected bodies in place. */

import { mirrorBodies, ModellingError } from '../../core/modelling'
import { instanceAround, type Scene } from '../../core/scene'
import { boxOfAll } from '../modelling/extents'
import { useDocument } from './document'
import { useSelection } from './selection'
import { useShell } from './shell'

/** Mirrors about the plane through the middle of the selection, including joints among its bodies. Reports elements that cannot be mirrored. */
export function mirrorSelection(axis: 0 | 1 | 2): void {
  const document = useDocument()
  const { bodies: ids } = useSelection()
  const placed = ids.find(id => instanceAround(document.scene, id) !== null)
  if (placed !== undefined) {
    useShell().notify(`An instance has no mirror image, only a pose: make “${instanceAround(document.scene, placed)}” local first`, { kind: 'error' })
    return
  }
  const box = boxOfAll(ids.flatMap(id => document.element('bodies', id) ?? []))
  const middle = box ? Number(((box.low[axis] + box.high[axis]) / 2).toPrecision(12)) : 0
  try {
    const change = mirrorBodies(document.scene, ids, axis, middle)
    document.edit(`mirror along ${'xyz'[axis]}`, draft => change(draft as Scene))
  } catch (error) {
    if (!(error instanceof ModellingError)) throw error
    useShell().notify(error.message, { kind: 'error' })
  }
}

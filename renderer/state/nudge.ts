/** Moves the selection by keys: one increment along an axis. */

import { rotate } from '../../core/math/quaternion'
import { scale, type Vec3 } from '../../core/math/vector'
import { applyMotion } from '../viewport/gizmos/rigid-edit'
import { tidy } from '../viewport/gizmos/snapping'
import { useDocument } from './document'
import { orientationOf, positionOf } from './scene-access'
import { useSelection } from './selection'
import { useView } from './view'

/** m: the increment if that of drags is set to 0. */
const FINE = 0.01
/** × the increment: a coordinate this near to the grid is on it. */
const ON_GRID = 1e-6

/** As the gizmo does: in world axes with snapping to the next line of the grid, in local axes by an increment. */
export function nudge(axis: 0 | 1 | 2, sense: 1 | -1): void {
  const document = useDocument()
  const { active, ids } = useSelection()
  const { locked, snapping, space } = useView()
  const moved = new Set(ids.filter(id => !locked.has(id)))
  const lead = active === null ? undefined : document.element('bodies', active) ?? document.element('instances', active)
  const step = snapping.move > 0 ? snapping.move : FINE
  const unit: Vec3 = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0]
  const isLocal = space === 'local' && lead !== undefined
  const by = lead && !isLocal && snapping.enabled && snapping.move > 0 ? toNextLine(positionOf(lead)[axis], step, sense) : sense * step
  const before = document.scene
  const shift = scale(isLocal ? rotate(orientationOf(lead), unit) : unit, by)
  document.edit('move', draft => applyMotion(draft, before, moved, { pivot: [0, 0, 0], rotation: [0, 0, 0, 1], shift }))
}

function toNextLine(from: number, step: number, sense: 1 | -1): number {
  const line = sense > 0 ? Math.floor(from / step + ON_GRID) + 1 : Math.ceil(from / step - ON_GRID) - 1
  return tidy(line * step - from)
}

import { useDocument } from '../state/document'
import { bodiesOf } from '../state/scene-access'
import { useSelection } from '../state/selection'
import { DRAWN_BY_LABELS, OVERLAY_LABELS, useView, type DrawnBy, type GizmoMode, type Overlays } from '../state/view'
import { useViewportApi, type StandardView } from '../state/viewport-api'
import type { Command } from './registry'

const STANDARD: readonly (readonly [StandardView, string, string])[] = [
  ['front', 'Front', '1'], ['back', 'Back', 'Shift+1'], ['right', 'Right', '3'], ['left', 'Left', 'Shift+3'], ['top', 'Top', '7'],
  ['bottom', 'Bottom', 'Shift+7'], ['isometric', 'Isometric', '0'],
]

export const GIZMOS: readonly (readonly [GizmoMode, string, string])[] = [
  ['select', 'Select', 'Q'], ['move', 'Move', 'W'], ['rotate', 'Rotate', 'E'], ['resize', 'Resize', 'R'],
]

export function viewCommands(): Command[] {
  const view = useView()
  const viewport = useViewportApi()
  const selection = useSelection()
  const document = useDocument()
  const some = () => selection.ids.length > 0
  return [
    ...GIZMOS.map(([mode, label, key]): Command => ({
      id: `view.gizmo.${mode}`, label, menu: 'View', group: 'gizmo', keys: [key], checked: () => view.gizmo === mode,
      help: { select: 'Click or drag a box.', move: 'Drag the arrows; Esc cancels. With Alt, the middle snaps to corners, edges and faces of other bodies.', rotate: 'Drag the rings.', resize: 'The sizes of a shape; bodies have no scale.' }[mode],
      run: () => { view.gizmo = mode },
    })),
    { id: 'view.space', label: 'Local axes', menu: 'View', group: 'gizmo', keys: ['X'], checked: () => view.space === 'local', help: 'Gizmos turn with the body.', run: () => { view.space = view.space === 'local' ? 'world' : 'local' } },
    { id: 'view.snap', label: 'Snapping', menu: 'View', group: 'gizmo', keys: ['Alt+S'], checked: () => view.snapping.enabled, help: 'Drags move in increments; Ctrl toggles this during a drag.', run: () => { view.snapping.enabled = !view.snapping.enabled } },
    { id: 'view.frame', label: 'Frame selection', menu: 'View', group: 'camera', keys: ['F'], enabled: () => viewport.ready, run: () => viewport.api?.frameSelection() },
    { id: 'view.frameAll', label: 'Frame all', menu: 'View', group: 'camera', keys: ['Shift+F'], enabled: () => viewport.ready, run: () => viewport.api?.frameAll() },
    { id: 'view.orthographic', label: 'Orthographic', menu: 'View', group: 'camera', keys: ['5'], enabled: () => viewport.ready, checked: () => view.camera.orthographic, run: () => viewport.api?.setOrthographic(!view.camera.orthographic) },
    ...STANDARD.map(([name, label, key]): Command => ({
      id: `view.standard.${name}`, label, menu: 'View', group: 'camera', submenu: 'Standard view', keys: [key], enabled: () => viewport.ready,
      run: () => viewport.api?.setStandardView(name),
    })),
    ...(Object.keys(OVERLAY_LABELS) as (keyof Overlays)[]).map((name): Command => ({
      id: `view.overlay.${name}`, label: OVERLAY_LABELS[name], menu: 'View', group: 'overlays', submenu: 'Show', checked: () => view.overlays[name],
      run: () => { view.overlays[name] = !view.overlays[name] },
    })),
    ...(Object.keys(DRAWN_BY_LABELS) as DrawnBy[]).map((by): Command => ({
      id: `view.drawnBy.${by}`, label: `Draw bodies by ${DRAWN_BY_LABELS[by]}`, menu: 'View', group: 'overlays', submenu: 'Show', checked: () => view.drawnBy === by,
      run: () => { view.drawnBy = by },
    })),
    { id: 'view.xray', label: 'Contacts through bodies (x-ray)', menu: 'View', group: 'overlays', submenu: 'Show', checked: () => view.xray, run: () => { view.xray = !view.xray } },
    { id: 'view.hide', label: 'Hide selection', menu: 'View', group: 'hide', keys: ['H'], enabled: some, run: () => view.setHidden(selection.ids, true) },
    { id: 'view.isolate', label: 'Hide all others', menu: 'View', group: 'hide', keys: ['Shift+H'], enabled: some, run: () => view.setHidden(bodiesOf(document.scene).map(body => body.id).filter(id => !selection.idSet.has(id)), true) },
    { id: 'view.showAll', label: 'Show all', menu: 'View', group: 'hide', keys: ['Alt+H'], enabled: () => view.hidden.size > 0, run: () => view.setHidden([...view.hidden], false) },
    { id: 'view.lock', label: 'Lock selection', menu: 'View', group: 'hide', keys: ['L'], enabled: some, help: 'Locked bodies cannot be clicked or dragged in the viewport.', run: () => view.setLocked(selection.ids, true) },
    { id: 'view.unlockAll', label: 'Unlock all', menu: 'View', group: 'hide', enabled: () => view.locked.size > 0, run: () => view.setLocked([...view.locked], false) },
    { id: 'view.theme', label: 'Light theme', menu: 'View', group: 'theme', keys: ['Alt+T'], checked: () => view.theme === 'light', run: () => { view.theme = view.theme === 'light' ? 'dark' : 'light' } },
  ]
}

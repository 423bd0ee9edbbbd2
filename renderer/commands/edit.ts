import { useDocument } from '../state/document'
import { clipOf, deleteElements, nameOf, pasteClip, type Clip } from '../state/editing'
import { ARRANGEMENTS, useArrange } from '../state/arrange'
import { useGroups } from '../state/groups'
import { bodiesOf, positionOf } from '../state/scene-access'
import { movePickedPoint } from '../state/move-point'
import { nudge } from '../state/nudge'
import { useSettle } from '../state/settle'
import { useLive } from '../state/live'
import { useShell } from '../state/shell'
import type { Vec3 } from '../../core/math/vector'
import { useSelection } from '../state/selection'
import { useView } from '../state/view'
import { useViewportApi } from '../state/viewport-api'
import { isPlanar, layIntoPlane } from '../modelling/plane'
import { shallowRef } from 'vue'
import type { Command } from './registry'

const PASTE_SHIFT = [0.25, 0.25, 0] as const
/** In two dimensions nothing moves along y: the arrows up and down move along z. */
const NUDGES = [
  ['+x', 0, 1, 'Ctrl+ArrowRight'], ['−x', 0, -1, 'Ctrl+ArrowLeft'], ['+y', 1, 1, 'Ctrl+ArrowUp'], ['−y', 1, -1, 'Ctrl+ArrowDown'],
  ['+z', 2, 1, 'Ctrl+Shift+ArrowUp'], ['−z', 2, -1, 'Ctrl+Shift+ArrowDown'],
] as const

export function editCommands(): Command[] {
  const document = useDocument()
  const selection = useSelection()
  const view = useView()
  const arrange = useArrange()
  const shell = useShell()
  const live = useLive()
  const viewport = useViewportApi()
  const settle = useSettle()
  const groups = useGroups()
  /** Clipboard of this window. The system clipboard gets the same content as text for other windows and programs. */
  const clip = shallowRef<Clip | null>(null)
  const some = () => selection.ids.length > 0
  /** Elements of a run alone can be seen, but not edited. */
  const editable = () => selection.ids.some(id => document.has(id))
  const droppable = () => [...selection.bodies, ...selection.deformables]

  async function copy() {
    clip.value = clipOf(document.scene, selection.idSet)
    await navigator.clipboard?.writeText(JSON.stringify(clip.value, null, 2)).catch(() => undefined)
  }

  /** The last copies and their originals: if the user moved these copies, the next ones are displaced by the same vector. */
  let lastCopies: { readonly of: readonly string[]; readonly copies: readonly string[] } | null = null

  function duplicate() {
    const sources = selection.bodies
    const shift = lastMove(sources) ?? PASTE_SHIFT
    pasteClip(`duplicate ${nameOf(selection.ids)}`, clipOf(document.scene, selection.idSet), shift)
    lastCopies = sources.length > 0 ? { of: sources, copies: selection.bodies } : null
  }

  /** Displacement of the selected bodies from their originals if they are the last copies; else null. */
  function lastMove(sources: readonly string[]): Vec3 | null {
    if (!lastCopies || lastCopies.copies.length !== sources.length || !lastCopies.copies.every((id, i) => id === sources[i])) return null
    const [from, to] = [document.element('bodies', lastCopies.of[0]!), document.element('bodies', sources[0]!)]
    if (!from || !to) return null
    const [p, q] = [positionOf(from), positionOf(to)]
    return [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
  }

  function toggleDimensions() {
    if (isPlanar(document.scene)) {
      document.edit('three dimensions', draft => { delete draft.simulation!.dimensions })
      return
    }
    document.edit('two dimensions', layIntoPlane)
    viewport.api?.setStandardView('front')
    viewport.api?.setOrthographic(true)
  }

  return [
    {
      id: 'edit.undo', label: 'Undo', menu: 'Edit', group: 'history', keys: ['Ctrl+Z'], enabled: () => document.canUndo,
      dynamicLabel: () => document.undoLabel ? `Undo ${document.undoLabel}` : 'Undo', run: () => document.undo(),
    },
    {
      id: 'edit.redo', label: 'Redo', menu: 'Edit', group: 'history', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'], enabled: () => document.canRedo,
      dynamicLabel: () => document.redoLabel ? `Redo ${document.redoLabel}` : 'Redo', run: () => document.redo(),
    },
    { id: 'edit.cut', label: 'Cut', menu: 'Edit', group: 'clipboard', keys: ['Ctrl+X'], enabled: editable, run: async () => {
      await copy()
      deleteElements(selection.ids)
    } },
    { id: 'edit.copy', label: 'Copy', menu: 'Edit', group: 'clipboard', keys: ['Ctrl+C'], enabled: editable, run: copy },
    {
      id: 'edit.paste', label: 'Paste', menu: 'Edit', group: 'clipboard', keys: ['Ctrl+V'], enabled: () => clip.value !== null,
      run: () => { if (clip.value) pasteClip('paste', clip.value, PASTE_SHIFT) },
    },
    {
      id: 'edit.duplicate', label: 'Duplicate', menu: 'Edit', group: 'clipboard', keys: ['Ctrl+D'], enabled: editable,
      help: 'With the joints and springs among the selected bodies. After moving the copy, repeats the same move.',
      run: duplicate,
    },
    {
      id: 'edit.delete', label: 'Delete', menu: 'Edit', group: 'clipboard', keys: ['Delete', 'Backspace'], enabled: () => live.run === null ? editable() : some(),
      help: 'Joints and forces of deleted bodies go with them.', run: deleteSelected,
    },
    ...ARRANGEMENTS.map(([kind, label, help]): Command => ({
      id: `arrange.${kind}`, label: `${label}…`, menu: 'Edit', group: 'arrange', submenu: 'Array', help, run: () => {
        arrange.apply()
        arrange.kind = kind
        shell.openPanel('arrange')
      },
    })),
    ...(['x', 'y', 'z'] as const).map((axis, k): Command => ({
      id: `arrange.align.${axis}`, label: `Align middles along ${axis}`, menu: 'Edit', group: 'arrange', submenu: 'Align', enabled: () => arrange.pieces.length > 1,
      run: () => arrange.align(k, 'middle'),
    })),
    ...(['x', 'y', 'z'] as const).map((axis, k): Command => ({
      id: `arrange.distribute.${axis}`, label: `Distribute along ${axis}`, menu: 'Edit', group: 'arrange', submenu: 'Align', help: 'Equal gaps; the outermost stay.',
      enabled: () => arrange.pieces.length > 2, run: () => arrange.distribute(k),
    })),
    {
      id: 'edit.group', label: 'Group', menu: 'Edit', group: 'group', keys: ['Ctrl+G'], enabled: () => selection.bodies.length > 0,
      help: 'Objects of a group are selected and moved together; a double click selects one of its bodies.', run: () => groups.group(),
    },
    {
      id: 'edit.ungroup', label: 'Ungroup', menu: 'Edit', group: 'group', keys: ['Ctrl+Shift+G'], enabled: groups.hasGroup,
      help: 'Its members stay.', run: () => groups.ungroup(),
    },
    ...NUDGES.map(([label, axis, sense, key]): Command => ({
      id: `edit.nudge.${label.replace('−', '-')}`, label: `Move along ${label}`, menu: 'Edit', group: 'arrange', submenu: 'Move', keys: [key],
      dynamicLabel: () => `Move along ${isPlanar(document.scene) ? label.replace('y', 'z') : label}`, enabled: () => editable() && !(axis === 2 && isPlanar(document.scene)),
      help: 'By the increment of drags, onto its grid if snapping is on.', run: () => nudge(axis === 1 && isPlanar(document.scene) ? 2 : axis, sense),
    })),
    {
      id: 'edit.movePoint', label: 'Move point to point…', menu: 'Edit', group: 'arrange', submenu: 'Move', keys: ['Shift+V'], enabled: () => bodiesOf(document.scene).length > 0,
      help: 'Click a corner, centre or edge of a body, then the point to which it moves.', run: movePickedPoint,
    },
    {
      id: 'edit.drop', label: 'Drop to rest', menu: 'Edit', group: 'arrange', keys: ['G'], enabled: () => droppable().length > 0 && settle.job === null,
      help: 'The selected bodies fall under gravity alone until they rest on the others, which stand still; an instance falls as one, and a deformable keeps its shape. Out of an overlap they are lifted first. Fixed and kinematic bodies alone are moved straight down.', run: () => settle.drop(droppable()),
    },
    {
      id: 'edit.putDown', label: 'Put down', menu: 'Edit', group: 'arrange', keys: ['Shift+G'], enabled: () => droppable().length > 0 && settle.job === null,
      help: 'What is selected moves straight down as one, without turning, until it touches something: a ball stays where it is on a slope.', run: () => settle.drop(droppable(), true),
    },
    {
      id: 'edit.dimensions', label: 'Two dimensions', menu: 'Edit', group: 'scene', checked: () => isPlanar(document.scene),
      help: 'Moves everything into the plane y = 0, where it moves and rotates only in that plane: prisms and cylinders along y are polygons and discs.', run: toggleDimensions,
    },
    {
      id: 'edit.selectAll', label: 'Select all bodies', menu: 'Edit', group: 'select', keys: ['Ctrl+A'], enabled: () => bodiesOf(document.scene).length > 0,
      run: () => selection.select(bodiesOf(document.scene).map(body => body.id).filter(id => !view.locked.has(id) && !view.hidden.has(id))),
    },
    { id: 'edit.deselect', label: 'Deselect', menu: 'Edit', group: 'select', keys: ['Escape'], enabled: () => some() || selection.contact !== null, run: () => selection.clear() },
    {
      id: 'edit.invert', label: 'Invert selection', menu: 'Edit', group: 'select', keys: ['Ctrl+I'],
      run: () => selection.select(bodiesOf(document.scene).map(body => body.id).filter(id => !selection.idSet.has(id))),
    },
  ]

  function deleteSelected() {
    if (live.run !== null) {
      void live.remove(selection.ids)
      return
    }
    const shape = selection.shape
    if (!shape) {
      deleteElements(selection.ids)
      return
    }
    document.edit('delete shape', draft => {
      const place = document.place(shape.body)
      if (place) draft.bodies?.[place.index]?.shapes?.splice(shape.shape, 1)
    })
    selection.select([shape.body])
  }
}

/**
 * An array of the selected bodies that remains editable until it is applied. Each change of its parameters replaces the former copies;
 * together they are one undo entry. Any other edit applies the array.
 */

import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Vec3 } from '../../core/math/vector'
import { freshIds, isCarriedBy, ownerOf, PlacementFault, type Body, type Deformable, type Scene } from '../../core/scene'
import { arrayCopies, type ArraySources } from '../modelling/array-copies'
import { archStones, placements, type ArrayKind, type ArrayNumbers } from '../modelling/arrays'
import { alignShifts, distributeShifts, type Edge } from '../modelling/align'
import { boxOfAll, type Box } from '../modelling/extents'
import { piecesOf } from '../modelling/pieces'
import { applyPoses } from '../modelling/poses-edit'
import { tidy } from '../viewport/gizmos/snapping'
import { useDocument } from './document'
import { clipOf, materialForNewShape } from './editing'
import { freeNames } from './free-names'
import { bodiesOf, instancesOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useView } from './view'

export type Arrangement = ArrayKind | 'arch'

export const ARRANGEMENTS: readonly (readonly [Arrangement, string, string])[] = [
  ['linear', 'Linear', 'Copies in a row, one step apart.'], ['stack', 'Stack', 'Copies one on top of the other.'], ['grid', 'Grid', 'Copies in columns, rows and layers.'],
  ['circle', 'Circle', 'Copies around a point, each rotated with its position.'], ['curve', 'Along a curve', 'Copies one behind the other, like dominoes.'],
  ['wall', 'Wall', 'Courses of bricks, each shifted by half a brick.'], ['pyramid', 'Pyramid', 'Courses of bricks, each with one brick fewer.'],
  ['arch', 'Arch', 'A semicircular arch of new stones: no selection is needed.'],
]

export const useArrange = defineStore('arrange', () => {
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const view = useView()

  const kind = ref<Arrangement>('linear')
  const numbers = reactive<ArrayNumbers & { thickness: number; depth: number }>({
    count: 10, columns: 8, rows: 5, layers: 1, gap: 0, step: [1, 0, 0], radius: 2, angle: 2 * Math.PI, curve: 'arc', thickness: 0.5, depth: 0.6,
  })
  /** The copied elements, and the scene with the current copies; null if no array is being edited. */
  const open = shallowRef<{ readonly sources: Sources; readonly made: Scene } | null>(null)
  /** Whether this array is still the last entry of the history. */
  const editable = computed(() => open.value !== null && open.value.made === document.scene)
  const chosen = computed(() => bodiesOf(document.scene).filter(body => selection.idSet.has(body.id)))
  const deformables = computed(() => (document.scene.deformables ?? []).filter(({ id }) => selection.idSet.has(id)))
  const box = computed(() => boxOfAll(chosen.value, deformables.value))
  /** m: size of the selection, rounded: the suggested numbers depend on it. */
  const extent = computed(() => box.value ? [0, 1, 2].map(k => round(box.value!.high[k]! - box.value!.low[k]!)).join(' ') : '')
  const possible = computed(() => kind.value === 'arch' || box.value !== null)

  /** Sets initial parameters that fit the selection. */
  function suggest() {
    if (!box.value) return
    const { low, high } = box.value
    const [x, y] = [high[0] - low[0], high[1] - low[1]]
    numbers.step = [round(x * 1.5), 0, 0]
    numbers.gap = kind.value === 'curve' ? round(Math.min(x, y) * 2) : 0
    numbers.radius = round(Math.max(x, y) * 4)
    numbers.angle = kind.value === 'curve' ? Math.PI / 2 : 2 * Math.PI
  }

  function make(): boolean {
    if (!possible.value) return false
    const instances = instancesOf(document.scene).filter(({ id }) => selection.idSet.has(id))
    const whole = new Set(instances.map(({ id }) => id))
    const bodies = chosen.value.filter(({ id }) => ownerOf(whole, id) === null)
    const isCopied = (id: string) => selection.idSet.has(id) || ownerOf(whole, id) !== null
    const isChosen = (one: Deformable) => selection.idSet.has(one.id) || isCarriedBy(one, isCopied)
    const soft = (document.scene.deformables ?? []).filter(one => ownerOf(whole, one.id) === null && isChosen(one))
    const { joints, forces } = clipOf(document.scene, selection.idSet)
    return build({ box: box.value, bodies, instances, deformables: soft, joints, forces })
  }

  function build(sources: Sources): boolean {
    const label = `${ARRANGEMENTS.find(([one]) => one === kind.value)![1].toLowerCase()} array`
    const copies = kind.value === 'arch' ? null : copiesOf(sources)
    if (typeof copies === 'string') {
      shell.notify(copies, { kind: 'error' })
      return false
    }
    const done = document.edit(label, draft => {
      draft.bodies ??= []
      if (copies === null) {
        draft.bodies.push(...stones(draft))
        return
      }
      for (const collection of ['bodies', 'instances', 'deformables', 'joints', 'forces'] as const) {
        if (copies[collection].length > 0) (draft[collection] as unknown[]).push(...copies[collection])
      }
    })
    open.value = done ? { sources, made: document.scene } : null
    return done
  }

  /** Or why there are none. */
  function copiesOf(sources: Sources) {
    const { low, high } = sources.box!
    const size = [0, 1, 2].map(k => high[k]! - low[k]!) as unknown as Vec3
    try {
      return arrayCopies(sources, placements(kind.value as ArrayKind, numbers, size).slice(1), freshIds(document.scene), freeNames(document.scene))
    } catch (fault) {
      if (fault instanceof PlacementFault) return `${fault.message}.`
      throw fault
    }
  }

  function stones(scene: Scene): Body[] {
    const material = materialForNewShape(scene)
    const makeId = freshIds(scene)
    const [x, y] = view.camera.target
    return archStones(Math.round(numbers.count), numbers.radius, numbers.thickness, numbers.depth).map(({ points, middle }): Body => {
      const id = makeId('stone')
      return { id, position: [middle[0] + x, middle[1] + y, middle[2]], shapes: [{ type: 'convexHull', points: points.map(p => [...p]), material }] }
    })
  }

  watch([kind, numbers], () => {
    const present = open.value
    if (!present || !editable.value) return
    document.undo()
    build(present.sources)
  }, { deep: true })

  /** Keeps the copies as they are. */
  function apply() { open.value = null }
  function cancel() {
    if (editable.value) document.undo()
    open.value = null
  }

  /** In order of selection: the others are aligned to the last one. */
  const pieces = computed(() => piecesOf(document.scene, selection.ids))

  function shiftAll(label: string, axis: number, shiftsOf: (boxes: readonly Box[]) => number[]) {
    const boxed = pieces.value.flatMap(piece => {
      const box = boxOfAll(piece.bodies)
      return box ? [{ piece, box }] : []
    })
    if (boxed.length < 2) return
    const before = document.scene
    const shifts = shiftsOf(boxed.map(({ box }) => box))
    const poses = new Map(boxed.flatMap(({ piece: { moved } }, i) => [...moved].map(([id, { position: [x, y, z], orientation }]) => {
      const position: [number, number, number] = [x, y, z]
      if (shifts[i] !== 0) position[axis] = tidy(position[axis]! + shifts[i]!)
      return [id, { position, orientation }] as const
    })))
    document.edit(label, draft => applyPoses(draft, before, poses))
  }
  const align = (axis: number, edge: Edge) => shiftAll('align', axis, boxes => alignShifts(boxes, axis, edge))
  const distribute = (axis: number) => shiftAll('distribute', axis, boxes => distributeShifts(boxes, axis))

  return { kind, numbers, open, editable, possible, extent, pieces, suggest, make, apply, cancel, align, distribute }
})

/** The elements that an array copies, and the box around them; null for an arch. */
type Sources = ArraySources & { readonly box: Box | null }

const round = (x: number) => Math.round(x * 1000) / 1000

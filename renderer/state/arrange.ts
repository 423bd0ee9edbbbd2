/**
 * An array of the selected bodies that remains editable until it is applied. Each change of its parameters replaces the former copies;
 * together they are one undo entry. Any other edit applies the array.
 */

import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { multiplyQuaternions, normalizeQuaternion } from '../../core/math/quaternion'
import { freshIds, ownerOf, type Body, type Instance, type Scene } from '../../core/scene'
import { archStones, placements, type ArrayKind, type ArrayNumbers } from '../modelling/arrays'
import { alignShifts, distributeShifts, type Edge } from '../modelling/align'
import { boxOfAll, type Box } from '../modelling/extents'
import { piecesOf } from '../modelling/pieces'
import { applyPoses } from '../modelling/poses-edit'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { bodiesOf, instancesOf, orientationOf, positionOf } from './scene-access'
import { useSelection } from './selection'
import { useView } from './view'

export type Arrangement = ArrayKind | 'arch'

export const ARRANGEMENTS: readonly (readonly [Arrangement, string, string])[] = [
  ['linear', 'Linear', 'Copies in a row, one step apart.'], ['stack', 'Stack', 'Copies one on top of the other.'], ['grid', 'Grid', 'Copies in columns, rows and layers.'],
  ['circle', 'Circle', 'Copies around a point, each turned with it.'], ['curve', 'Along a curve', 'Copies one behind the other, like dominoes.'],
  ['wall', 'Wall', 'Courses of bricks, each half a brick beside the one below.'], ['pyramid', 'Pyramid', 'Courses of one brick fewer each.'],
  ['arch', 'Arch', 'A half-round arch of stones of its own: nothing needs to be selected.'],
]

export const useArrange = defineStore('arrange', () => {
  const document = useDocument()
  const selection = useSelection()
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
  const possible = computed(() => kind.value === 'arch' || boxOfAll(chosen.value) !== null)

  /** Sets initial parameters that fit the selection. */
  function suggest() {
    const box = boxOfAll(chosen.value)
    if (!box) return
    const [x, y] = [box.high[0] - box.low[0], box.high[1] - box.low[1]]
    numbers.step = [round(x * 1.5), 0, 0]
    numbers.gap = kind.value === 'curve' ? round(Math.min(x, y) * 2) : 0
    numbers.radius = round(Math.max(x, y) * 4)
    numbers.angle = kind.value === 'curve' ? Math.PI / 2 : 2 * Math.PI
  }

  function make(): boolean {
    if (!possible.value) return false
    const instances = instancesOf(document.scene).filter(({ id }) => selection.idSet.has(id))
    const whole = new Set(instances.map(({ id }) => id))
    return build({ shown: chosen.value, bodies: chosen.value.filter(({ id }) => ownerOf(whole, id) === null), instances })
  }

  function build(sources: Sources): boolean {
    const label = `${ARRANGEMENTS.find(([one]) => one === kind.value)![1].toLowerCase()} array`
    const done = document.edit(label, draft => {
      draft.bodies ??= []
      if (kind.value === 'arch') {
        draft.bodies.push(...stones(draft))
        return
      }
      const copies = copiesOf(draft, sources)
      draft.bodies.push(...copies.bodies)
      if (copies.instances.length > 0) draft.instances!.push(...copies.instances)
    })
    open.value = done ? { sources, made: document.scene } : null
    return done
  }

  function copiesOf(scene: Scene, { shown, bodies, instances }: Sources): { bodies: Body[]; instances: Instance[] } {
    const box = boxOfAll(shown)!
    const size = [0, 1, 2].map(k => box.high[k]! - box.low[k]!) as unknown as [number, number, number]
    const makeId = freshIds(scene)
    const places = placements(kind.value as ArrayKind, numbers, size).slice(1)
    const copied = <T extends Body | Instance>(sources: readonly T[]) => places.flatMap(({ shift, turn }) => sources.map((source): T => {
      const id = makeId(source.id)
      const p = positionOf(source)
      const copy: T = { ...structuredClone(source), id, position: [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]] }
      if (turn[3] !== 1) copy.orientation = normalizeQuaternion(multiplyQuaternions(turn, orientationOf(source)))
      delete copy.name
      return copy
    }))
    return { bodies: copied(bodies), instances: copied(instances) }
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
      position[axis] = position[axis]! + shifts[i]!
      return [id, { position, orientation }] as const
    })))
    document.edit(label, draft => applyPoses(draft, before, poses))
  }
  const align = (axis: number, edge: Edge) => shiftAll('align', axis, boxes => alignShifts(boxes, axis, edge))
  const distribute = (axis: number) => shiftAll('distribute', axis, boxes => distributeShifts(boxes, axis))

  return { kind, numbers, open, editable, possible, pieces, suggest, make, apply, cancel, align, distribute }
})

/** The elements that an array copies; `shown` are those with an extent. */
interface Sources {
  readonly shown: readonly Body[]
  readonly bodies: readonly Body[]
  readonly instances: readonly Instance[]
}

const round = (x: number) => Math.round(x * 1000) / 1000

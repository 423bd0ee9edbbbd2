/** Vertex mode: the edited deformable, its selected vertices, and edits of them. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { toOuter } from '../../core/math/pose'
import { distance, type Vec3 } from '../../core/math/vector'
import { resolveDeformable, type Deformable, type DeformableOf } from '../../core/scene'
import { combTowards, outsideOf, resizeStrands, strandLength, strandsOf } from '../modelling/hair-edit'
import { attachVertices, conditionFor, constrainVertices, controlVertices, drawVertices, paintable, paintedFactors, paintVertices, pinVertices, releaseVertices, seamsBetween, sew, unpick, weighVertices, type JoinedPlace, type PaintedStiffness } from '../modelling/vertices-edit'
import { useDocument } from './document'
import { sizeOf, sizesFor } from './new-hair'
import { usePick } from './pick'
import { orientationOf, positionOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import type { Hit } from './viewport-api'

/** What a drag does; the last three are for hair. */
export type VertexTool = 'box' | 'brush' | 'paint' | 'grow' | 'comb' | 'length'
/** Directions of the world in which chosen strands are combed without a brush. */
export const COMB_DIRECTIONS: Readonly<Record<string, Vec3>> = { 'x': [1, 0, 0], '−x': [-1, 0, 0], 'y': [0, 1, 0], '−y': [0, -1, 0], 'z': [0, 0, 1], '−z': [0, 0, -1] }
const HAIR_TOOLS: readonly VertexTool[] = ['grow', 'comb', 'length']

export const useVertices = defineStore('vertices', () => {
  const document = useDocument()
  const pick = usePick()
  const selection = useSelection()
  const shell = useShell()

  /** Id of the deformable; null outside vertex mode. */
  const of = ref<string | null>(null)
  const chosen = shallowRef<ReadonlySet<number>>(new Set())
  /** Body on which the first stroke will make hair; null otherwise. */
  const newHairOn = ref<string | null>(null)
  const wantedTool = ref<VertexTool>('box')
  /** CSS pixels. */
  const brushRadius = ref(24)

  const deformable = computed(() => of.value === null ? undefined : document.element('deformables', of.value))
  const stiffnesses = computed(() => deformable.value ? paintable(deformable.value) : [])
  const tools = computed<readonly VertexTool[]>(() => newHairOn.value !== null ? ['grow']
    : ['box', 'brush', ...stiffnesses.value.length > 0 ? ['paint' as const] : [], ...deformable.value?.type === 'hair' ? HAIR_TOOLS : []])
  const tool = computed({
    get: () => tools.value.includes(wantedTool.value) ? wantedTool.value : newHairOn.value !== null ? 'grow' : 'brush',
    set: next => { wantedTool.value = next },
  })
  const wantedPaints = ref<PaintedStiffness>('stretch')
  const paints = computed({
    get: () => stiffnesses.value.includes(wantedPaints.value) ? wantedPaints.value : 'stretch',
    set: next => { wantedPaints.value = next },
  })
  /** m: length of strands that are grown or set, least distance of their roots, and radius of new hair. */
  const hairLength = ref(0.1)
  const hairSpacing = ref(0.05)
  const hairRadius = ref(0.005)
  /** Factor of the stiffness that the brush paints. */
  const paintValue = ref(2)
  /** 0 … 1: how far one stroke takes factors or lengths to their value, and strands along with the pointer. */
  const paintStrength = ref(1)
  const factors = computed(() => deformable.value ? paintedFactors(deformable.value, paints.value) : null)
  const isPainted = computed(() => factors.value?.some(factor => factor !== 1) ?? false)
  const isActive = computed(() => of.value !== null || newHairOn.value !== null)
  /** Whether the scene has bodies or other deformables. */
  const hasOthers = computed(() => (document.scene.bodies ?? []).length > 0 || (document.scene.deformables ?? []).some(({ id }) => id !== of.value))
  const count = computed(() => deformable.value ? deformableShape(resolveDeformable(deformable.value)).vertices.length : 0)
  const pinned = computed<ReadonlySet<number>>(() => new Set(deformable.value?.pins ?? []))
  const controlled = computed<ReadonlySet<number>>(() => new Set((deformable.value?.controlled ?? []).flatMap(({ vertices }) => vertices)))
  const attached = computed<ReadonlySet<number>>(() => new Set((deformable.value?.attachments ?? []).flatMap(({ vertex }) => vertex ?? [])))
  const sewn = computed<ReadonlySet<number>>(() => new Set(deformable.value?.type === 'cloth' ? (deformable.value.seams ?? []).flat() : []))
  /** kg, of the selected particles; null if they differ or come from a density. */
  const mass = computed(() => {
    const one = deformable.value
    if (one?.type !== 'particles') return null
    const masses = new Set([...chosen.value].map(vertex => one.particles[vertex]?.mass))
    return masses.size === 1 ? [...masses][0] ?? null : null
  })

  function start(id: string) {
    const one = document.element('deformables', id)
    if (one?.type === 'hair' && newHairOn.value === null) sizeBrush(one)
    newHairOn.value = null
    of.value = id
    chosen.value = new Set()
    selection.select([id])
  }

  /** Sizes as those of the hair: the mean length, and the distance of a strand from its neighbour. */
  function sizeBrush({ strands }: DeformableOf<'hair'>) {
    const long = strands.reduce((sum, { points }) => sum + strandLength(points), 0) / strands.length
    const [first, ...others] = strands.map(({ points }) => points[0]!)
    const apart = others.reduce((least, root) => Math.min(least, distance(root, first!) || Infinity), Infinity)
    hairLength.value = Number(long.toPrecision(3))
    hairSpacing.value = Number((apart < Infinity ? apart : long / 2).toPrecision(3))
  }

  /** Waits for a stroke on the body, which makes hair. */
  function beginHair(body: string) {
    const found = document.element('bodies', body)
    if (!found) return
    stop()
    const size = sizeOf(found)
    // A half-space has no size.
    const sizes = sizesFor(size > 0 ? size : 1)
    hairLength.value = sizes.long
    hairSpacing.value = sizes.spacing
    hairRadius.value = sizes.radius
    newHairOn.value = body
    selection.select([body])
  }

  function stop() {
    of.value = null
    newHairOn.value = null
    chosen.value = new Set()
  }

  function choose(vertices: Iterable<number>, how: 'replace' | 'add' | 'toggle' | 'remove' = 'replace') {
    const next = new Set(how === 'replace' ? [] : chosen.value)
    for (const vertex of vertices) {
      if (how === 'remove' || (how === 'toggle' && next.has(vertex))) next.delete(vertex)
      else next.add(vertex)
    }
    chosen.value = next
  }

  /** One undo entry; the document reports refused edits. */
  function edit(label: string, change: (draft: Deformable) => void): boolean {
    const id = of.value
    return id !== null && document.edit(label, draft => {
      const found = draft.deformables?.find(one => one.id === id)
      if (found) change(found)
    })
  }

  const pin = () => edit('pin vertices', draft => pinVertices(draft, chosen.value))
  const control = () => edit('move vertices on a path', draft => controlVertices(draft, chosen.value))
  /** Adds a behaviour or an exact constraint of the chosen vertices. */
  function condition(exact: boolean) {
    const found = deformable.value && conditionFor(deformable.value, chosen.value)
    if (!found) return shell.notify('A condition has at most 100 vertices: choose fewer')
    edit(exact ? 'constrain vertices' : 'add a behaviour', draft => (exact ? constrainVertices : drawVertices)(draft, found))
  }
  const release = () => edit('release vertices', draft => releaseVertices(draft, chosen.value))
  const setMass = (kilograms: number) => edit('set mass of particles', draft => weighVertices(draft, chosen.value, kilograms))
  const shareOf = (vertices: Iterable<number>, share: number) => new Map([...vertices].map(vertex => [vertex, share]))
  const paintChosen = (value: number) => edit('paint stiffness', draft => paintVertices(draft, paints.value, shareOf(chosen.value, 1), value))
  const clearPaint = () => edit('clear painted stiffness', draft => paintVertices(draft, paints.value, shareOf(Array(count.value).keys(), 1), 1))
  const setLengthOfChosen = () => edit('set length of hair', draft => {
    if (draft.type === 'hair') resizeStrands(draft, shareOf(strandsOf(draft, chosen.value), 1), hairLength.value)
  })
  const combDirection = ref('−z')
  const combChosen = () => edit('comb hair', draft => {
    if (draft.type !== 'hair') return
    const { radius = hairRadius.value } = draft
    combTowards(draft, strandsOf(draft, chosen.value), COMB_DIRECTIONS[combDirection.value]!, paintStrength.value,
      body => outsideOf(body === undefined || body === null ? undefined : document.element('bodies', body), radius))
  })
  const takeSeamsOut = () => edit('unpick seams', draft => unpick(draft, chosen.value))

  async function attach() {
    const one = deformable.value
    if (!one) return
    const hit = await pick.ask({ prompt: `Click the body that holds ${chosen.value.size} of ${titleOf(one)}`, what: 'body' })
    if (hit && of.value === one.id) edit('attach vertices', draft => attachVertices(draft, chosen.value, hit.body))
  }

  /** Constrains the chosen vertices exactly together with a vertex of another deformable, or a point of a body. */
  async function join() {
    const one = deformable.value
    if (!one) return
    const hit = await pick.ask({ prompt: 'Click a vertex of another deformable, or a point of a body', what: 'place', without: one.id })
    const joined = hit && placeOf(hit)
    if (!joined || of.value !== one.id) return
    const found = conditionFor(one, chosen.value, [joined])
    if (!found) return shell.notify('A condition has at most 100 vertices: choose fewer')
    // A body has no mass of its own at a point.
    if (found.type === 'centre' && joined.place.type === 'bodyPoint') return shell.notify('Choose one, two or three vertices that are not on a line with the point')
    edit('join vertices', draft => constrainVertices(draft, found))
  }

  /** The place that was clicked, and where it is in the document: a recorded frame may be shown. */
  function placeOf({ body, vertex, inBody, point }: Hit): JoinedPlace | null {
    if (vertex !== undefined) {
      const other = document.element('deformables', body)
      return other ? { place: { type: 'vertex', deformable: body, vertex }, at: deformableShape(resolveDeformable(other)).vertices[vertex]! } : null
    }
    const found = document.element('bodies', body)
    if (!found) return null
    const [x, y, z] = (inBody ?? point).map(value => Number(value.toPrecision(9))) as [number, number, number]
    return { place: { type: 'bodyPoint', body, point: [x, y, z] }, at: toOuter({ position: positionOf(found), orientation: orientationOf(found) }, [x, y, z]) }
  }

  function sewTogether() {
    const one = deformable.value
    if (!one) return
    const seams = seamsBetween(one, chosen.value)
    if (seams.length === 0) shell.notify('No two of the chosen vertices lie in the same place')
    else edit('sew vertices', draft => sew(draft, seams))
  }

  watch(() => [selection.idSet, deformable.value] as const, ([ids, one]) => {
    if (of.value !== null && (!one || !ids.has(of.value))) stop()
    if (newHairOn.value !== null && !ids.has(newHairOn.value)) newHairOn.value = null
  })
  watch(count, all => {
    if ([...chosen.value].some(vertex => vertex >= all)) chosen.value = new Set([...chosen.value].filter(vertex => vertex < all))
  })

  return {
    of, newHairOn, isActive, chosen, tool, tools, brushRadius, stiffnesses, hairLength, hairSpacing, hairRadius,
    setLengthOfChosen, combDirection, combChosen, beginHair,
    paints, paintValue, paintStrength, factors, isPainted, paintChosen, clearPaint,
    deformable, hasOthers, count, pinned, controlled, attached, sewn, mass,
    start, stop, choose, pin, control, condition, release, attach, join, sewTogether, takeSeamsOut, setMass,
  }
})

/** Vertex mode: the edited deformable, its selected vertices, and edits of them. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { resolveDeformable, type Deformable } from '../../core/scene'
import { attachVertices, paintedFactors, paintVertices, pinVertices, releaseVertices, seamsBetween, sew, unpick, weighVertices, type PaintedStiffness } from '../modelling/vertices-edit'
import { useDocument } from './document'
import { usePick } from './pick'
import { titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'

export const useVertices = defineStore('vertices', () => {
  const document = useDocument()
  const pick = usePick()
  const selection = useSelection()
  const shell = useShell()

  /** Id of the deformable; null outside vertex mode. */
  const of = ref<string | null>(null)
  const chosen = shallowRef<ReadonlySet<number>>(new Set())
  const wantedTool = ref<'box' | 'brush' | 'paint'>('box')
  /** CSS pixels. */
  const brushRadius = ref(24)

  const deformable = computed(() => of.value === null ? undefined : document.element('deformables', of.value))
  /** Only cloth can be painted. */
  const tool = computed({
    get: () => wantedTool.value === 'paint' && deformable.value?.type !== 'cloth' ? 'brush' : wantedTool.value,
    set: next => { wantedTool.value = next },
  })
  const paints = ref<PaintedStiffness>('stretch')
  /** Factor of the stiffness that the brush paints. */
  const paintValue = ref(2)
  /** 0 … 1: how far one stroke takes factors to that value. */
  const paintStrength = ref(1)
  const factors = computed(() => deformable.value ? paintedFactors(deformable.value, paints.value) : null)
  const isPainted = computed(() => factors.value?.some(factor => factor !== 1) ?? false)
  const count = computed(() => deformable.value ? deformableShape(resolveDeformable(deformable.value)).vertices.length : 0)
  const pinned = computed<ReadonlySet<number>>(() => new Set(deformable.value?.pins ?? []))
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
    of.value = id
    chosen.value = new Set()
    selection.select([id])
  }

  function stop() {
    of.value = null
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
  const release = () => edit('release vertices', draft => releaseVertices(draft, chosen.value))
  const setMass = (kilograms: number) => edit('set mass of particles', draft => weighVertices(draft, chosen.value, kilograms))
  const shareOf = (vertices: Iterable<number>, share: number) => new Map([...vertices].map(vertex => [vertex, share]))
  const paintChosen = (value: number) => edit('paint stiffness', draft => paintVertices(draft, paints.value, shareOf(chosen.value, 1), value))
  const clearPaint = () => edit('clear painted stiffness', draft => paintVertices(draft, paints.value, shareOf(Array(count.value).keys(), 1), 1))
  const takeSeamsOut = () => edit('unpick seams', draft => unpick(draft, chosen.value))

  async function attach() {
    const one = deformable.value
    if (!one) return
    const hit = await pick.ask({ prompt: `Click the body that holds ${chosen.value.size} of ${titleOf(one)}`, what: 'body' })
    if (hit && of.value === one.id) edit('attach vertices', draft => attachVertices(draft, chosen.value, hit.body))
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
  })
  watch(count, all => {
    if ([...chosen.value].some(vertex => vertex >= all)) chosen.value = new Set([...chosen.value].filter(vertex => vertex < all))
  })

  return {
    of, chosen, tool, brushRadius, paints, paintValue, paintStrength, factors, isPainted, paintChosen, clearPaint,
    deformable, count, pinned, attached, sewn, mass,
    start, stop, choose, pin, release, attach, sewTogether, takeSeamsOut, setMass,
  }
})

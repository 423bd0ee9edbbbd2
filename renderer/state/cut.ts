/** The cut being prepared: its plane, the bodies that it would cut (the selected ones), and the edit. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { cutBodies, ModellingError, sectionsOf, type Cut } from '../../core/modelling'
import { normalize, type Vec3 } from '../../core/math/vector'
import type { Scene } from '../../core/scene'
import { boxOfAll } from '../modelling/extents'
import { isPlanar } from '../modelling/plane'
import { useDocument } from './document'
import { useLive } from './live'
import { usePlayback } from './playback'
import { useSelection } from './selection'
import { useShell } from './shell'

export const useCut = defineStore('cut', () => {
  const document = useDocument()
  const selection = useSelection()
  const shell = useShell()
  const live = useLive()
  const active = ref(false)
  /** m, world. */
  const point = shallowRef<Vec3>([0, 0, 0])
  /** As typed; need not be a unit vector. */
  const normal = shallowRef<Vec3>([1, 0, 0])

  const planar = computed(() => isPlanar(document.scene))
  const bodies = computed(() => active.value ? selection.bodies.flatMap(id => document.element('bodies', id) ?? []) : [])
  const box = computed(() => boxOfAll(bodies.value))
  const plane = computed(() => ({ point: point.value, normal: normal.value }))
  const sections = computed(() => normal.value.every(x => x === 0) ? [] : bodies.value.flatMap(body => sectionsOf(body, plane.value)))
  /** Why the cut is impossible; empty if it is possible. */
  const trouble = computed(() => {
    if (!active.value) return ''
    const made = attempt()
    return made instanceof ModellingError ? made.message : ''
  })

  function attempt(): Cut | ModellingError {
    try {
      return cutBodies(document.scene, selection.bodies, plane.value)
    } catch (error) {
      if (error instanceof ModellingError) return error
      throw error
    }
  }

  /** Starts with the plane through the middle of the selection, across its longest side. */
  function start() {
    usePlayback().returnToStart()
    active.value = true
    const around = box.value
    if (!around) return
    const sides = around.high.map((x, k) => x - around.low[k]!)
    if (planar.value) sides[1] = 0
    const longest = sides.indexOf(Math.max(...sides))
    normal.value = [longest === 0 ? 1 : 0, longest === 1 ? 1 : 0, longest === 2 ? 1 : 0]
    throughMiddle()
  }

  function stop() { active.value = false }

  function throughMiddle() {
    const around = box.value
    if (around) point.value = around.low.map((x, k) => tidy((x + around.high[k]!) / 2)) as unknown as Vec3
  }

  /** @param to in two dimensions its component out of the plane is dropped */
  function turn(to: Vec3) { normal.value = planar.value ? [to[0], 0, to[2]] : to }

  function apply() {
    const made = attempt()
    if (made instanceof ModellingError) return shell.notify(made.message, { kind: 'error' })
    const label = made.halves.length === 1 ? 'cut' : `cut ${made.halves.length} bodies`
    if (!document.edit(label, draft => made.apply(draft as Scene))) return
    stop()
    selection.select(made.halves.flat())
    for (const note of made.notes) shell.notify(note)
  }

  watch(() => [bodies.value.length, live.run] as const, ([count, run]) => {
    if (active.value && (count === 0 || run !== null)) stop()
  })

  const unit = computed(() => normalize(normal.value))
  return { active, point, normal, plane, planar, box, sections, trouble, unit, start, stop, throughMiddle, turn, apply }
})

/** Rounds to twelve significant digits, as a user would type. */
const tidy = (value: number): number => Number(value.toPrecision(12))

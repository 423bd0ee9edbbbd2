/** A rope that is about to be wound round a body: its course, and the edit. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { resampled } from '../../core/analysis/deformable-shape'
import { ShapeError } from '../../core/geometry/shape'
import { rotate } from '../../core/math/quaternion'
import { addScaled, normalize, type Vec3 } from '../../core/math/vector'
import { ModellingError, windRope, type RopeEnd, type WoundRope } from '../../core/modelling'
import type { Body, DeformableOf } from '../../core/scene'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { newElement } from './free-names'
import { useLive } from './live'
import { ROPE_RADIUS, ROPE_SEGMENT } from './new-rope'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { orientationOf } from './scene-access'
import { useSelection } from './selection'

/** Shapes with an axis of their own, along their z. */
const ROUND: ReadonlySet<string> = new Set(['cylinder', 'cone', 'capsule'])
/** Segments in a turn at least, and in a rope at most. */
const IN_A_TURN = 36
const MOST = 600
/** m: length of a free end at first. */
const HANGS = 0.5

type Rope = DeformableOf<'rope'>
/** An end at a point moves with its body, if it has one. */
export type WindEnd = RopeEnd & { readonly body?: string }

export const useWind = defineStore('wind', () => {
  const document = useDocument()
  const selection = useSelection()
  const pick = usePick()
  const live = useLive()
  /** Body that the rope goes round; null: none is being wound. */
  const round = ref<string | null>(null)
  /** The rope that is wound; null: a new one. */
  const rope = ref<string | null>(null)
  const axis = shallowRef<Vec3>([0, 1, 0])
  const turns = ref(0)
  const reversed = ref(false)
  const ends = shallowRef<readonly [WindEnd, WindEnd]>([{ hangs: HANGS }, { hangs: HANGS }])

  const active = computed(() => round.value !== null)
  const body = computed(() => document.element('bodies', round.value ?? '') as Body | undefined)
  const wound = computed((): WoundRope | null => tried.value instanceof Error ? null : tried.value)
  /** Why the rope cannot go so; empty if it can. */
  const trouble = computed(() => tried.value instanceof Error ? tried.value.message : '')
  const tried = computed((): WoundRope | Error | null => {
    if (!body.value) return null
    const { gravity = [0, 0, -9.81] } = document.scene
    const down: Vec3 = gravity.every(x => x === 0) ? [0, 0, -1] : normalize(gravity)
    try {
      const radius = ropeOf()?.radius ?? ROPE_RADIUS
      return windRope(body.value, { axis: axis.value, turns: turns.value, reversed: reversed.value, ends: ends.value, down, radius })
    } catch (error) {
      if (error instanceof ModellingError || error instanceof ShapeError) return error
      throw error
    }
  })

  function ropeOf(): Rope | undefined {
    const found = document.element('deformables', rope.value ?? '')
    return found?.type === 'rope' ? found : undefined
  }

  /** Starts with the selected body, and with the selected rope, whose ends stay where they are. */
  function start() {
    usePlayback().returnToStart()
    const of = document.element('bodies', selection.bodies[0]!) as Body
    rope.value = selection.deformables.find(id => document.element('deformables', id)?.type === 'rope') ?? null
    const { points } = ropeOf() ?? {}
    ends.value = points ? [{ point: points[0]! }, { point: points.at(-1)! }] : [{ hangs: HANGS }, { hangs: HANGS }]
    turns.value = 0
    reversed.value = false
    axis.value = axisOf(of)
    round.value = of.id
  }

  function stop() {
    round.value = null
  }

  const setEnd = (k: 0 | 1, end: WindEnd) => { ends.value = k === 0 ? [end, ends.value[1]] : [ends.value[0], end] }

  async function pickEnd(k: 0 | 1) {
    const hit = await pick.ask({ prompt: `Click where the rope ${k === 0 ? 'begins' : 'ends'}.`, what: 'point' })
    if (hit && active.value) setEnd(k, { point: rounded(addScaled(hit.point, hit.normal, ropeOf()?.radius ?? ROPE_RADIUS)), body: hit.body })
  }

  async function pickAxis() {
    const hit = await pick.ask({ prompt: 'Click an edge or a face: its direction becomes the axis.', what: 'direction' })
    if (hit && active.value) axis.value = rounded(hit.edge ?? hit.normal)
  }

  function apply() {
    const course = wound.value
    if (!course) return
    const old = ropeOf()
    const segments = Math.min(MOST, Math.ceil(course.length / Math.min(ROPE_SEGMENT, course.perimeter / IN_A_TURN)))
    // One point a vertex: the rope has its length at the start.
    const points = resampled(course.points, segments).map(rounded)
    const held = ends.value.flatMap(({ body: id }, k) => id === undefined ? [] : [{ vertex: k === 0 ? 0 : segments, body: id }])
    const made = old ?? newElement(document.scene, 'Rope', 'rope')
    const done = document.edit('wind rope', draft => {
      draft.deformables ??= []
      if (!old) {
        const material = materialForNewShape(draft)
        draft.deformables.push({ ...made, material, type: 'rope', radius: ROPE_RADIUS, damping: 0.005, points, segments, attachments: held })
        return
      }
      const place = (vertex: number) => Math.round(vertex / (old.segments ?? 32) * segments)
      const replaced = new Set(held.map(({ vertex }) => vertex))
      const target = draft.deformables.find(({ id }) => id === old.id) as Rope
      const kept = (old.attachments ?? []).map(one => ({ ...one, vertex: place(one.vertex!) })).filter(({ vertex }) => !replaced.has(vertex))
      Object.assign(target, { points, segments, attachments: [...kept, ...held] })
      if (old.pins) target.pins = old.pins.map(place).filter(vertex => !replaced.has(vertex))
    })
    if (!done) return
    stop()
    selection.select([made.id])
  }

  watch(() => [body.value === undefined, live.run] as const, ([gone, run]) => {
    if (active.value && (gone || run !== null)) stop()
  })

  return { active, body, rope, axis, turns, reversed, ends, wound, trouble, start, stop, setEnd, pickEnd, pickAxis, apply }
})

/** The axis of a round body in the world, or the horizontal y. */
function axisOf(body: Body): Vec3 {
  const shape = (body.shapes ?? []).find(({ type }) => ROUND.has(type))
  if (!shape) return [0, 1, 0]
  return rotate(orientationOf(body), rotate(orientationOf(shape), [0, 0, 1])).map(x => Math.abs(x) < 1e-12 ? 0 : Number(x.toPrecision(12))) as unknown as Vec3
}

const rounded = (point: Vec3): Vec3 => point.map(value => Math.round(value * 1e6) / 1e6) as unknown as Vec3

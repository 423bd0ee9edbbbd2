/**
 * Measuring in the viewport: what is being picked, and the measurements taken. They are fixed to features of bodies and vertices of deformables,
 * so that the values follow the displayed time. Not saved.
 */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { featuresOf, measureBetween, ownMeasures, placedFeature, type Feature } from '../../core/analysis/features'
import { solidsOf } from '../../core/analysis/solids'
import { composePoses, toInner, toOuter, type Pose } from '../../core/math/pose'
import { dot, normalize, sub, type Vec3 } from '../../core/math/vector'
import type { Shape } from '../../core/scene'
import { ShapeError } from '../../core/geometry/shape'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { initialParticles, particlesOf } from '../modelling/particles'
import { angleReadings, betweenReadings, FEATURE_NAMES, ownReadings, type Reading } from '../modelling/readings'
import { contactRowOf, contactRowsOf } from './contact-list'
import { useDocument } from './document'
import { useLive } from './live'
import { isWanted, MARKS, PARTICLES, POINTED, samePick, type Pick, type Picked } from './measure-picks'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { useRuns } from './runs'
import { bodiesOf, jointsOf, poseOf, shapesOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'

/** Number of picks of a measurement. */
const PICKS = { features: 2, angle: 3 } as const
export type Mode = keyof typeof PICKS

type Taken =
  | { readonly id: number; readonly kind: 'features'; readonly picks: readonly [Pick] | readonly [Pick, Pick] }
  | { readonly id: number; readonly kind: 'angle'; readonly points: readonly Pick[] }

/** The measurement at the displayed time. */
export interface Measurement {
  readonly id: number
  readonly title: string
  readonly readings: readonly Reading[]
  /** World points to be joined by a line; the first reading is at its middle, or at the corner of three. */
  readonly path: readonly Vec3[]
  /** What was picked, drawn lightly. */
  readonly features: readonly Feature[]
}

export const useMeasurements = defineStore('measurements', () => {
  const document = useDocument()
  const playback = usePlayback()
  const runs = useRuns()
  const pick = usePick()
  const selection = useSelection()
  const shell = useShell()
  const live = useLive()
  const taken = shallowRef<readonly Taken[]>([])
  let next = 1

  const active = ref(false)
  const mode = ref<Mode>('features')
  const picked = ref<Picked>('any')
  /** What has been picked for the next measurement. */
  const chosen = shallowRef<readonly Pick[]>([])
  /** What a click, or the Pick button, would pick. */
  const candidate = shallowRef<Pick | null>(null)

  const poses = computed(() => {
    const { frame, shownScene } = playback
    return new Map(bodiesOf(shownScene).map((body, i): [string, Pose] => {
      const at = i * BODY_STRIDE
      const c = frame?.bodies
      return [body.id, c ? { position: [c[at]!, c[at + 1]!, c[at + 2]!], orientation: [c[at + 3]!, c[at + 4]!, c[at + 5]!, c[at + 6]!] } : poseOf(body)]
    }))
  })
  const list = computed(() => taken.value.flatMap(one => measured(one) ?? []))
  const bodyOf = (id: string) => bodiesOf(playback.shownScene).find(body => body.id === id)
  const nameOf = (id: string) => titleOf(
    bodyOf(id) ?? playback.shownScene.deformables?.find(one => one.id === id) ?? jointsOf(playback.shownScene).find(one => one.id === id) ?? { id },
  )
  /** A deformable's vertices at the displayed time: first and number in the list of all. */
  const verticesOf = (id: string) => {
    const { deformables = [] } = playback.shownScene
    const at = deformables.findIndex(one => one.id === id)
    return at < 0 ? null : particlesOf(playback.shownScene, at)
  }

  function particleOf({ body, index }: Pick & { kind: 'particle' }): Feature | null {
    const [first, count] = verticesOf(body) ?? [0, 0]
    const initial = initialParticles(playback.shownScene)
    const x = playback.frame && playback.particles?.length === initial.length ? playback.particles : initial
    const i = 3 * (first + index)
    return index < count ? { kind: 'vertex', point: [x[i]!, x[i + 1]!, x[i + 2]!] } : null
  }

  function contactOf({ key }: Pick & { kind: 'contact' }): Feature | null {
    const row = contactRowOf(playback.contacts, runs.current?.header ?? null, key)
    return row ? { kind: 'point', point: row.point } : null
  }

  /** The anchor on A, or on B if A is the world. */
  function anchorOf({ body: id }: Pick & { kind: 'anchor' }): Feature | null {
    const joint = jointsOf(playback.shownScene).find(one => one.id === id)
    if (!joint || joint.type === 'gear') return null
    const [side, given] = joint.bodyA === null ? [joint.bodyB, joint.poseB] : [joint.bodyA, joint.poseA]
    if (side === null) return { kind: 'point', point: joint.anchor }
    const body = bodyOf(side)
    const now = poses.value.get(side)
    if (!body || !now || Number.isNaN(now.position[0])) return null
    const initial = given === undefined ? poseOf(body) : { orientation: [0, 0, 0, 1] as const, ...given }
    return { kind: 'point', point: toOuter(now, toInner(initial, joint.anchor)) }
  }

  /** The feature in the world; null if the body does not exist at this time, or no longer has it. */
  function featureOf(one: Pick): Feature | null {
    if (one.kind === 'particle') return particleOf(one)
    if (one.kind === 'contact') return contactOf(one)
    if (one.kind === 'anchor') return anchorOf(one)
    const body = bodyOf(one.body)
    const pose = poses.value.get(one.body)
    if (!body || !pose || Number.isNaN(pose.position[0])) return null
    if (one.kind === 'point') return { kind: 'point', point: toOuter(pose, one.local) }
    if (one.kind === 'body') {
      const placed = (shape: Shape) => solids(shape).map(primitive => ({ primitive, pose: composePoses(pose, poseOf(shape)) }))
      return { kind: 'body', solids: shapesOf(body).flatMap(placed) }
    }
    const shape = shapesOf(body)[one.shape]
    const found = shape && featuresOf(shape)[one.index]
    return found ? placedFeature(found.feature, composePoses(pose, poseOf(shape))) : null
  }

  function describe(one: Pick): string {
    if (one.kind === 'particle') return `Vertex ${one.index} of ${nameOf(one.body)}`
    if (one.kind === 'contact') return `Contact of ${nameOf(one.key.bodyA)} and ${nameOf(one.key.bodyB)} (${one.key.features.join(' on ')})`
    if (one.kind === 'anchor') return `Anchor of ${nameOf(one.body)}`
    const feature = featureOf(one)
    return !feature || feature.kind === 'body' ? nameOf(one.body) : `${FEATURE_NAMES[feature.kind]} of ${nameOf(one.body)}`
  }

  function measured(one: Taken): Measurement | null {
    if (one.kind === 'angle') return ofThreePoints(one.id, one.points)
    const features = one.picks.map(featureOf)
    const [a, b] = features
    if (!a || (one.picks.length === 2 && !b)) return null
    const title = one.picks.map(describe).join(' – ')
    if (!b) return { id: one.id, title, readings: ownReadings(ownMeasures(a)), path: [], features: [a] }
    const found = measureBetween(a, b)
    if (!found) return null
    const path = found.distance > 0 ? [found.pointA, found.pointB] : [found.pointA]
    return { id: one.id, title, readings: betweenReadings(found, a, b), path, features: [a, b] }
  }

  function ofThreePoints(id: number, points: readonly Pick[]): Measurement | null {
    const path = points.flatMap(point => {
      const at = pointOf(point)
      return at ? [at] : []
    })
    if (path.length !== points.length) return null
    const [u, v] = [sub(path[0]!, path[1]!), sub(path[2]!, path[1]!)]
    if (dot(u, u) === 0 || dot(v, v) === 0) return null
    return { id, title: `Angle: ${points.map(describe).join(' – ')}`, readings: angleReadings(angleBetween(u, v)), path, features: [] }
  }

  /** The point that a pick has by itself: a vertex, a contact, the centre of a circle or ball. */
  function pointOf(one: Pick): Vec3 | null {
    const feature = featureOf(one)
    switch (feature?.kind) {
      case 'vertex': case 'point': return feature.point
      case 'circle': case 'disc': case 'sphere': return feature.centre
      default: return null
    }
  }

  const isPickable = (one: Pick): boolean => mode.value === 'features' || pointOf(one) !== null
  const mayPick = (what: Picked): boolean => mode.value === 'features' || POINTED.has(what)

  function start(what: Picked = 'any', next: Mode = 'features') {
    pick.answer(null)
    active.value = true
    mode.value = next
    picked.value = what
    chosen.value = []
    candidate.value = null
  }

  function stop() {
    active.value = false
    chosen.value = []
    candidate.value = null
  }

  /** Adds a pick; the last one takes the measurement. The same twice keeps the measure of that one. */
  function choose(one: Pick) {
    const [first] = chosen.value
    if (!isPickable(one)) return
    if (mode.value === 'features' && first && samePick(first, one)) return keep()
    const picks = [...chosen.value, one]
    if (picks.length < PICKS[mode.value]) chosen.value = picks
    else take(mode.value === 'angle' ? { id: next++, kind: 'angle', points: picks } : { id: next++, kind: 'features', picks: [picks[0]!, one] })
  }

  /** Length, area or radius of the first pick, as a measurement of its own. */
  const own = computed(() => {
    const feature = chosen.value[0] && featureOf(chosen.value[0])
    return feature && mode.value === 'features' ? ownReadings(ownMeasures(feature)) : []
  })
  function keep() {
    if (chosen.value[0] && own.value.length > 0) take({ id: next++, kind: 'features', picks: [chosen.value[0]] })
  }

  function take(one: Taken) {
    chosen.value = []
    candidate.value = null
    if (measured(one)) taken.value = [...taken.value, one]
    else shell.notify(one.kind === 'angle' ? 'No angle: a side has no length, because its point is the corner' : 'These two have no distance: a body has no shape, or both are half-spaces')
  }

  /** Goes back by one pick. False if there is none. */
  function unpick(): boolean {
    if (chosen.value.length === 0) return false
    chosen.value = chosen.value.slice(0, -1)
    return true
  }

  /** Measures between the two selected bodies, else lets them be picked. */
  function bodies() {
    const [a, b, ...more] = selection.bodies
    if (a !== undefined && b !== undefined && more.length === 0) take({ id: next++, kind: 'features', picks: [{ kind: 'body', body: a }, { kind: 'body', body: b }] })
    else start('body')
  }

  /** A point of the surface under the pointer, as displayed. */
  function pointPick(body: string, point: Vec3): Pick | null {
    const pose = poses.value.get(body)
    return pose ? { kind: 'point', body, local: toInner(pose, point) } : null
  }

  /** What can be picked of a body, deformable or joint without the pointer. */
  function picksOf(id: string): Pick[] {
    const body = bodyOf(id)
    const vertices = body ? null : verticesOf(id)
    if (vertices) return PARTICLES.has(picked.value) ? Array.from({ length: vertices[1] }, (_, index): Pick => ({ kind: 'particle', body: id, index })) : []
    if (!body) return MARKS.has(picked.value) && jointsOf(playback.shownScene).some(one => one.id === id) ? [{ kind: 'anchor', body: id }] : []
    if (picked.value === 'body') return [{ kind: 'body', body: id }]
    const wanted = (kind: Feature['kind']) => isWanted(kind, picked.value === 'point' ? 'vertex' : picked.value)
    const features = shapesOf(body).flatMap((shape, s) => featuresOf(shape)
      .flatMap(({ feature }, index): Pick[] => wanted(feature.kind) ? [{ kind: 'feature', body: id, shape: s, index }] : []))
    const contacts = MARKS.has(picked.value) ? contactRowsOf(playback.contacts, runs.current?.header ?? null, id) : []
    const touching = contacts.map(({ key }): Pick => ({ kind: 'contact', body: key.bodyA, key }))
    const all: Pick[] = [...features, ...touching, ...picked.value === 'any' ? [{ kind: 'body', body: id } as const] : []]
    return all.filter(isPickable)
  }

  const remove = (id: number) => { taken.value = taken.value.filter(one => one.id !== id) }
  const clear = () => { taken.value = [] }
  let generation = document.generation
  document.onChange(() => {
    if (document.generation !== generation) {
      clear()
      stop()
    }
    generation = document.generation
  })
  watch(() => [live.run, pick.request] as const, ([run, request]) => { if (run !== null || request) stop() })
  watch(picked, () => { candidate.value = null })

  return {
    list, active, mode, picked, chosen, candidate, own, featureOf, describe, isPickable, mayPick, start, stop, choose, keep, unpick, bodies, pointPick, picksOf,
    remove, clear,
  }
})

function solids(shape: Shape) {
  try {
    return solidsOf(shape)
  } catch (error) {
    if (error instanceof ShapeError) return [] // the inspector reports the invalid shape
    throw error
  }
}

/** Degrees. */
function angleBetween(a: Vec3, b: Vec3): number {
  return Math.acos(Math.max(-1, Math.min(1, dot(normalize(a), normalize(b))))) * 180 / Math.PI
}

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
import { useDocument } from './document'
import { useLive } from './live'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { bodiesOf, poseOf, shapesOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'

/** A feature of a body, by its index in `featuresOf` the shape; a point in the body's frame; the whole body; or a vertex of a deformable, by its number. */
export type Pick =
  | { readonly kind: 'feature'; readonly body: string; readonly shape: number; readonly index: number }
  | { readonly kind: 'point'; readonly body: string; readonly local: Vec3 }
  | { readonly kind: 'body'; readonly body: string }
  | { readonly kind: 'particle'; readonly body: string; readonly index: number }

/** What a click picks. `any`: the vertex or edge near the pointer, else the face, or the axis of a curved surface. */
export const PICKED = { any: 'Anything', vertex: 'Vertex', edge: 'Edge', face: 'Face', round: 'Circle or axis', point: 'Point', body: 'Body' } as const
export type Picked = keyof typeof PICKED
/** What includes vertices of deformables. */
export const PARTICLES: ReadonlySet<Picked> = new Set<Picked>(['any', 'vertex', 'point'])

const KINDS: Readonly<Record<Exclude<Picked, 'any' | 'point' | 'body'>, readonly Feature['kind'][]>> = {
  vertex: ['vertex'], edge: ['edge'], face: ['face', 'disc', 'plane'], round: ['circle', 'axis', 'sphere'],
}
export const isWanted = (kind: Feature['kind'], picked: Picked): boolean => picked === 'any' || (picked !== 'point' && picked !== 'body' && KINDS[picked].includes(kind))

type Taken =
  | { readonly id: number; readonly kind: 'features'; readonly picks: readonly [Pick] | readonly [Pick, Pick] }
  | { readonly id: number; readonly kind: 'angle'; readonly points: readonly (Pick & { kind: 'point' })[] }

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
  const pick = usePick()
  const selection = useSelection()
  const shell = useShell()
  const live = useLive()
  const taken = shallowRef<readonly Taken[]>([])
  let next = 1

  const active = ref(false)
  const picked = ref<Picked>('any')
  const first = shallowRef<Pick | null>(null)
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
  const nameOf = (id: string) => titleOf(bodyOf(id) ?? playback.shownScene.deformables?.find(one => one.id === id) ?? { id })
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

  /** The feature in the world; null if the body does not exist at this time, or no longer has it. */
  function featureOf(one: Pick): Feature | null {
    if (one.kind === 'particle') return particleOf(one)
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
      const feature = featureOf(point)
      return feature?.kind === 'point' ? [feature.point] : []
    })
    if (path.length !== points.length) return null
    const names = [...new Set(points.map(({ body }) => nameOf(body)))].join(', ')
    return { id, title: `Angle: ${names}`, readings: angleReadings(angleAt(path)), path, features: [] }
  }

  function start(what: Picked = 'any') {
    pick.answer(null)
    active.value = true
    picked.value = what
    first.value = candidate.value = null
  }

  function stop() {
    active.value = false
    first.value = candidate.value = null
  }

  /** Picks the first or the second; the same twice keeps the measure of that one. Both stay in use for the next measurement. */
  function choose(one: Pick) {
    if (first.value === null) first.value = one
    else if (samePick(first.value, one)) keep()
    else take([first.value, one])
  }

  /** Length, area or radius of the first pick, as a measurement of its own. */
  const own = computed(() => {
    const feature = first.value && featureOf(first.value)
    return feature ? ownReadings(ownMeasures(feature)) : []
  })
  function keep() {
    if (first.value && own.value.length > 0) take([first.value])
  }

  function take(picks: readonly [Pick] | readonly [Pick, Pick]) {
    const one: Taken = { id: next++, kind: 'features', picks }
    first.value = candidate.value = null
    if (measured(one)) taken.value = [...taken.value, one]
    else shell.notify('These two have no distance: a body has no shape, or both are half-spaces')
  }

  /** Goes back by one pick. False if there is none. */
  function unpick(): boolean {
    if (first.value === null) return false
    first.value = null
    return true
  }

  async function angle() {
    stop()
    const found: (Pick & { kind: 'point' })[] = []
    for (const prompt of ['Click a point on the first side', 'Click the corner of the angle', 'Click a point on the second side']) {
      const hit = await pick.ask({ prompt: `${prompt}; it snaps to corners and edges.`, what: 'point' })
      const pose = hit && poses.value.get(hit.body)
      if (!pose) return
      found.push({ kind: 'point', body: hit.body, local: toInner(pose, hit.point) })
    }
    taken.value = [...taken.value, { id: next++, kind: 'angle', points: found }]
  }

  /** Measures between the two selected bodies, else lets them be picked. */
  function bodies() {
    const [a, b, ...more] = selection.bodies
    if (a !== undefined && b !== undefined && more.length === 0) take([{ kind: 'body', body: a }, { kind: 'body', body: b }])
    else start('body')
  }

  /** A point of the surface under the pointer, as displayed. */
  function pointPick(body: string, point: Vec3): Pick | null {
    const pose = poses.value.get(body)
    return pose ? { kind: 'point', body, local: toInner(pose, point) } : null
  }

  /** What can be picked of a body or deformable without the pointer. */
  function picksOf(id: string): Pick[] {
    const body = bodyOf(id)
    const vertices = body ? null : verticesOf(id)
    if (vertices) return PARTICLES.has(picked.value) ? Array.from({ length: vertices[1] }, (_, index): Pick => ({ kind: 'particle', body: id, index })) : []
    if (!body || picked.value === 'body') return body ? [{ kind: 'body', body: id }] : []
    const features = shapesOf(body).flatMap((shape, s) => featuresOf(shape)
      .flatMap(({ feature }, index): Pick[] => isWanted(feature.kind, picked.value) ? [{ kind: 'feature', body: id, shape: s, index }] : []))
    return picked.value === 'any' ? [...features, { kind: 'body', body: id }] : features
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
    list, active, picked, first, candidate, own, featureOf, describe, start, stop, choose, keep, unpick, angle, bodies, pointPick, picksOf, remove, clear,
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

export function samePick(a: Pick | null, b: Pick | null): boolean {
  if (a === null || b === null || a.body !== b.body) return a === b
  if (a.kind === 'feature' && b.kind === 'feature') return a.shape === b.shape && a.index === b.index
  if (a.kind === 'particle' && b.kind === 'particle') return a.index === b.index
  return a.kind === b.kind && (a.kind !== 'point' || b.kind !== 'point' || a.local.every((x, k) => x === b.local[k]))
}

/** Angle at the middle point, degrees. */
function angleAt([a, corner, b]: readonly Vec3[]): number {
  const [u, v] = [normalize(sub(a!, corner!)), normalize(sub(b!, corner!))]
  return Math.acos(Math.max(-1, Math.min(1, dot(u, v)))) * 180 / Math.PI
}

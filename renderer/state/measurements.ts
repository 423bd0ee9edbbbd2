/** Measurements in the viewport. Their points are fixed to bodies, so that the values follow the displayed time. Not saved. */

import { computed, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { bodyDistance, type PlacedSolid } from '../../core/analysis/distance'
import { solidsOf } from '../../core/analysis/solids'
import { composePoses, toInner, toOuter, type Pose } from '../../core/math/pose'
import { distance, dot, normalize, sub, type Vec3 } from '../../core/math/vector'
import { ShapeError } from '../../core/geometry/shape'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { formatQuantity } from '../fields/format'
import { useDocument } from './document'
import { usePick } from './pick'
import { usePlayback } from './playback'
import { bodiesOf, poseOf, shapesOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'

/** A point of a body, in its frame. */
interface BodyPoint {
  readonly body: string
  readonly local: Vec3
}

type Measured =
  | { readonly id: number; readonly kind: 'points' | 'angle'; readonly points: readonly BodyPoint[] }
  | { readonly id: number; readonly kind: 'bodies'; readonly bodies: readonly [string, string] }

/** The measurement at the displayed time. */
export interface Measurement {
  readonly id: number
  readonly title: string
  readonly value: string
  /** World points to be joined by a line; the label is at its middle. */
  readonly path: readonly Vec3[]
}

export const useMeasurements = defineStore('measurements', () => {
  const document = useDocument()
  const playback = usePlayback()
  const pick = usePick()
  const selection = useSelection()
  const shell = useShell()
  const taken = shallowRef<readonly Measured[]>([])
  let next = 1

  const poses = computed(() => {
    const { frame, shownScene } = playback
    return new Map(bodiesOf(shownScene).map((body, i): [string, Pose] => {
      const at = i * BODY_STRIDE
      const c = frame?.bodies
      return [body.id, c ? { position: [c[at]!, c[at + 1]!, c[at + 2]!], orientation: [c[at + 3]!, c[at + 4]!, c[at + 5]!, c[at + 6]!] } : poseOf(body)]
    }))
  })
  const list = computed(() => taken.value.flatMap(one => measured(one) ?? []))

  function measured(one: Measured): Measurement | null {
    if (one.kind === 'bodies') return betweenBodies(one)
    const path: Vec3[] = []
    for (const { body, local } of one.points) {
      const pose = poses.value.get(body)
      if (!pose) return null
      path.push(toOuter(pose, local))
    }
    const names = [...new Set(one.points.map(({ body }) => nameOf(body)))].join(', ')
    const value = one.kind === 'points' ? formatQuantity(distance(path[0]!, path[1]!), 'm') : `${angleAt(path).toFixed(2)}°`
    return { id: one.id, title: `${one.kind === 'points' ? 'Distance' : 'Angle'}: ${names}`, value, path }
  }

  function betweenBodies({ id, bodies: [a, b] }: Measured & { kind: 'bodies' }): Measurement | null {
    const found = bodyDistance(solids(a), solids(b))
    if (!found) return null
    return {
      id, title: `Distance: ${nameOf(a)} to ${nameOf(b)}`, path: [found.pointA, found.pointB],
      value: found.distance === 0 ? 'touching or overlapping' : formatQuantity(found.distance, 'm'),
    }
  }

  function solids(id: string): PlacedSolid[] {
    const body = bodiesOf(playback.shownScene).find(one => one.id === id)
    const pose = poses.value.get(id)
    if (!body || !pose) return []
    return shapesOf(body).flatMap(shape => {
      try {
        return solidsOf(shape).map(primitive => ({ primitive, pose: composePoses(pose, poseOf(shape)) }))
      } catch (error) {
        if (error instanceof ShapeError) return [] // the inspector reports the invalid shape
        throw error
      }
    })
  }

  const nameOf = (id: string) => titleOf(bodiesOf(playback.shownScene).find(body => body.id === id) ?? { id })

  async function points(kind: 'points' | 'angle') {
    const prompts = kind === 'points' ? ['Click the first point', 'Click the second point']
      : ['Click a point on the first side', 'Click the corner of the angle', 'Click a point on the second side']
    const found: BodyPoint[] = []
    for (const prompt of prompts) {
      const hit = await pick.ask({ prompt: `${prompt}; corners and edges attract.`, what: 'point' })
      const pose = hit && poses.value.get(hit.body)
      if (!pose) return
      found.push({ body: hit.body, local: toInner(pose, hit.point) })
    }
    taken.value = [...taken.value, { id: next++, kind, points: found }]
  }

  /** Measures between the two selected bodies, or between two clicked ones. */
  async function bodies() {
    const found: string[] = selection.bodies.length === 2 ? [...selection.bodies] : []
    while (found.length < 2) {
      const hit = await pick.ask({ prompt: found.length === 0 ? 'Click the first body' : 'Click the second body', what: 'body' })
      if (!hit) return
      if (hit.body !== found[0]) found.push(hit.body)
    }
    const one: Measured = { id: next++, kind: 'bodies', bodies: [found[0]!, found[1]!] }
    if (measured(one)) taken.value = [...taken.value, one]
    else shell.say('These two have no distance: a body has no shape, or both are half-spaces')
  }

  const remove = (id: number) => { taken.value = taken.value.filter(one => one.id !== id) }
  const clear = () => { taken.value = [] }
  let generation = document.generation
  document.onChange(() => {
    if (document.generation !== generation) clear()
    generation = document.generation
  })

  return { list, points, bodies, remove, clear }
})

/** Angle at the middle point, degrees. */
function angleAt([a, corner, b]: readonly Vec3[]): number {
  const [u, v] = [normalize(sub(a!, corner!)), normalize(sub(b!, corner!))]
  return Math.acos(Math.max(-1, Math.min(1, dot(u, v)))) * 180 / Math.PI
}

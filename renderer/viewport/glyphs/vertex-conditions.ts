/** Paths of controlled vertices, exact constraints (solid) and behaviours (dashed) of deformables. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { deformableShape } from '../../../core/analysis/deformable-shape'
import { particlePath } from '../../../core/dynamics/joints/particle-path'
import { toOuter } from '../../../core/math/pose'
import { addScaled, cross, distance, dot, length, normalize, perpendicular, scale, sub, type Vec3 } from '../../../core/math/vector'
import { resolveDeformable, type ResolvedDeformable, type ResolvedVertexCondition } from '../../../core/scene'
import { curvePoints } from '../../joints/curve-points'
import { initialParticles } from '../../modelling/particles'
import { PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'

const JOINT = paletteIndex('joint')
const FORCE = paletteIndex('force')
const ACCENT = paletteIndex('accent')
/** Pixels: of the dashes of behaviours and of paths. */
const DASH = 6
/** Points along a path. */
const PATH_POINTS = 96
/** Lines of more points are drawn as curves. */
const CURVE_POINTS = 16
/** Share of the deformable's size by which lines and planes are drawn beyond their vertices. */
const REACH = 0.6

/** The particles of a deformable among all. */
interface Span {
  readonly first: number
  readonly count: number
}

interface Pen {
  readonly color: number
  readonly width: number
  readonly dash: number
}

export class VertexConditionGlyphs {
  private readonly lines: SegmentLayer
  private readonly points: PointLayer

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
    this.lines.setXray(true)
    this.points.setXray(true)
  }

  /** @param scene null: nothing is drawn */
  set(scene: PosedScene | null, hidden: ReadonlySet<string>, selected: ReadonlySet<string>, origin: Vec3): void {
    this.lines.begin(origin)
    this.points.begin(origin)
    const places = scene === null ? null : scene.particles ?? initialParticles(scene.scene)
    const initial = scene === null ? null : initialParticles(scene.scene)
    const deformables = (scene?.scene.deformables ?? []).map(resolveDeformable)
    const spans = new Map<string, Span>()
    let first = 0
    for (const deformable of deformables) {
      const count = deformableShape(deformable).vertices.length
      spans.set(deformable.id, { first, count })
      first += count
    }
    for (const one of deformables) if (!hidden.has(one.id)) this.addAll(one, scene!, places!, initial!, spans, selected.has(one.id))
    this.lines.end()
    this.points.end()
  }

  private addAll({ id, controlled, behaviours, constraints }: ResolvedDeformable, posed: PosedScene, places: Float64Array, initial: Float64Array,
    spans: ReadonlyMap<string, Span>, chosen: boolean): void {
    if (controlled.length + behaviours.length + constraints.length === 0) return
    const { first, count } = spans.get(id)!
    const at = (x: Float64Array) => (vertex: number): Vec3 => pointOf(x, first + vertex)
    const shown = places.length === initial.length ? places : initial
    const now = at(shown)
    const placesOf = (condition: ResolvedVertexCondition): Vec3[] => condition.type === 'point' ? [now(condition.vertex)] : [
      ...condition.vertices.map(now),
      ...condition.others.map((place): Vec3 => place.type === 'vertex' ? pointOf(shown, spans.get(place.deformable)!.first + place.vertex)
        : place.body === null ? place.point : toOuter(posed.pose(posed.index.get(place.body)!), place.point)),
    ]
    const size = extentOf(initial.subarray(3 * first, 3 * (first + count)))
    const width = chosen ? 2.6 : 1.8
    for (const { vertices, motion } of controlled) {
      let path
      try {
        path = particlePath(motion)
      } catch (error) {
        if (error instanceof RangeError) continue
        throw error
      }
      const end = motion.type === 'keys' ? motion.keys.at(-1)!.time : motion.period
      const offsets = Array.from({ length: PATH_POINTS + 1 }, (_, k) => path(Math.min(end * k / PATH_POINTS, end * (1 - 1e-12))).offset)
      for (const vertex of vertices) {
        const from = at(initial)(vertex)
        this.polyline(offsets.map(offset => addScaled(from, offset, 1)), { color: chosen ? ACCENT : JOINT, width: width - 0.6, dash: DASH })
        this.dot(now(vertex), chosen ? ACCENT : JOINT, true)
      }
    }
    for (const { condition } of constraints) this.add(condition, placesOf(condition), size, { color: chosen ? ACCENT : JOINT, width, dash: 0 })
    for (const { condition } of behaviours) this.add(condition, placesOf(condition), size, { color: chosen ? ACCENT : FORCE, width, dash: DASH })
  }

  private add(condition: ResolvedVertexCondition, places: readonly Vec3[], size: number, pen: Pen): void {
    if (condition.type === 'point') {
      const place = places[0]!
      if (condition.point !== undefined) {
        this.polyline([place, condition.point], pen)
        this.dot(condition.point, pen.color, false)
      }
      return this.dot(place, pen.color, true)
    }
    for (const place of places) this.dot(place, pen.color, true)
    const [a, b, c, d] = places as unknown as [Vec3, Vec3, Vec3, Vec3]
    switch (condition.type) {
      case 'coincide':
      case 'distance': return this.polyline([a, b], pen)
      case 'angle': return this.polyline([a, b, c], pen)
      case 'area': return this.polyline([a, b, c, a], pen)
      case 'volume': return this.polyline([a, b, c, a, d, b, c, d], pen)
      case 'line': {
        const along = normalize(condition.direction)
        const shares = places.map(place => dot(sub(place, condition.point), along))
        const ends = [Math.min(0, ...shares) - REACH * size, Math.max(0, ...shares) + REACH * size]
        return this.polyline(ends.map(share => addScaled(condition.point, along, share)), pen)
      }
      case 'plane': {
        const normal = normalize(condition.normal)
        const u = perpendicular(normal)
        const v = cross(normal, u)
        const reach = REACH * size + Math.max(...places.map(place => distance(place, condition.point)))
        const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]] as const
        return this.polyline(corners.map(([x, y]) => addScaled(addScaled(condition.point, u, x * reach), v, y * reach)), pen)
      }
      case 'curve': return this.polyline(curvePoints(condition.curve), pen)
      case 'centre': {
        const centre = condition.point ?? scale(places.reduce<Vec3>((sum, place) => addScaled(sum, place, 1), [0, 0, 0]), 1 / places.length)
        this.dot(centre, pen.color, false)
        for (const place of places) this.polyline([centre, place], { ...pen, width: 1 })
      }
    }
  }

  /** The pieces of a curve are shorter than dashes: it is dashed by every other piece. */
  private polyline(points: readonly Vec3[], { color, width, dash }: Pen): void {
    const isCurve = points.length > CURVE_POINTS
    for (let k = 1; k < points.length; k++) {
      if (isCurve && dash > 0 && k % 2 === 0) continue
      this.lines.addVectors(points[k - 1]!, points[k]!, color, width, isCurve ? 0 : dash)
    }
  }

  private dot(at: Vec3, color: number, ring: boolean): void {
    this.points.add(at[0], at[1], at[2], color, ring ? 5 : 3.5, ring)
  }

}

function pointOf(x: Float64Array, particle: number): Vec3 {
  return [x[3 * particle]!, x[3 * particle + 1]!, x[3 * particle + 2]!]
}

/** m: diagonal of the box of vertices, 3 numbers each. */
function extentOf(x: Float64Array): number {
  const extents = [0, 1, 2].map(k => {
    const values = x.filter((_, i) => i % 3 === k)
    return values.reduce((most, value) => Math.max(most, value), -Infinity) - values.reduce((least, value) => Math.min(least, value), Infinity)
  })
  return length(extents as unknown as Vec3) || 1
}

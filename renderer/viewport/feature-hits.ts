/** The feature under the pointer: a vertex or an edge within a few pixels, else the face or the axis of the surface. Exact features, not drawn triangles. */

import { featuresOf, type Feature } from '../../core/analysis/features'
import { composePoses, toInner, toOuter, type Pose } from '../../core/math/pose'
import { addScaled, cross, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../core/math/vector'
import { rotateInverse } from '../../core/math/quaternion'
import { isWanted, type Pick, type Picked } from '../state/measure-picks'
import { bodiesOf, poseOf, shapesOf } from '../state/scene-access'
import { rayThrough, toPixel, type Projection, type Ray } from './camera/projection'
import { castRay, type RayHit } from './picking'
import type { PosedScene } from './posed-scene'

/** CSS pixels within which a vertex, and an edge or circle, is picked before the face. */
const VERTEX_REACH = 11
const EDGE_REACH = 8
/** The same if nothing else can be picked. */
const ONLY_REACH = 60
/** CSS pixels beside a body within which its outline is still picked. */
const BESIDE = 6
/** Points of a circle that are tried. */
const AROUND = 96

/** The body under a pixel, or a few pixels beside it, so that edges of the outline can be picked from both sides. */
export function hitNear(scene: PosedScene, view: Projection, x: number, y: number, wanted: (body: number) => boolean): RayHit | null {
  const hit = castRay(scene, rayThrough(view, x, y), wanted)
  if (hit && scene.plan.shapes[hit.body]!.length > 0) return hit
  for (let k = 0; k < 8; k++) {
    const [dx, dy] = [BESIDE * Math.cos(k * Math.PI / 4), BESIDE * Math.sin(k * Math.PI / 4)]
    const beside = castRay(scene, rayThrough(view, x + dx, y + dy), wanted)
    if (beside && scene.plan.shapes[beside.body]!.length > 0) return beside
  }
  return hit
}

/** The pick at a hit; null if the shape there has nothing of the wanted kind. */
export function featureAt(scene: PosedScene, view: Projection, hit: RayHit, x: number, y: number, picked: Picked): Pick | null {
  const body = bodiesOf(scene.scene)[hit.body]!
  const shape = shapesOf(body)[hit.shape]
  const whole: Pick | null = picked === 'any' || picked === 'body' ? { kind: 'body', body: body.id } : null
  if (!shape || picked === 'body') return whole
  const pose = composePoses(scene.pose(hit.body), poseOf(shape))
  const search = new Search(view, pose, hit, x, y)
  featuresOf(shape).forEach(({ feature, normals }, index) => { if (isWanted(feature.kind, picked)) search.consider(feature, normals, index) })
  const index = search.best(picked !== 'any')
  return index === null ? whole : { kind: 'feature', body: body.id, shape: hit.shape, index }
}

interface Near {
  away: number
  index: number
}

const nothing = (): Near => ({ away: Infinity, index: -1 })

class Search {
  private readonly ray: Ray
  private readonly eye: Vec3
  private readonly at: Vec3
  private readonly normal: Vec3
  private readonly vertex = nothing()
  private readonly line = nothing()
  private readonly surface = nothing()

  constructor(private readonly view: Projection, private readonly pose: Pose, hit: RayHit, private readonly x: number, private readonly y: number) {
    const ray = rayThrough(view, x, y)
    this.ray = { origin: toInner(pose, ray.origin), direction: rotateInverse(pose.orientation, ray.direction) }
    this.eye = this.ray.origin
    this.at = toInner(pose, hit.point)
    this.normal = rotateInverse(pose.orientation, hit.normal)
  }

  consider(feature: Feature, normals: readonly Vec3[], index: number): void {
    switch (feature.kind) {
      case 'vertex': return this.nearer(this.vertex, this.isSeen(feature.point, normals) ? this.pixelsTo(feature.point) : Infinity, index)
      case 'edge': {
        const foot = this.footOn(feature.ends)
        return this.nearer(this.line, this.isSeen(foot, normals) ? this.pixelsTo(foot) : Infinity, index)
      }
      case 'circle': return this.nearer(this.line, this.pixelsToCircle(feature), index)
      case 'face': return this.nearer(this.surface, faceOffset(this.at, feature), index)
      case 'disc': case 'plane': return this.nearer(this.surface, dot(this.normal, feature.normal) > 0.9 ? 0 : Infinity, index)
      // A curved surface is picked only where there is no flat end.
      case 'axis': case 'sphere': return this.nearer(this.surface, Number.MAX_VALUE, index)
      case 'point': case 'body':
    }
  }

  /** @param only whether other kinds are excluded, so that the pointer need not be as near */
  best(only: boolean): number | null {
    if (this.vertex.away < (only ? ONLY_REACH : VERTEX_REACH)) return this.vertex.index
    if (this.line.away < EDGE_REACH || (only && this.surface.index < 0 && this.line.away < ONLY_REACH)) return this.line.index
    return this.surface.index < 0 ? null : this.surface.index
  }

  private nearer(known: Near, away: number, index: number): void {
    if (!(away < known.away)) return
    known.away = away
    known.index = index
  }

  /** Whether one of the faces that meet there is turned to the eye. */
  private isSeen(point: Vec3, normals: readonly Vec3[]): boolean {
    if (normals.length === 0) return true
    const { orthographic } = this.view.camera
    const towards = orthographic ? scale(this.ray.direction, -1) : sub(this.eye, point)
    return normals.some(normal => dot(normal, towards) > 0)
  }

  private pixelsTo(local: Vec3): number {
    const pixel = toPixel(this.view, toOuter(this.pose, local))
    return pixel ? Math.hypot(pixel[0] - this.x, pixel[1] - this.y) : Infinity
  }

  /** The point of a segment that is nearest to the pointer's ray. */
  private footOn([a, b]: readonly [Vec3, Vec3]): Vec3 {
    const { origin, direction } = this.ray
    const along = sub(b, a)
    const across = addScaled(along, direction, -dot(along, direction))
    const squared = dot(across, across)
    const share = squared > 0 ? dot(sub(origin, a), across) / squared : 0
    return addScaled(a, along, Math.max(0, Math.min(1, share)))
  }

  /** Pixels from the pointer to the visible part of a rim. */
  private pixelsToCircle({ centre, normal, radius }: Feature & { kind: 'circle' }): number {
    const u = perpendicular(normal)
    const v = cross(normal, u)
    const points = Array.from({ length: AROUND }, (_, k) => circlePoint(centre, u, v, radius, k / AROUND))
    return points.reduce((least, point, k) => {
      if (!this.isSeen(point, [normal, normalize(sub(point, centre))])) return least
      return Math.min(least, this.pixelsTo(this.footOn([point, points[(k + 1) % AROUND]!])))
    }, Infinity)
  }
}

export function circlePoint(centre: Vec3, u: Vec3, v: Vec3, radius: number, share: number): Vec3 {
  const angle = 2 * Math.PI * share
  return addScaled(addScaled(centre, u, radius * Math.cos(angle)), v, radius * Math.sin(angle))
}

/** Distance of a point from a face: above it, or beyond its sides. */
function faceOffset(p: Vec3, { parts, normal }: Feature & { kind: 'face' }): number {
  const height = Math.abs(dot(normal, sub(p, parts[0]![0]!)))
  return parts.reduce((least, part) => Math.min(least, part.reduce((most, a, k) => {
    const outwards = normalize(cross(sub(part[(k + 1) % part.length]!, a), normal))
    return Math.max(most, dot(outwards, sub(p, a)))
  }, height)), Infinity)
}

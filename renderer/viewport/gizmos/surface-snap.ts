/**
 * Dragging onto other bodies: finds the surface point under the pointer, snaps it to a vertex, a centre or an edge that is near in the picture, and
 * computes the displacement that places the dragged body on the surface there.
 */

import { composePoses, toOuter } from '../../../core/math/pose'
import { add, addScaled, cross, dot, length, lerp, scale, sub, type Vec3 } from '../../../core/math/vector'
import { rayThrough, toPixel, type Projection } from '../camera/projection'
import { castRay } from '../picking'
import type { PosedScene } from '../posed-scene'

/** CSS pixels within which the pointer snaps to a vertex, to the centre of a face or an edge, or to an edge. */
const VERTEX_REACH = 14
const CENTRE_REACH = 10
const EDGE_REACH = 9

export interface SurfaceTarget {
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
  readonly kind: 'vertex' | 'centre' | 'edge' | 'face'
  /** Whether a straight edge is near in the picture, or the surface is round: a direction picked here is that of the edge, or the axis. */
  readonly isAlongEdge: boolean
}

/** The surface under a pixel, and its nearest visible feature; the dragged bodies are ignored. */
export function surfaceAt(scene: PosedScene, view: Projection, x: number, y: number, wanted: (body: number) => boolean): SurfaceTarget | null {
  const hit = castRay(scene, rayThrough(view, x, y), wanted)
  if (!hit) return null
  const shape = scene.plan.shapes[hit.body]!.find(({ shape }) => shape === hit.shape)
  const target: SurfaceTarget = { point: hit.point, normal: hit.normal, kind: 'face', isAlongEdge: shape?.mesh.axis !== undefined }
  // Round shapes have no corners, and the curves drawn on them are not edges.
  if (!shape || shape.mesh.axis !== undefined) return target
  const pose = composePoses(scene.pose(hit.body), shape.pose)
  const { edges } = shape.mesh
  const corner = (i: number): Vec3 => toOuter(pose, [edges[i]! * shape.scale[0], edges[i + 1]! * shape.scale[1], edges[i + 2]! * shape.scale[2]])
  const away = (point: Vec3) => {
    const pixel = toPixel(view, point)
    return pixel ? Math.hypot(pixel[0] - x, pixel[1] - y) : Infinity
  }
  /** A feature behind a face is not one that is pointed at. */
  const isSeen = (point: Vec3) => {
    const pixel = toPixel(view, point)
    if (!pixel) return false
    const ray = rayThrough(view, pixel[0], pixel[1])
    const first = castRay(scene, ray, wanted)
    const distance = dot(sub(point, ray.origin), ray.direction)
    return !first || first.distance >= distance * (1 - ROUNDING)
  }
  let vertex: { point: Vec3; away: number } = { point: hit.point, away: VERTEX_REACH }
  let edge: { point: Vec3; away: number } = { point: hit.point, away: EDGE_REACH }
  let centre: { point: Vec3; away: number } = { point: hit.point, away: CENTRE_REACH }
  const toCentre = (point: Vec3) => { if (away(point) < centre.away && isSeen(point)) centre = { point, away: away(point) } }
  /** Sides of the face under the pointer. */
  const sides: [Vec3, Vec3][] = []
  for (let i = 0; i < edges.length; i += 6) {
    const a = corner(i)
    const b = corner(i + 3)
    for (const point of [a, b]) if (away(point) < vertex.away && isSeen(point)) vertex = { point, away: away(point) }
    const along = sub(b, a)
    const part = Math.min(1, Math.max(0, dot(sub(hit.point, a), along) / dot(along, along)))
    const onEdge = addScaled(a, along, part)
    if (away(onEdge) < edge.away && isSeen(onEdge)) edge = { point: onEdge, away: away(onEdge) }
    toCentre(lerp(a, b, 0.5))
    if ([a, b].every(point => Math.abs(dot(sub(point, hit.point), hit.normal)) < LEVEL * length(along))) sides.push([a, b])
  }
  const face = centroidOf(sides, hit.normal)
  if (face) toCentre(face)
  const isAlongEdge = edge.away < EDGE_REACH
  if (vertex.away < VERTEX_REACH) return { ...target, point: vertex.point, kind: 'vertex', isAlongEdge }
  if (centre.away < CENTRE_REACH) return { ...target, point: centre.point, kind: 'centre', isAlongEdge }
  if (isAlongEdge) return { ...target, point: edge.point, kind: 'edge', isAlongEdge }
  return target
}

/** × the distance from the eye: rounding of a point on the surface. */
const ROUNDING = 1e-6

/** × the length of a side: how far its ends may be off the plane of a face. */
const LEVEL = 1e-6

/** Centroid of the area within these sides; null if they enclose none. */
function centroidOf(sides: readonly (readonly [Vec3, Vec3])[], normal: Vec3): Vec3 | null {
  if (sides.length < 3) return null
  // Any point of the plane: the triangles from there to the sides, without their sense, cover a convex face.
  const inside = scale(sides.reduce<Vec3>((sum, [a, b]) => add(sum, add(a, b)), [0, 0, 0]), 0.5 / sides.length)
  let area = 0
  let moment: Vec3 = [0, 0, 0]
  for (const [a, b] of sides) {
    const part = Math.abs(dot(cross(sub(a, inside), sub(b, inside)), normal))
    area += part
    moment = addScaled(moment, add(add(a, b), inside), part / 3)
  }
  return area > 0 ? scale(moment, 1 / area) : null
}

/** Extent of a body from its frame's origin against a direction, m. */
function reachAgainst(scene: PosedScene, body: number, direction: Vec3): number {
  const pose = scene.pose(body)
  let reach = 0
  for (const shape of scene.plan.shapes[body]!) {
    const placed = composePoses(pose, shape.pose)
    const p = shape.mesh.positions
    for (let i = 0; i < p.length; i += 3) {
      const at = toOuter(placed, [p[i]! * shape.scale[0], p[i + 1]! * shape.scale[1], p[i + 2]! * shape.scale[2]])
      reach = Math.max(reach, -dot(sub(at, pose.position), direction))
    }
  }
  return reach
}

/** Displacement that places the body on the target: its origin over the point, its surface touching. */
export function standOn(scene: PosedScene, body: number, target: SurfaceTarget): Vec3 {
  const origin = addScaled(target.point, target.normal, reachAgainst(scene, body, target.normal))
  return sub(origin, scene.position(body))
}

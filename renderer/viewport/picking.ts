/**
 * Finds the object under the pointer by ray casting against the drawing meshes on the main thread: bounding spheres first, then triangles in
 * the shape's own axes. A thousand bodies take some tens of microseconds, without rendering or reading back pixels.
 */

import { composePoses, toInner, toOuter, type Pose } from '../../core/math/pose'
import { rotate, rotateInverse } from '../../core/math/quaternion'
import { addScaled, cross, dot, normalize, scale, sub, type Vec3 } from '../../core/math/vector'
import type { PlaneInstance, ShapeInstance } from './body-plan'
import type { Ray } from './camera/projection'
import type { PosedScene } from './posed-scene'

export interface RayHit {
  /** Index of the body in the scene, and of the shape in the body. */
  readonly body: number
  readonly shape: number
  /** m along the ray. */
  readonly distance: number
  /** World. */
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
  /** Unit direction of the straight edge nearest to the point, world; null on shapes without straight edges. */
  readonly edge: Vec3 | null
}

/** The nearest hit among the bodies that satisfy `wanted`. */
export function castRay(scene: PosedScene, ray: Ray, wanted: (body: number) => boolean): RayHit | null {
  let best: RayHit | null = null
  for (let b = 0; b < scene.count; b++) {
    const shapes = scene.plan.shapes[b]!
    if (shapes.length === 0 || !wanted(b) || !scene.exists(b)) continue
    if (!nearSphere(ray, scene.position(b), scene.plan.radii[b]!, best?.distance ?? Infinity)) continue
    const pose = scene.pose(b)
    for (const shape of shapes) best = hitShape(ray, shape, composePoses(pose, shape.pose), best)
  }
  for (const plane of scene.plan.planes) {
    if (wanted(plane.body) && scene.exists(plane.body)) best = hitPlane(ray, plane, scene.pose(plane.body), best)
  }
  return best
}

function nearSphere(ray: Ray, center: Vec3, radius: number, before: number): boolean {
  const to = sub(center, ray.origin)
  const along = dot(to, ray.direction)
  const off = dot(to, to) - along * along
  return off <= radius * radius && along + radius >= 0 && along - radius <= before
}

function hitPlane(ray: Ray, plane: PlaneInstance, pose: Pose, best: RayHit | null): RayHit | null {
  const normal = rotate(pose.orientation, plane.normal)
  const slope = dot(ray.direction, normal)
  // A plane seen from inside its solid is not picked, so that objects above it can be.
  if (slope >= -1e-9) return best
  const distance = dot(sub(toOuter(pose, plane.point), ray.origin), normal) / slope
  if (distance < 0 || (best && distance >= best.distance)) return best
  return { body: plane.body, shape: plane.shape, distance, point: addScaled(ray.origin, ray.direction, distance), normal, edge: null }
}

function hitShape(ray: Ray, shape: ShapeInstance, pose: Pose, best: RayHit | null): RayHit | null {
  if (!nearSphere(ray, pose.position, shape.radius, best?.distance ?? Infinity)) return best
  const [sx, sy, sz] = shape.scale
  const o = toInner(pose, ray.origin)
  const d = rotateInverse(pose.orientation, ray.direction)
  // With a direction that is not normalised, the ray's parameter is the same in the geometry's unscaled axes.
  const origin: Vec3 = [o[0] / sx, o[1] / sy, o[2] / sz]
  const direction: Vec3 = [d[0] / sx, d[1] / sy, d[2] / sz]
  const hit = hitTriangles(shape, origin, direction, best?.distance ?? Infinity)
  if (!hit) return best
  const local = addScaled(origin, direction, hit.distance)
  const n = normalAt(shape, hit.triangle, local)
  const normal = normalize(rotate(pose.orientation, normalize([n[0] / sx, n[1] / sy, n[2] / sz])))
  const edge = nearestEdge(shape, local)
  return {
    body: shape.body, shape: shape.shape, distance: hit.distance, normal,
    point: addScaled(ray.origin, ray.direction, hit.distance),
    edge: edge && rotate(pose.orientation, normalize([edge[0] * sx, edge[1] * sy, edge[2] * sz])),
  }
}

/** × triangle: rounding lets no ray pass between two triangles, such as through the middle of a box's face, on its diagonal. */
const SEAM = 1e-9

/** Möller and Trumbore's test for every triangle that faces the ray. */
function hitTriangles({ mesh }: ShapeInstance, o: Vec3, d: Vec3, before: number): { distance: number; triangle: number } | null {
  const { positions: p, indices } = mesh
  let distance = before
  let triangle = -1
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t]!
    const b = 3 * indices[t + 1]!
    const c = 3 * indices[t + 2]!
    const ax = p[a]!, ay = p[a + 1]!, az = p[a + 2]!
    const e1x = p[b]! - ax, e1y = p[b + 1]! - ay, e1z = p[b + 2]! - az
    const e2x = p[c]! - ax, e2y = p[c + 1]! - ay, e2z = p[c + 2]! - az
    const hx = d[1] * e2z - d[2] * e2y
    const hy = d[2] * e2x - d[0] * e2z
    const hz = d[0] * e2y - d[1] * e2x
    const determinant = e1x * hx + e1y * hy + e1z * hz
    if (determinant <= 0) continue
    const sx = o[0] - ax, sy = o[1] - ay, sz = o[2] - az
    const u = sx * hx + sy * hy + sz * hz
    const slack = SEAM * determinant
    if (u < -slack || u > determinant + slack) continue
    const qx = sy * e1z - sz * e1y
    const qy = sz * e1x - sx * e1z
    const qz = sx * e1y - sy * e1x
    const v = d[0] * qx + d[1] * qy + d[2] * qz
    if (v < -slack || u + v > determinant + slack) continue
    const at = (e2x * qx + e2y * qy + e2z * qz) / determinant
    if (at >= 0 && at < distance) {
      distance = at
      triangle = t
    }
  }
  return triangle < 0 ? null : { distance, triangle }
}

/** The shading normal at a point of a triangle: that of the flat face, interpolated on round shapes. */
function normalAt({ mesh }: ShapeInstance, triangle: number, point: Vec3): Vec3 {
  const corner = (k: number): [Vec3, Vec3] => {
    const i = 3 * mesh.indices[triangle + k]!
    const { positions: p, normals: n } = mesh
    return [[p[i]!, p[i + 1]!, p[i + 2]!], [n[i]!, n[i + 1]!, n[i + 2]!]]
  }
  const [[a, na], [b, nb], [c, nc]] = [corner(0), corner(1), corner(2)]
  const area = cross(sub(b, a), sub(c, a))
  const whole = dot(area, area)
  const wb = dot(cross(sub(point, a), sub(c, a)), area) / whole
  const wc = dot(cross(sub(b, a), sub(point, a)), area) / whole
  return normalize(addScaled(addScaled(scale(na, 1 - wb - wc), nb, wb), nc, wc))
}

/** Direction of the edge nearest to a point, in the geometry's axes; only for shapes with straight edges. */
function nearestEdge({ mesh, scale: s }: ShapeInstance, point: Vec3): Vec3 | null {
  if (mesh.axis !== undefined) return mesh.axis
  const { edges } = mesh
  let best = Infinity
  let direction: Vec3 | null = null
  for (let i = 0; i < edges.length; i += 6) {
    const a: Vec3 = [edges[i]! * s[0], edges[i + 1]! * s[1], edges[i + 2]! * s[2]]
    const along: Vec3 = [edges[i + 3]! * s[0] - a[0], edges[i + 4]! * s[1] - a[1], edges[i + 5]! * s[2] - a[2]]
    const to: Vec3 = [point[0] * s[0] - a[0], point[1] * s[1] - a[1], point[2] * s[2] - a[2]]
    const part = Math.min(1, Math.max(0, dot(to, along) / dot(along, along)))
    const off = sub(to, scale(along, part))
    const squared = dot(off, off)
    if (squared < best) {
      best = squared
      direction = [edges[i + 3]! - edges[i]!, edges[i + 4]! - edges[i + 1]!, edges[i + 5]! - edges[i + 2]!]
    }
  }
  return direction
}

/** Bodies with a vertex in a rectangle of the picture, or under its centre. */
export function bodiesInRectangle(
  scene: PosedScene, inside: (point: Vec3) => boolean, middle: Ray, wanted: (body: number) => boolean,
): number[] {
  const found: number[] = []
  for (let b = 0; b < scene.count; b++) {
    if (!wanted(b) || !scene.exists(b) || scene.plan.shapes[b]!.length === 0) continue
    const pose = scene.pose(b)
    if (scene.plan.shapes[b]!.some(shape => someVertex(shape, composePoses(pose, shape.pose), inside))) found.push(b)
  }
  const under = castRay(scene, middle, wanted)
  if (under && scene.plan.shapes[under.body]!.length > 0 && !found.includes(under.body)) found.push(under.body)
  return found
}

function someVertex(shape: ShapeInstance, pose: Pose, inside: (point: Vec3) => boolean): boolean {
  const p = shape.mesh.positions
  // Round shapes have many vertices close together, of which a sample is enough.
  const step = 3 * Math.max(1, Math.floor(p.length / 3 / 200))
  for (let i = 0; i < p.length; i += step) {
    if (inside(toOuter(pose, [p[i]! * shape.scale[0], p[i + 1]! * shape.scale[1], p[i + 2]! * shape.scale[2]]))) return true
  }
  return false
}

/**
 * What of a scene is drawn as solid bodies: instances grouped by geometry, and per body what picking and framing need. Plain data, made from
 * the document when shapes or materials change; poses come separately and often.
 */

import { materialsOf, bodiesOf, colorOf, orientationOf, positionOf, shapesOf, typeOf } from '../state/scene-access'
import type { Body, Scene, Shape, ShapeOf } from '../../core/scene'
import { toOuter, type Pose } from '../../core/math/pose'
import { length, normalize, scale, type Vec3 } from '../../core/math/vector'
import { normalizeQuaternion, rotate } from '../../core/math/quaternion'
import { parseColor, tint } from './color'
import { boundingRadius, type DrawingMesh } from './geometry/drawing-mesh'
import { COARSE, FINE, type Detail } from './geometry/round'
import { drawingOf, pieceDrawings, type ShapeDrawing } from './geometry/shape-drawing'

export interface ShapeInstance {
  /** Index of the body in the scene, and of the shape in the body. */
  readonly body: number
  readonly shape: number
  readonly mesh: DrawingMesh
  readonly scale: Vec3
  /** In the body frame. */
  readonly pose: Pose
  /** Radius about the shape's origin, m. */
  readonly radius: number
  /** In the order of `BODY_LAYOUT`. */
  readonly attributes: Float32Array
}

/** A half-space as a plane in its body's frame. */
export interface PlaneInstance {
  readonly body: number
  readonly shape: number
  /** Unit, out of the solid, and a point of the plane, in the body frame. */
  readonly normal: Vec3
  readonly point: Vec3
  readonly color: Vec3
}

export const KINDS = { dynamic: 0, fixed: 1, kinematic: 2 } as const

export interface BodyPlan {
  readonly scene: Scene
  /** Whether meshes are drawn as their convex pieces, each in a tint of its own. */
  readonly pieces: boolean
  readonly groups: ReadonlyMap<string, readonly ShapeInstance[]>
  readonly planes: readonly PlaneInstance[]
  /** By body: its shapes, its kind, the radius about its frame's origin that holds all of them (0 without shapes), m. */
  readonly shapes: readonly (readonly ShapeInstance[])[]
  readonly kinds: Uint8Array
  readonly radii: Float64Array
}

/** Above so many round shapes, fewer triangles each. */
const MANY = 250
const meshes = new Map<string, DrawingMesh>()
const MESHES_KEPT = 2000

export function planBodies(scene: Scene, pieces = false): BodyPlan {
  const bodies = bodiesOf(scene)
  const colors = new Map(materialsOf(scene).map(material => [material.id, parseColor(colorOf(material))]))
  const rounds = bodies.reduce((sum, body) => sum + shapesOf(body).length, 0)
  const detail = rounds > MANY ? COARSE : FINE
  const groups = new Map<string, ShapeInstance[]>()
  const planes: PlaneInstance[] = []
  const radii = new Float64Array(bodies.length)
  const shapes = bodies.map((body, b) => {
    const own: ShapeInstance[] = []
    shapesOf(body).forEach((shape, s) => {
      const color = colors.get(shape.material) ?? parseColor(colorOf(undefined))
      if (shape.type === 'halfSpace') {
        planes.push(planeOf(shape, b, s, color))
        return
      }
      const parts = pieces && shape.type === 'mesh' ? pieceDrawings(shape) : []
      const drawings = parts.length > 0 ? parts : [drawingOf(shape)]
      drawings.forEach((drawing, part) => {
        const { key, mesh } = meshOf(drawing, detail)
        const instance = instanceOf(b, s, shape, mesh, drawing.scale, parts.length > 0 ? tint(color, part) : color)
        own.push(instance)
        const group = groups.get(key)
        if (group) group.push(instance)
        else groups.set(key, [instance])
        radii[b] = Math.max(radii[b]!, length(instance.pose.position) + instance.radius)
      })
    })
    return own
  })
  return { scene, pieces, groups, planes, shapes, kinds: Uint8Array.from(bodies, body => KINDS[typeOf(body)]), radii }
}

function meshOf(drawing: ShapeDrawing, detail: Detail): { key: string; mesh: DrawingMesh } {
  const key = drawing.round ? `${drawing.key}/${detail.around}` : drawing.key
  let mesh = meshes.get(key)
  if (!mesh) {
    mesh = drawing.build(detail)
    if (meshes.size >= MESHES_KEPT) meshes.clear()
    meshes.set(key, mesh)
  }
  return { key, mesh }
}

function shapePose(shape: Shape): Pose {
  return { position: positionOf(shape), orientation: normalizeQuaternion(orientationOf(shape)) }
}

function instanceOf(body: number, shape: number, of: Shape, mesh: DrawingMesh, stretch: Vec3, color: Vec3): ShapeInstance {
  const pose = shapePose(of)
  const attributes = Float32Array.of(body, shape, ...pose.position, ...pose.orientation, ...stretch, ...color)
  return { body, shape, mesh, scale: stretch, pose, radius: boundingRadius(mesh, stretch), attributes }
}

function planeOf(shape: ShapeOf<'halfSpace'>, body: number, index: number, color: Vec3): PlaneInstance {
  const pose = shapePose(shape)
  const size = length(shape.normal) || 1
  const normal = normalize(shape.normal)
  return {
    body, shape: index, color,
    normal: rotate(pose.orientation, normal),
    point: toOuter(pose, scale(normal, shape.offset / size)),
  }
}

/** Whether the two scenes differ in nothing that a plan depends on. */
export function samePlan(a: Scene, b: Scene): boolean {
  if (a === b) return true
  const bodiesA = bodiesOf(a)
  const bodiesB = bodiesOf(b)
  return a.materials === b.materials && bodiesA.length === bodiesB.length
    && (bodiesA === bodiesB || bodiesA.every((body, i) => sameDrawing(body, bodiesB[i]!)))
}

function sameDrawing(a: Body, b: Body): boolean {
  return a === b || (a.shapes === b.shapes && a.type === b.type && a.id === b.id)
}

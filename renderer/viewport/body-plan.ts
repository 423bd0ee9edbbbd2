/**
 * The solid bodies to draw: instances grouped by geometry, and per body the data for picking and framing. Plain data, rebuilt when shapes or
 * materials of the document change; poses are passed separately, since they change every frame.
 */

import { materialsOf, bodiesOf, colorOf, orientationOf, positionOf, shapesOf, typeOf } from '../state/scene-access'
import type { DrawnBy } from '../state/view'
import type { Body, Scene, Shape, ShapeOf, Visual } from '../../core/scene'
import { toOuter, type Pose } from '../../core/math/pose'
import { length, normalize, scale, type Vec3 } from '../../core/math/vector'
import { normalizeQuaternion, rotate } from '../../core/math/quaternion'
import { parseColor, tint } from './color'
import { boundingRadius, type DrawingMesh } from './geometry/drawing-mesh'
import { COARSE, FINE, type Detail } from './geometry/round'
import { drawingOf, pieceDrawings, type ShapeDrawing } from '../shapes'
import type { DecomposedMesh } from '../../main/protocol/meshes'
import { samePieces } from '../modelling/deviation'
import { contentKey } from '../shapes/drawing'
import { visualDrawing } from './geometry/visual-drawing'

export interface ShapeInstance {
  /** Index of the body in the scene, and of the shape in the body. A body's visuals have the indices −1, −2, … */
  readonly body: number
  readonly shape: number
  readonly mesh: DrawingMesh
  readonly scale: Vec3
  /** In the body frame. */
  readonly pose: Pose
  /** Radius about the shape's origin, m. */
  readonly radius: number
  /** Its picture among those of the plan; −1 without one. */
  readonly picture: number
  /** In the order of `BODY_LAYOUT`. */
  readonly attributes: Float32Array
}

/** A half-space as a plane in its body's frame. */
export interface PlaneInstance {
  readonly body: number
  readonly shape: number
  /** Unit normal that points out of the solid, and a point of the plane; body frame. */
  readonly normal: Vec3
  readonly point: Vec3
  readonly color: Vec3
}

export const KINDS = { dynamic: 0, fixed: 1, kinematic: 2 } as const

/** Options for drawing bodies. */
export interface Drawn {
  /** Which geometry is drawn: visuals where a body has them, collision shapes, or visuals with the edges of the shapes. */
  readonly by: DrawnBy
  /** Draws meshes as their convex pieces, each in its own tint. */
  readonly pieces: boolean
  /** Meshes drawn as their pieces with colours of their own, if they still have these pieces. */
  readonly coloured: readonly ColouredPieces[]
}

export interface ColouredPieces {
  readonly body: string
  readonly shape: number
  readonly pieces: DecomposedMesh['pieces']
  readonly mesh: DrawingMesh
}

export const AS_THEY_LOOK: Drawn = { by: 'visuals', pieces: false, coloured: [] }

export interface BodyPlan {
  readonly scene: Scene
  readonly drawn: Drawn
  readonly groups: ReadonlyMap<string, readonly ShapeInstance[]>
  readonly planes: readonly PlaneInstance[]
  /** Pictures of the textures in use, in base64. */
  readonly pictures: readonly string[]
  /** Per body: its shapes, its kind, and the radius about its frame's origin that contains all of them (m; 0 without shapes). */
  readonly shapes: readonly (readonly ShapeInstance[])[]
  readonly kinds: Uint8Array
  readonly radii: Float64Array
}

/** Scenes with more round shapes than this use fewer triangles for each. */
const MANY = 250
const meshes = new Map<string, DrawingMesh>()
const MESHES_KEPT = 2000

export function planBodies(scene: Scene, drawn = AS_THEY_LOOK): BodyPlan {
  const bodies = bodiesOf(scene)
  const colors = new Map(materialsOf(scene).map(material => [material.id, parseColor(colorOf(material))]))
  const rounds = bodies.reduce((sum, body) => sum + shapesOf(body).length, 0)
  const detail = rounds > MANY ? COARSE : FINE
  const surfaces = new Map((scene.meshes ?? []).map(mesh => [mesh.id, mesh]))
  const textures = new Map((scene.textures ?? []).map(({ id, picture }) => [id, picture]))
  const pictures: string[] = []
  const pictureOf = (visual: Visual): number => {
    const picture = visual.type === 'mesh' ? textures.get(visual.texture ?? '') : undefined
    if (picture === undefined) return -1
    const known = pictures.indexOf(picture)
    return known < 0 ? pictures.push(picture) - 1 : known
  }
  const groups = new Map<string, ShapeInstance[]>()
  const planes: PlaneInstance[] = []
  const radii = new Float64Array(bodies.length)
  const shapes = bodies.map((body, b) => {
    const own: ShapeInstance[] = []
    const add = (key: string, instance: ShapeInstance) => {
      own.push(instance)
      const group = groups.get(key)
      if (group) group.push(instance)
      else groups.set(key, [instance])
      radii[b] = Math.max(radii[b]!, length(instance.pose.position) + instance.radius)
    }
    // Pieces are drawn instead of the look.
    const isInPieces = drawn.pieces && drawn.by === 'visuals' && shapesOf(body).some(shape => shape.type === 'mesh' && shape.pieces)
    const visuals = drawn.by === 'shapes' || isInPieces ? [] : body.visuals ?? []
    visuals.forEach((visual, v) => {
      const drawing = visualDrawing(visual, surfaces)
      if (drawing === null) return
      const { key, mesh } = meshOf(drawing, detail)
      const picture = mesh.uv === undefined ? -1 : pictureOf(visual)
      add(picture < 0 ? key : `${key}/picture`, instanceOf(b, -1 - v, visual, mesh, drawing.scale, parseColor(visual.color ?? colorOf(undefined)), picture))
    })
    shapesOf(body).forEach((shape, s) => {
      const color = colors.get(shape.material) ?? parseColor(colorOf(undefined))
      if (shape.type === 'halfSpace') {
        planes.push(planeOf(shape, b, s, color))
        return
      }
      if (visuals.length > 0 && drawn.by === 'visuals') return
      const coloured = shape.type === 'mesh' && drawn.pieces ? drawn.coloured.find(one => one.body === body.id && one.shape === s) : undefined
      if (coloured && shape.type === 'mesh' && samePieces(shape.pieces, coloured.pieces)) {
        add(`${contentKey(coloured.mesh, 'coloured')}`, instanceOf(b, s, shape, coloured.mesh, [1, 1, 1], [1, 1, 1]))
        return
      }
      const parts = drawn.pieces && shape.type === 'mesh' ? pieceDrawings(shape) : []
      const whole = drawingOf(shape)
      const drawings = parts.length > 0 || whole === null ? parts : [whole]
      drawings.forEach((drawing, part) => {
        const { key, mesh } = visuals.length > 0 ? edgesOf(meshOf(drawing, detail)) : meshOf(drawing, detail)
        add(key, instanceOf(b, s, shape, mesh, drawing.scale, parts.length > 0 ? tint(color, part) : color))
      })
    })
    return own
  })
  return { scene, drawn, groups, planes, pictures, shapes, kinds: Uint8Array.from(bodies, body => KINDS[typeOf(body)]), radii }
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

const NONE = new Float32Array(0)

/** Shapes of bodies with visuals are drawn as outlines only. */
function edgesOf({ key, mesh }: { key: string; mesh: DrawingMesh }): { key: string; mesh: DrawingMesh } {
  return { key: `${key}/edges`, mesh: { ...mesh, positions: NONE, normals: NONE, indices: new Uint32Array(0) } }
}

function shapePose(shape: Shape | Visual): Pose {
  return { position: positionOf(shape), orientation: normalizeQuaternion(orientationOf(shape)) }
}

function instanceOf(body: number, shape: number, of: Shape | Visual, mesh: DrawingMesh, stretch: Vec3, color: Vec3, picture = -1): ShapeInstance {
  const pose = shapePose(of)
  const attributes = Float32Array.of(body, shape, ...pose.position, ...pose.orientation, ...stretch, ...color)
  return { body, shape, mesh, scale: stretch, pose, radius: boundingRadius(mesh, stretch), picture, attributes }
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

/** Whether the two scenes have the same plan. */
export function samePlan(a: Scene, b: Scene): boolean {
  if (a === b) return true
  const bodiesA = bodiesOf(a)
  const bodiesB = bodiesOf(b)
  return a.materials === b.materials && a.meshes === b.meshes && a.textures === b.textures && bodiesA.length === bodiesB.length
    && (bodiesA === bodiesB || bodiesA.every((body, i) => sameDrawing(body, bodiesB[i]!)))
}

function sameDrawing(a: Body, b: Body): boolean {
  return a === b || (a.shapes === b.shapes && a.visuals === b.visuals && a.type === b.type && a.id === b.id)
}

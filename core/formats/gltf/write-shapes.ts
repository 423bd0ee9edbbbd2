/** Shapes of the scene as nodes with a visual mesh and a collider. */

import { composePoses, type Pose } from '../../math/pose'
import { solidsOf } from '../../analysis/solids'
import { addScaled } from '../../math/vector'
import type { MeshAsset, ResolvedBody, ResolvedShape } from '../../scene'
import type { Losses } from '../shared/losses'
import { fromZTo } from '../shared/rotations'
import { curvedName, surfaceOf } from '../shared/surface'
import { pictureOfVisual, seenSurface, shapeOfVisual, type WrittenPicture } from '../shared/visuals'
import { sizesToYUp, toYUp, turnToYUp } from './axes'
import type { GltfBuilder } from './build'
import { RIGID_BODIES, type GltfNode } from './json'

/** Corners of a circle if a round shape is exported as a hull of points. */
const HULL_AROUND = 32

export interface ShapeContext {
  readonly builder: GltfBuilder
  readonly name: string
  /** JSON path of the shape. */
  readonly where: string
  /** Of the mesh that is seen. */
  readonly material: number
  /** Whether the shape is also the body's appearance. */
  readonly shown: boolean
  /** Null if nothing collides, as in animations. */
  readonly physicsMaterial: number | null
  /** m, half the side of the square that represents a half-space. */
  readonly extent: number
  /** Index of the collider's filter; null if it touches everything. */
  readonly collisionFilter: number | null
  readonly implicit: (shape: object) => number
  readonly losses: Losses
}

/** Indices of the shape's nodes below its body. */
export function shapeNodes(shape: ResolvedShape, context: ShapeContext): number[] {
  const { builder, name, physicsMaterial, collisionFilter, where, losses } = context
  const collides = physicsMaterial !== null
  const own: Pose = { position: shape.position, orientation: shape.orientation }
  const add = (geometry: object | null, mesh: number | null, at: Pose, suffix = ''): number => {
    const collider = { geometry, physicsMaterial, ...collisionFilter === null ? {} : { collisionFilter } }
    const extensions = geometry === null || !collides ? {} : { extensions: { [RIGID_BODIES]: { collider } } }
    return builder.node({ name: `${name}${suffix}`, ...placing(at), ...mesh === null || !context.shown ? {} : { mesh }, ...extensions })
  }
  // The shape itself, not a copy without its pose, so that its cached solid is used.
  const seen = (of: ResolvedShape = shape, around?: number): number =>
    builder.mesh(keyOf(of, around), context.material, () => surfaceOf(of, context.extent, around))
  const implicit = (kind: string, sizes: object, at = own): number[] =>
    [add(collides ? { shape: context.implicit({ type: kind, [kind]: sizes }) } : null, seen(), at)]
  const hull = (): number[] => {
    const mesh = seen(undefined, HULL_AROUND)
    return [add({ mesh, convexHull: true }, mesh, own)]
  }
  switch (shape.type) {
    case 'box':
      return implicit('box', { size: sizesToYUp(shape.size) })
    case 'sphere':
      return implicit('sphere', { radius: shape.radius })
    case 'capsule':
    case 'cylinder':
      return implicit(shape.type, { height: shape.height, radiusTop: shape.radius, radiusBottom: shape.radius })
    case 'cone': {
      if (!collides) return [add(null, seen(), own)]
      // A cylinder with one zero radius has its origin at half its height.
      const half = composePoses(own, { position: [0, 0, shape.height / 2], orientation: [0, 0, 0, 1] })
      const collider = add({ shape: context.implicit({ type: 'cylinder', cylinder: { height: shape.height, radiusTop: 0, radiusBottom: shape.radius } }) }, null, half)
      if (context.shown) builder.json.nodes[collider]!.children = [marked(builder, add(null, seen(), { position: [0, 0, -shape.height / 2], orientation: [0, 0, 0, 1] }, ':seen'))]
      return [collider]
    }
    case 'halfSpace': {
      const upright: ResolvedShape = { ...shape, normal: [0, 0, 1], offset: 0, position: [0, 0, 0], orientation: [0, 0, 0, 1] }
      const at = composePoses(own, { position: addScaled([0, 0, 0], shape.normal, shape.offset), orientation: fromZTo(shape.normal) })
      return [add(collides ? { shape: context.implicit({ type: 'plane', plane: {} }) } : null, seen(upright), at)]
    }
    case 'ellipsoid':
    case 'superquadric':
    case 'implicit':
    case 'parametric':
      if (collides) losses.add(where, `glTF has no ${curvedName(shape)}`, 'the convex hull of points on its surface')
      return hull()
    case 'convexHull':
    case 'polyhedron':
      if (collides) tellRounding(shape.type === 'convexHull' ? shape.points : shape.vertices, where, losses)
      return hull()
    case 'mesh': {
      if (shape.pieces === undefined && shape.vertices === undefined) {
        losses.add(where, `the mesh "${shape.file ?? ''}" is in a file, and its pieces have not been found`, 'nothing: cut it into convex pieces first')
        return []
      }
      if (!collides || shape.pieces === undefined) return [add(shape.pieces === undefined ? { mesh: seen() } : null, seen(), own)]
      losses.add(where, 'a mesh in convex pieces is several colliders', `${shape.pieces.length} convex hulls, and the mesh to be seen`)
      const pieces = solidsOf(shape).map((_, k): ResolvedShape => ({ type: 'convexHull', points: shape.pieces![k]!.points, material: shape.material, position: [0, 0, 0], orientation: [0, 0, 0, 1] }))
      return [
        ...context.shown ? [marked(builder, add(null, seen(), own, ':seen'))] : [],
        ...pieces.map((piece, k) => add({ mesh: builder.mesh(keyOf(piece), context.material, () => surfaceOf(piece, context.extent)), convexHull: true }, null, own, `:${k}`)),
      ]
    }
  }
}

/** Marks the visual node of a collider, so that it is not read back as a separate visual. */
function marked(builder: GltfBuilder, node: number): number {
  builder.json.nodes[node]!.extras = { cairn: { shape: true } }
  return node
}

/** What visuals refer to. */
export interface VisualAssets {
  readonly meshes: ReadonlyMap<string, MeshAsset>
  readonly pictures: ReadonlyMap<string, WrittenPicture>
}

/** Node indices of a body's visuals. */
export function visualNodes(body: ResolvedBody, index: number, { meshes, pictures }: VisualAssets, builder: GltfBuilder, losses: Losses): number[] {
  return (body.visuals ?? []).map((visual, k) => {
    const where = `bodies[${index}].visuals[${k}]`
    const seen = seenSurface(visual, meshes)
    if (visual.type !== 'mesh') losses.add(where, `glTF shows no ${visual.type}`, 'a mesh that looks like it')
    else tellRounding(seen.vertices, where, losses)
    const key = visual.type === 'mesh' ? `visual ${visual.mesh}` : keyOf(shapeOfVisual(visual, meshes))
    const pictured = pictureOfVisual(visual, pictures)
    const texture = pictured && builder.texture(pictured.id, `image/${pictured.picture.kind}`, pictured.picture.data)
    const name = pictured === null ? visual.color : `${pictured.id} ${visual.color}`
    const mesh = builder.mesh(key, builder.material(name, visual.color, false, texture), () => seen)
    return builder.node({ name: `${body.id}:visual:${k}`, ...placing(visual), mesh })
  })
}

/** Vertices of meshes are written in single precision. */
function tellRounding(points: readonly (readonly number[])[], where: string, losses: Losses): void {
  let worst = 0
  for (const point of points) {
    for (const x of point) worst = Math.max(worst, Math.abs(Math.fround(x) - x))
  }
  if (worst > 0) losses.add(where, 'glTF keeps vertices in single precision', `points rounded by at most ${worst.toExponential(1)} m`)
}

function keyOf({ material: _, position: _position, orientation: _orientation, ...shape }: ResolvedShape, around = 0): string {
  return JSON.stringify([shape, around])
}

/** Position and rotation keys of a node, in glTF's axes. */
export function placing({ position, orientation }: Pose): Pick<GltfNode, 'translation' | 'rotation'> {
  return {
    ...position.some(x => x !== 0) ? { translation: toYUp(position) } : {},
    ...orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0 ? { rotation: turnToYUp(orientation) } : {},
  }
}

/** Colliders of a stage as shapes of the scene: gprims with their scale [UsdGeom, UsdPhysicsMeshCollisionAPI]. */

import type { Mesh } from '../../geometry/mesh'
import { composePoses, IDENTITY_POSE, type Pose } from '../../math/pose'
import { multiplyQuaternions, rotate, type Quat } from '../../math/quaternion'
import { add, type Vec3 } from '../../math/vector'
import type { Shape } from '../../scene'
import { NO_SHEAR, relativeAffine, splitAffine } from '../shared/affine'
import type { Losses } from '../shared/losses'
import { scaledMesh } from '../shared/meshes'
import { boundingBox, boundingRadius, solidOfMesh } from '../shared/mesh-solid'
import { numberOf, stringOf, valueOf, type UsdPrim, type UsdValue } from './layer'
import type { PlacedPrim } from './stage'

type Sized = Shape extends infer S ? S extends Shape ? Omit<S, 'material' | 'position' | 'orientation'> : never : never

/** Rotation from local z to the prim's axis. */
const TURNS: Readonly<Record<string, Quat>> = { X: [0.5, 0.5, 0.5, 0.5], Y: [-0.5, -0.5, -0.5, 0.5], Z: [0, 0, 0, 1] }
/** Ratio up to which two scales count as equal: files have single precision. */
const SAME_SCALE = 1e-6
export const GPRIMS = ['Cube', 'Sphere', 'Capsule', 'Capsule_1', 'Cylinder', 'Cylinder_1', 'Cone', 'Plane', 'Mesh']

/** The shape in the body's frame, without its material; null, with a loss, if there is none. */
export function shapeOfPrim(placed: PlacedPrim, body: Pose, moves: boolean, losses: Losses): Sized & { position?: Vec3; orientation?: Quat } | null {
  const { prim } = placed
  const { pose, scale, shear } = splitAffine(relativeAffine(body, placed.world))
  if (shear > NO_SHEAR) losses.add(prim.path, `it is sheared by ${shear.toPrecision(3)}`, 'the shape without shear')
  const axis = stringOf(prim, 'axis', 'Z').toUpperCase()
  const turn = TURNS[axis] ?? TURNS.Z!
  const along = Math.abs(scale['XYZ'.indexOf(axis)] ?? scale[2])
  const [p, q] = [0, 1, 2].filter(k => 'XYZ'[k] !== axis).map(k => Math.abs(scale[k]!)) as [number, number]
  const mirroredAxis = axis === 'Z' && scale[2] < 0
  const at = (sized: Sized, inner: Pose = IDENTITY_POSE) => ({ ...sized, ...written(composePoses(pose, inner)) })
  const radial = (factor: number, other: number, what: string): number => {
    const most = Math.max(factor, other)
    if (Math.abs(factor - other) > SAME_SCALE * most) losses.add(prim.path, `a ${what} with non-uniform scale is not a ${what}`, `one with the larger scale, ${most.toPrecision(6)}`)
    return same(factor, other)
  }
  const turned: Pose = { position: [0, 0, 0], orientation: turn }
  switch (prim.type) {
    case 'Cube': {
      const size = numberOf(prim, 'size', 2)
      return at({ type: 'box', size: scale.map(factor => size * Math.abs(factor)) as unknown as Vec3 })
    }
    case 'Sphere': {
      const radius = numberOf(prim, 'radius', 1)
      const radii = scale.map(factor => radius * Math.abs(factor)) as unknown as Vec3
      const even = Math.max(...radii) - Math.min(...radii) <= SAME_SCALE * Math.max(...radii)
      return at(even ? { type: 'sphere', radius: radii[0] } : { type: 'ellipsoid', radii })
    }
    case 'Capsule':
    case 'Capsule_1': {
      const factor = radial(radial(p, q, 'capsule'), along, 'capsule')
      const ends = [numberOf(prim, 'radiusTop', 0.5), numberOf(prim, 'radiusBottom', 0.5)] as const
      if (prim.type === 'Capsule_1' && ends[0] !== ends[1]) losses.add(prim.path, 'a capsule with two different radii', 'one with the larger radius')
      const radius = prim.type === 'Capsule' ? numberOf(prim, 'radius', 0.5) : Math.max(...ends)
      return at({ type: 'capsule', radius: radius * factor, height: numberOf(prim, 'height', 1) * factor }, turned)
    }
    case 'Cylinder':
    case 'Cylinder_1': {
      const ends = [numberOf(prim, 'radiusTop', 1), numberOf(prim, 'radiusBottom', 1)] as const
      if (prim.type === 'Cylinder_1' && ends[0] !== ends[1]) losses.add(prim.path, 'a cylinder with two different radii', 'one with the larger radius')
      const radius = prim.type === 'Cylinder' ? numberOf(prim, 'radius', 1) : Math.max(...ends)
      return at({ type: 'cylinder', radius: radius * radial(p, q, 'cylinder'), height: numberOf(prim, 'height', 2) * along }, turned)
    }
    case 'Cone': {
      const height = numberOf(prim, 'height', 2) * along
      const apexUp = !mirroredAxis
      const inner: Pose = apexUp ? turned : { position: [0, 0, 0], orientation: multiplyQuaternions(turn, [1, 0, 0, 0]) }
      const base = add(inner.position, rotate(inner.orientation, [0, 0, -height / 2]))
      return at({ type: 'cone', radius: numberOf(prim, 'radius', 1) * radial(p, q, 'cone'), height }, { position: base, orientation: inner.orientation })
    }
    case 'Plane':
      return at({ type: 'halfSpace', normal: [0, 0, mirroredAxis ? -1 : 1], offset: 0 }, turned)
    case 'Mesh':
      return meshShape(prim, scale, pose, moves, losses)
  }
  losses.add(prim.path, `a ${prim.type === '' ? 'prim without a type' : prim.type} is not a solid`, 'nothing')
  return null
}

function meshShape(prim: UsdPrim, scale: Vec3, pose: Pose, moves: boolean, losses: Losses): ReturnType<typeof shapeOfPrim> {
  const mesh = meshOf(prim)
  if (mesh === null) {
    losses.add(prim.path, 'its faces refer to points that do not exist', 'nothing')
    return null
  }
  const scaled = scaledMesh(mesh, scale)
  const approximation = stringOf(prim, 'physics:approximation', 'none')
  if (approximation === 'boundingCube' || approximation === 'boundingSphere') {
    const { center, size } = boundingBox(scaled.vertices)
    const placed = written(composePoses(pose, { position: center, orientation: [0, 0, 0, 1] }))
    return approximation === 'boundingCube' ? { type: 'box', size, ...placed } : { type: 'sphere', radius: boundingRadius(scaled.vertices, center), ...placed }
  }
  const solid = solidOfMesh(scaled, approximation === 'convexHull', moves)
  if (solid === null) {
    losses.add(prim.path, 'its surface encloses nothing', 'nothing')
    return null
  }
  for (const [message, instead] of solid.losses) losses.add(prim.path, message, instead)
  return { ...solid.shape, ...written(pose) } as ReturnType<typeof shapeOfPrim>
}

/** Points and faces of a Mesh, counter-clockwise from outside; null for invalid indices. */
export function meshOf(prim: UsdPrim): Mesh | null {
  const points = listOf(valueOf(prim, 'points'))
  const counts = listOf(valueOf(prim, 'faceVertexCounts'))
  const indices = listOf(valueOf(prim, 'faceVertexIndices'))
  const vertices: Vec3[] = []
  for (const p of points) {
    if (!Array.isArray(p) || p.length !== 3 || !p.every(Number.isFinite)) return null
    vertices.push([p[0] as number, p[1] as number, p[2] as number])
  }
  const faces: number[][] = []
  let next = 0
  const turned = stringOf(prim, 'orientation', 'rightHanded') === 'leftHanded'
  for (const count of counts) {
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || next + count > indices.length) return null
    const face = indices.slice(next, next + count)
    if (!face.every((i): i is number => typeof i === 'number' && Number.isInteger(i) && i >= 0 && i < vertices.length)) return null
    if (count >= 3) faces.push(turned ? [...face].reverse() : [...face])
    next += count
  }
  return vertices.length > 0 ? { vertices, faces } : null
}

function listOf(value: UsdValue | undefined): readonly UsdValue[] {
  return Array.isArray(value) ? value as readonly UsdValue[] : []
}

function same(a: number, b: number): number {
  return Math.abs(a - b) <= SAME_SCALE * Math.max(a, b) ? a : Math.max(a, b)
}

/** Keys of a pose that differ from the default. */
export function written({ position, orientation }: Pose): { position?: Vec3; orientation?: Quat } {
  return {
    ...position.some(x => x !== 0) ? { position } : {},
    ...orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0 ? { orientation } : {},
  }
}

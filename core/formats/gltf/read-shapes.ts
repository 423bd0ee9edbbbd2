/** Colliders of glTF nodes as shapes of the scene. */

import { composePoses, type Pose } from '../../math/pose'
import type { Quat } from '../../math/quaternion'
import { scale as scaled, type Vec3 } from '../../math/vector'
import type { Shape } from '../../scene'
import { NO_SHEAR, relativeAffine, splitAffine } from '../shared/affine'
import type { Losses } from '../shared/losses'
import { scaledMesh } from '../shared/meshes'
import { solidOfMesh } from '../shared/mesh-solid'
import { sizesToZUp } from './axes'
import type { OpenedGltf } from './container'
import { arrayOf, objectOf } from './json'
import type { Collider } from './physics'
import { meshOf } from './read-meshes'
import { placeOf, type PlacedNode } from './read-nodes'

export type Unmaterialized = Shape extends infer S ? S extends Shape ? Omit<S, 'material'> : never : never

/** Ratio up to which two scales count as equal. */
const SAME_SCALE = 1e-6

/** Returns several shapes if the collider is a node with meshes below it. Unsupported shapes become losses. */
export function shapesOfCollider(
  gltf: OpenedGltf, placed: PlacedNode, collider: Collider, body: Pose, nodes: ReadonlyMap<number, PlacedNode>, moves: boolean, losses: Losses,
): Unmaterialized[] {
  const where = placeOf(placed)
  const { pose, scale, shear } = splitAffine(relativeAffine(body, placed.world))
  if (shear > NO_SHEAR) losses.add(where, `it is sheared by ${shear.toPrecision(3)}`, 'the shape without shear')
  if (collider.shape !== null) {
    const shape = implicitShape(collider.shape, pose, scale, where, losses)
    return shape === null ? [] : [shape]
  }
  const meshes: { readonly index: number; readonly pose: Pose; readonly scale: Vec3 }[] = []
  const add = (index: number | undefined, at: { readonly pose: Pose; readonly scale: Vec3 }): void => {
    if (index !== undefined) meshes.push({ index, ...at })
  }
  if (collider.mesh !== null) add(collider.mesh, { pose, scale })
  else {
    const source = collider.node === null ? placed : nodes.get(collider.node) ?? placed
    const base = collider.node === null || source === placed ? body : null
    for (const one of [source, ...[...nodes.values()].filter(node => isBelow(node, source))]) {
      const at = base === null ? relativeAffine(source.split.pose, one.world) : relativeAffine(base, one.world)
      const split = splitAffine(at)
      add(one.node.mesh, base === null ? { pose: composePoses(pose, split.pose), scale: split.scale } : split)
    }
  }
  const shapes = meshes.flatMap(one => meshShape(gltf, one.index, one.pose, one.scale, collider.convexHull, moves, where, losses))
  if (meshes.length === 0) losses.add(where, 'its collider has neither a shape nor a mesh', 'nothing')
  return shapes
}

function isBelow(node: PlacedNode, above: PlacedNode): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at === above) return true
  return false
}

function meshShape(gltf: OpenedGltf, index: number, pose: Pose, scale: Vec3, hull: boolean, moves: boolean, where: string, losses: Losses): Unmaterialized[] {
  const mesh = meshOf(gltf, index)
  const solid = mesh === null ? null : solidOfMesh(scaledMesh(mesh, scale), hull, moves)
  if (solid === null) {
    losses.add(where, `mesh ${index} ${mesh === null ? 'has no triangles, or its data were not found' : 'encloses nothing'}`, 'nothing')
    return []
  }
  for (const [message, instead] of solid.losses) losses.add(where, message, instead)
  return [{ ...solid.shape, ...written(pose) } as Unmaterialized]
}

function implicitShape(shape: Readonly<Record<string, unknown>>, pose: Pose, scale: Vec3, where: string, losses: Losses): Unmaterialized | null {
  const type = String(shape.type)
  const sizes = objectOf(shape[type])
  const number = (key: string, absent: number): number => typeof sizes[key] === 'number' && Number.isFinite(sizes[key]) ? sizes[key] : absent
  const [sx, sy, sz] = scale.map(Math.abs) as [number, number, number]
  const even = Math.max(sx, sy, sz) - Math.min(sx, sy, sz) <= SAME_SCALE * Math.max(sx, sy, sz)
  const roundEven = Math.abs(sx - sy) <= SAME_SCALE * Math.max(sx, sy)
  const at = (sized: object, inner: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] }): Unmaterialized =>
    ({ ...sized, ...written(composePoses(pose, inner)) }) as Unmaterialized
  switch (type) {
    case 'box': {
      const size = arrayOf(sizes.size).map(Number)
      const [x, y, z] = size.length === 3 && size.every(Number.isFinite) ? sizesToZUp(size as unknown as Vec3) : [1, 1, 1]
      return at({ type: 'box', size: [x * sx, y * sy, z * sz] })
    }
    case 'sphere': {
      const radius = number('radius', 0.5)
      return at(even ? { type: 'sphere', radius: radius * sx } : { type: 'ellipsoid', radii: [radius * sx, radius * sy, radius * sz] })
    }
    case 'capsule':
    case 'cylinder': {
      const [top, bottom] = [number('radiusTop', number('radius', 0.25)), number('radiusBottom', number('radius', 0.25))]
      const radius = Math.max(top, bottom)
      // Old files give one radius, and the total height.
      const whole = number('height', 0.5)
      const height = type === 'capsule' && sizes.radius !== undefined ? whole - 2 * radius : whole
      if (type === 'capsule' ? !even : !roundEven) losses.add(where, `a ${type} with non-uniform scale is not a ${type}`, 'one with the larger scale')
      const wide = type === 'capsule' ? Math.max(sx, sy, sz) : Math.max(sx, sy)
      const long = type === 'capsule' ? wide : sz
      if (type === 'cylinder' && (top === 0) !== (bottom === 0)) {
        const up = (top === 0) === (scale[2] >= 0)
        const base: Pose = { position: [0, 0, (up ? -1 : 1) * height * long / 2], orientation: up ? [0, 0, 0, 1] : [1, 0, 0, 0] }
        return at({ type: 'cone', radius: radius * wide, height: height * long }, base)
      }
      if (top !== bottom) losses.add(where, `a ${type} with radii ${top} and ${bottom}`, 'one with the larger radius')
      if (!(height > 0)) return at({ type: 'sphere', radius: radius * wide })
      return at({ type, radius: radius * wide, height: height * long })
    }
    case 'plane':
      if (sizes.sizeX !== undefined || sizes.sizeZ !== undefined) losses.add(where, 'a plane of finite size', 'one without bounds')
      return at({ type: 'halfSpace', normal: [0, 0, 1], offset: 0 })
  }
  losses.add(where, `a shape of type "${type}"`, 'nothing')
  return null
}

/** Keys of a pose that differ from the default. */
export function written({ position, orientation }: Pose): { position?: Vec3; orientation?: Quat } {
  return {
    ...position.some(x => x !== 0) ? { position: scaled(position, 1) } : {},
    ...orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0 ? { orientation } : {},
  }
}

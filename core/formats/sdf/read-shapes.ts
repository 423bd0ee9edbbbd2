/** Collisions of SDFormat as shapes of the scene. */

import type { Mesh } from '../../geometry/mesh'
import { composePoses, type Pose } from '../../math/pose'
import { scale, type Vec3 } from '../../math/vector'
import type { Shape, Visual } from '../../scene'
import { isPlain } from '../mesh'
import { hexOfSrgb } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { scaledMesh, stemOf, type MeshFiles } from '../shared/meshes'
import { textureOf, visualOfShape, visualsOfFile } from '../shared/visuals'
import { heightMap } from './height-maps'
import { solidOfMesh } from '../shared/mesh-solid'
import { childrenOf, numbersOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import { folderOf } from '../shared/paths'
import { at, booleanOf, numberOf, textOf, vectorOf } from './values'

type Placed = Shape extends infer S ? S extends Shape ? Omit<S, 'material'> : never : never

/** m/s: a larger impact threshold for restitution is never reached in practice; SDFormat's default is 100 000. */
const LATE_REBOUND = 100

/** The shape in the link's frame, or null with a loss. @param moves whether the link does */
export async function shapeOf(collision: XmlNode, pose: Pose, moves: boolean, meshes: MeshFiles, draft: SceneDraft): Promise<Placed | null> {
  const where = placeOfNode(collision)
  const lose = (message: string, instead: string): void => draft.losses.add(where, message, instead)
  const geometry = at(collision, 'geometry')
  const kind = geometry?.children[0]
  if (kind === undefined || kind.name === 'empty') {
    lose('a collision without geometry', 'nothing')
    return null
  }
  const put = (sized: object, inner?: Pose): Placed => ({ ...sized, ...written(inner === undefined ? pose : composePoses(pose, inner)) }) as Placed
  const size = (name: string, absent: number): number => numberOf(at(kind, name), absent)
  const positive = (...values: readonly number[]): boolean => {
    const good = values.every(value => value > 0)
    if (!good) lose(`a ${kind.name} of size ${values.join(', ')}`, 'nothing')
    return good
  }
  switch (kind.name) {
    case 'box': {
      const edges = vectorOf(at(kind, 'size'), [1, 1, 1])
      return positive(...edges) ? put({ type: 'box', size: edges }) : null
    }
    case 'sphere': {
      const radius = size('radius', 1)
      return positive(radius) ? put({ type: 'sphere', radius }) : null
    }
    case 'ellipsoid': {
      const radii = vectorOf(at(kind, 'radii'), [1, 1, 1])
      return positive(...radii) ? put({ type: 'ellipsoid', radii }) : null
    }
    case 'capsule':
    case 'cylinder': {
      const [radius, height] = [size('radius', kind.name === 'capsule' ? 0.5 : 1), size('length', 1)]
      if (kind.name === 'capsule' && height === 0 && radius > 0) return put({ type: 'sphere', radius })
      return positive(radius, height) ? put({ type: kind.name, radius, height }) : null
    }
    case 'cone': {
      const [radius, height] = [size('radius', 1), size('length', 1)]
      return positive(radius, height) ? put({ type: 'cone', radius, height }, { position: [0, 0, -height / 2], orientation: [0, 0, 0, 1] }) : null
    }
    case 'plane':
      return put({ type: 'halfSpace', normal: vectorOf(at(kind, 'normal'), [0, 0, 1]), offset: 0 })
    case 'mesh':
      return meshShape(kind, pose, moves, meshes, draft, where)
    case 'heightmap': {
      const solid = heightMap(kind, meshes, name => draft.missing(name), lose)
      return solid && put({ type: 'mesh', ...solid }, { position: vectorOf(at(kind, 'pos'), [0, 0, 0]), orientation: [0, 0, 0, 1] })
    }
    case 'polyline':
      return solid(prism(kind), false, true, pose, lose)
  }
  lose(`a ${kind.name}`, 'nothing')
  return null
}

/** Visuals in the link's frame: one for each look of a mesh file; none, with a loss, if it cannot be shown. */
export async function visualsOf(node: XmlNode, pose: Pose, meshes: MeshFiles, draft: SceneDraft): Promise<Visual[]> {
  const where = placeOfNode(node)
  const color = colorOf(node)
  const map = albedoOf(node)
  const mesh = at(node, 'geometry', 'mesh')
  if (mesh === null) {
    const shape = await shapeOf(node, pose, true, meshes, draft)
    return shape === null ? [] : [visualOfShape({ ...shape, material: '' } as Shape, color, draft) ?? []].flat()
  }
  const uri = textOf(at(mesh, 'uri'), '')
  if (await surfaceOf(mesh, meshes, draft, where) === null) return []
  const found = await meshes.find(uri, folderOf(mesh.file))
  if (found.kind !== 'mesh') return []
  const texture = map === null ? null : textureOf({ file: map.text }, folderOf(map.file), meshes, draft, where)
  return visualsOfFile(found, vectorOf(at(mesh, 'scale'), [1, 1, 1]), stemOf(uri), pose, { color, texture }, draft, meshes, where)
}

/** Reports what a visual's material has and the scene cannot show. */
export function tellLook(visual: XmlNode, draft: SceneDraft): void {
  const where = placeOfNode(visual)
  const script = at(visual, 'material', 'script', 'name')
  if (script !== null) draft.losses.add(where, `the material "${script.text.slice(0, 200)}" of a script`, 'the colour alone')
  const map = albedoOf(visual)
  if (map !== null && at(visual, 'geometry', 'mesh') === null) draft.lostTexture(where, map.text, 'which only meshes can have')
}

/** The base colour picture of a visual's material. */
function albedoOf(visual: XmlNode): XmlNode | null {
  return at(visual, 'material', 'pbr', 'metal', 'albedo_map') ?? at(visual, 'material', 'pbr', 'specular', 'albedo_map')
}

/** Whether a visual has a texture, or a mesh file with an appearance of its own: more than the colour of a shape can show. */
export async function hasLook(visual: XmlNode, meshes: MeshFiles): Promise<boolean> {
  const mesh = at(visual, 'geometry', 'mesh')
  if (mesh !== null && albedoOf(visual) !== null) return true
  if (mesh === null || colorOf(visual) !== null) return false
  const found = await meshes.find(textOf(at(mesh, 'uri'), ''), folderOf(mesh.file))
  return found.kind === 'mesh' && (await found.parts())?.every(isPlain) === false
}

/** Of a visual, #rrggbb. */
function colorOf(visual: XmlNode | null): string | null {
  const diffuse = at(visual, 'material', 'diffuse')
  return diffuse === null || diffuse.text === '' ? null : hexOfSrgb(numbersOf(diffuse.text, diffuse, 'diffuse', [3, 4]))
}

async function meshShape(kind: XmlNode, pose: Pose, moves: boolean, meshes: MeshFiles, draft: SceneDraft, where: string): Promise<Placed | null> {
  const surface = await surfaceOf(kind, meshes, draft, where)
  const hull = kind.attributes.get('optimization') === 'convex_hull'
  return surface === null ? null : solid(surface, hull, moves, pose, (message, instead) => draft.losses.add(where, message, instead))
}

/** The surface of a mesh element, scaled; null if its file cannot be used. */
async function surfaceOf(kind: XmlNode, meshes: MeshFiles, draft: SceneDraft, where: string): Promise<Mesh | null> {
  const uri = textOf(at(kind, 'uri'), '')
  const lose = (message: string, instead: string): void => draft.losses.add(where, message, instead)
  const found = await meshes.find(uri, folderOf(kind.file))
  if (found.kind !== 'mesh') {
    if (found.kind === 'missing') draft.missing(found.path)
    lose(`the mesh "${uri}" ${found.kind === 'missing' ? 'was not found' : `cannot be used: ${found.reason}`}`, 'nothing')
    return null
  }
  if (at(kind, 'submesh') !== null) lose(`a part of the mesh "${uri}"`, 'the whole mesh')
  return scaledMesh(found.mesh, vectorOf(at(kind, 'scale'), [1, 1, 1]))
}

function solid(mesh: Mesh, hull: boolean, moves: boolean, pose: Pose, lose: (message: string, instead: string) => void): Placed | null {
  const made = solidOfMesh(mesh, hull, moves)
  if (made === null) {
    lose('its surface encloses nothing', 'nothing')
    return null
  }
  for (const [message, instead] of made.losses) lose(message, instead)
  return { ...made.shape, ...written(pose) } as Placed
}

/** An extruded polygon from the plane z = 0 to its height. */
function prism(kind: XmlNode): Mesh {
  const points = childrenOf(kind, 'point').map(point => numbersOf(point.text, point, 'point', [2]))
  const height = numberOf(at(kind, 'height'), 1)
  const n = points.length
  const area = points.reduce((sum, p, i) => sum + p[0]! * points[(i + 1) % n]![1]! - points[(i + 1) % n]![0]! * p[1]!, 0)
  const loop = area < 0 ? [...points].reverse() : points
  const vertices: Vec3[] = [...loop.map((p): Vec3 => [p[0]!, p[1]!, 0]), ...loop.map((p): Vec3 => [p[0]!, p[1]!, height])]
  const faces = [
    loop.map((_, i) => n - 1 - i), loop.map((_, i) => n + i), ...loop.map((_, i) => [i, (i + 1) % n, n + (i + 1) % n, n + i]),
  ]
  return { vertices, faces: n >= 3 ? faces : [] }
}

/** The scene's material of a collision. @param visual source of its colour */
export function materialOf(collision: XmlNode, visual: XmlNode | null, draft: SceneDraft): string {
  const where = placeOfNode(collision)
  const lose = (message: string, instead: string): void => draft.losses.add(where, message, instead)
  const surface = at(collision, 'surface')
  const friction = at(surface, 'friction')
  const mu = numberOf(at(friction, 'ode', 'mu'), 1)
  const mu2 = numberOf(at(friction, 'ode', 'mu2'), mu)
  if (mu2 !== mu) lose(`friction ${mu} in one direction and ${mu2} in the other`, 'the first coefficient in all directions')
  const spin = at(friction, 'torsional')
  let torsional = 0
  if (spin !== null && numberOf(at(spin, 'coefficient'), 1) > 0) {
    if (booleanOf(at(spin, 'use_patch_radius'), true)) torsional = 3 * Math.PI / 16 * numberOf(at(spin, 'coefficient'), 1) * numberOf(at(spin, 'patch_radius'), 0)
    else lose('torsional friction given by the radius of the surface', 'none')
  }
  const bounce = at(surface, 'bounce')
  const restitution = numberOf(at(bounce, 'restitution_coefficient'), 0)
  const threshold = numberOf(at(bounce, 'threshold'), 100_000)
  const late = restitution > 0 && threshold > LATE_REBOUND
  if (late) lose(`it rebounds only at speeds above ${threshold} m/s`, 'no rebound')
  else if (restitution > 0 && threshold > 0) lose(`it rebounds only at speeds above ${threshold} m/s`, 'a rebound at any speed')
  const color = colorOf(visual)
  const density = numberOf(at(collision, 'density'), 1000)
  return draft.material({
    friction: { static: Math.max(0, mu), dynamic: Math.max(0, mu), ...torsional > 0 ? { torsional } : {} },
    restitution: late ? 0 : Math.min(1, Math.max(0, restitution)),
    density: density > 0 ? density : 1000, ...color === null ? {} : { color },
  })
}

/** `category collide` of a collision: two touch if a category bit of one is set in the collide mask of the other [SDFormat: surface/contact]. */
export function bitmasksOf(collision: XmlNode): string {
  const contact = at(collision, 'surface', 'contact')
  const collide = numberOf(at(contact, 'collide_bitmask'), 0xffff)
  return `${numberOf(at(contact, 'category_bitmask'), collide)} ${collide}`
}

/** Keys of a pose that differ from the default. */
export function written({ position, orientation }: Pose): { position?: Vec3; orientation?: Pose['orientation'] } {
  return {
    ...position.some(x => x !== 0) ? { position: scale(position, 1) } : {},
    ...orientation[0] !== 0 || orientation[1] !== 0 || orientation[2] !== 0 ? { orientation } : {},
  }
}

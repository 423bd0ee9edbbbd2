/** Geoms as shapes and as masses. MuJoCo uses half sizes; a mesh collides as its convex hull. */

import { combineMass, type BodyMass } from '../../../geometry/mass'
import { createPrimitives, type ShapeSpec } from '../../../geometry/primitives'
import type { MassProperties } from '../../../geometry/shape'
import { IDENTITY_POSE, composePoses, type Pose } from '../../../math/pose'
import { addScaled, length, scale, sub, type Vec3 } from '../../../math/vector'
import type { Shape } from '../../../scene'
import { FormatError } from '../../shared/error'
import type { Losses } from '../../shared/losses'
import { heightSolid, type HeightField, type HeightSolid } from '../../shared/height-field'
import { hullPoints, meshProperties, scaledMesh, type MeshFiles } from '../../shared/meshes'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { fromZTo } from '../../shared/rotations'
import { NO_LOOK, PartCollector, type Mesh, type MeshPart, type SeenMesh } from '../../mesh'
import { joined } from '../../shared/surface'
import { hasPictures } from './textures'
import { orientationOf } from './pose'
import { vectorOf, type Source } from './source'

export interface ReadGeom {
  /** The shape without a material; null if the scene has no such solid. */
  readonly shape: Shape | null
  /** Mass in the body's frame, null if it is zero. Computed on demand, since most bodies state their inertia. */
  readonly mass: () => BodyMass | null
  readonly collides: boolean
  /** Surface of a mesh, of which the shape is the hull. */
  readonly surface: SeenMesh | null
}

/** What geoms refer to by name. */
export interface GeomAssets {
  readonly meshes: ReadonlyMap<string, SeenMesh>
  readonly fields: ReadonlyMap<string, HeightField>
}

/** Whether a geom, with its defaults filled in, can touch anything. */
export function collidesAtAll(node: XmlNode): boolean {
  return attributeNumber(node, 'contype', 1) !== 0 || attributeNumber(node, 'conaffinity', 1) !== 0
}

/** Pose of a geom by `fromto` or `pos`, and its half length. */
function placement(source: Source, node: XmlNode): { pose: Pose; half: number | null } {
  const ends = attributeNumbers(node, 'fromto', 6)
  if (ends === null) return { pose: { position: vectorOf(node, 'pos') ?? [0, 0, 0], orientation: orientationOf(source, node) }, half: null }
  const [from, to] = [ends.slice(0, 3), ends.slice(3)] as unknown as [Vec3, Vec3]
  const along = sub(from, to)
  const size = length(along)
  if (!(size > 0)) throw new FormatError('InvalidValue', placeOfNode(node), 'The two points of fromto are the same.', { value: ends })
  return { pose: { position: scale(addScaled(from, to, 1), 0.5), orientation: fromZTo(along) }, half: size / 2 }
}

/**
 * @param node with its defaults filled in
 * @param frame frame elements around it, relative to the body
 */
export function readGeom(source: Source, node: XmlNode, frame: Pose, { meshes, fields }: GeomAssets, material: string, losses: Losses): ReadGeom {
  const where = placeOfNode(node)
  const type = node.attributes.get('type') ?? (node.attributes.has('mesh') ? 'mesh' : 'sphere')
  const { pose, half } = placement(source, node)
  const at = composePoses(frame, pose)
  const size = attributeNumbers(node, 'size') ?? []
  const placed = { material, position: at.position, orientation: at.orientation }
  const collides = collidesAtAll(node)
  const need = (k: number): number => {
    const value = k === size.length && half !== null ? half : size[k]
    if (value !== undefined && value > 0) return value
    throw new FormatError('InvalidValue', where, `A ${type} needs ${k + 1} sizes greater than 0.`, { value: size })
  }
  const solid = (shape: Shape): ReadGeom => ({ shape, mass: massOf(node, () => propertiesOf(shape), at), collides, surface: null })
  switch (type) {
    case 'sphere':
      return solid({ type: 'sphere', radius: need(0), ...placed })
    case 'capsule':
      return solid({ type: 'capsule', radius: need(0), height: 2 * (half ?? need(1)), ...placed })
    case 'cylinder':
      return solid({ type: 'cylinder', radius: need(0), height: 2 * (half ?? need(1)), ...placed })
    case 'ellipsoid':
      return solid({ type: 'ellipsoid', radii: half === null ? [need(0), need(1), need(2)] : [need(0), need(0), half], ...placed })
    case 'box': {
      const edges: Vec3 = half === null ? [need(0), need(1), need(2)] : [need(0), need(0), half]
      return solid({ type: 'box', size: scale(edges, 2), ...placed })
    }
    case 'plane':
      return { shape: { type: 'halfSpace', normal: [0, 0, 1], offset: 0, ...placed }, mass: weightless, collides, surface: null }
    case 'mesh':
      return meshGeom(source, node, at, placed, meshes, losses, collides)
    case 'hfield': {
      const field = fields.get(node.attributes.get('hfield') ?? '')
      return { shape: field === undefined ? null : { type: 'mesh', ...heightSolidOf(field), ...placed }, mass: weightless, collides, surface: null }
    }
    default:
      losses.add(where, `A geom of type ${type}`, 'the body without it')
      return { shape: null, mass: weightless, collides: false, surface: null }
  }
}

const solids = new WeakMap<HeightField, HeightSolid>()

/** Computed once for each height field. */
function heightSolidOf(field: HeightField): HeightSolid {
  const known = solids.get(field) ?? heightSolid(field)
  solids.set(field, known)
  return known
}

const weightless = (): null => null

/** The solids are not cached: the scene has its own shapes. */
function propertiesOf(shape: Shape): MassProperties {
  const { mass, centerOfMass, inertia } = combineMass(createPrimitives(shape as ShapeSpec).map(primitive => ({ primitive, pose: IDENTITY_POSE, density: 1 })))
  return { volume: mass, centroid: centerOfMass, inertia }
}

function massOf(node: XmlNode, propertiesOfGeom: () => MassProperties, at: Pose): () => BodyMass | null {
  const stated = attributeNumbers(node, 'mass', 1)?.[0]
  const given = stated === undefined ? attributeNumber(node, 'density', 1000) : null
  return () => {
    const properties = propertiesOfGeom()
    const density = given ?? stated! / properties.volume
    return density > 0 ? combineMass([{ primitive: { massProperties: properties }, pose: at, density }]) : null
  }
}

const hulls = new WeakMap<Mesh, Vec3[] | null>()
const hullMasses = new WeakMap<Mesh, MassProperties>()

/** Computed once for each mesh. */
function hullOf(mesh: Mesh): Vec3[] | null {
  let points = hulls.get(mesh)
  if (points === undefined) {
    points = hullPoints(mesh)
    hulls.set(mesh, points)
  }
  return points
}

function hullPropertiesOf(mesh: Mesh, shape: Shape): MassProperties {
  const known = hullMasses.get(mesh) ?? propertiesOf(shape)
  hullMasses.set(mesh, known)
  return known
}

function meshGeom(
  source: Source, node: XmlNode, at: Pose, placed: { readonly material: string; readonly position: Vec3; readonly orientation: Pose['orientation'] },
  meshes: GeomAssets['meshes'], losses: Losses, collides: boolean,
): ReadGeom {
  const name = node.attributes.get('mesh') ?? ''
  const asset = source.asset('mesh', name)
  if (asset === null) throw new FormatError('UnknownReference', placeOfNode(node), `There is no mesh "${name}".`, { value: name })
  const mesh = meshes.get(name)
  if (mesh === undefined) {
    losses.add(placeOfNode(node), `Its mesh "${name}" was not found`, 'the body without it, and without its mass')
    return { shape: null, mass: weightless, collides, surface: null }
  }
  const points = hullOf(mesh)
  if (points === null && !collides && mesh.faces.length > 0) {
    // A flat surface is seen, and has no mass.
    return { shape: { type: 'mesh', vertices: [...mesh.vertices], faces: mesh.faces.map(face => [...face]), ...placed }, mass: weightless, collides, surface: mesh }
  }
  if (points === null) {
    losses.add(placeOfNode(node), `Its mesh "${name}" encloses nothing`, 'the body without it')
    return { shape: null, mass: weightless, collides, surface: null }
  }
  const shape: Shape = { type: 'convexHull', points, ...placed }
  const mode = asset.attributes.get('inertia') ?? 'legacy'
  if (mode === 'shell' || node.attributes.get('shellinertia') === 'true') {
    losses.add(placeOfNode(node), 'Its mass is that of a shell', 'that of the solid')
  }
  const own = mode === 'convex' || mesh.faces.length === 0 ? null : meshProperties(mesh)
  if (own === null && mode !== 'convex' && mesh.faces.length > 0) losses.add(placeOfNode(node), `The surface of its mesh "${name}" is not closed`, 'the mass of its convex hull')
  return { shape, mass: massOf(node, () => own ?? hullPropertiesOf(mesh, shape), at), collides, surface: mesh.faces.length > 0 ? mesh : null }
}

/** Folder of the files of meshes and height fields, relative to the main file. */
export function meshFolder(source: Source): string {
  return source.setting('meshdir', source.setting('assetdir', '')).replaceAll('\\', '/').replace(/^\.\/|\/+$/g, '')
}

/** The whole mesh with the texture coordinates of a file's parts; null if there are none. MuJoCo does not read materials in mesh files. */
function joinedParts(parts: readonly MeshPart[] | null): SeenMesh | null {
  if (parts?.some(({ mesh }) => mesh.uv !== undefined) !== true) return null
  return { ...joined(parts.map(({ mesh }) => mesh)), uv: parts.flatMap(({ mesh }) => mesh.uv ?? mesh.vertices.map((): [number, number] => [0, 0])) }
}

/** The mesh with the coordinates that its element lists for vertices, or for corners of faces; their origin is the upper left corner. */
function withCoordinates(node: XmlNode, mesh: Mesh): SeenMesh {
  const stated = attributeNumbers(node, 'texcoord')
  if (stated === null) return mesh
  const uv = Array.from({ length: Math.floor(stated.length / 2) }, (_, k): [number, number] => [stated[2 * k]!, 1 - stated[2 * k + 1]!])
  const corners = attributeNumbers(node, 'facetexcoord')
  if (corners === null) return uv.length === mesh.vertices.length ? { ...mesh, uv } : mesh
  if (corners.length !== 3 * mesh.faces.length || corners.some(k => uv[k] === undefined)) {
    throw new FormatError('InvalidValue', placeOfNode(node), 'facetexcoord does not fit the faces and texcoord.', { allowed: `${3 * mesh.faces.length} indices from 0 to ${uv.length - 1}` })
  }
  const parts = new PartCollector()
  const part = parts.part('', NO_LOOK)
  mesh.faces.forEach((face, f) => part.faces.push(face.map((v, k) => {
    const t = corners[3 * f + k]!
    return part.corner(`${v} ${t}`, mesh.vertices[v]!, uv[t]!, null)
  })))
  return parts.list()[0]?.mesh ?? mesh
}

/** All meshes of the model, scaled; with texture coordinates if the model has pictures. Meshes without faces become hulls of their vertices. */
export async function readMeshes(source: Source, files: MeshFiles, losses: Losses, missing: (name: string) => void): Promise<Map<string, SeenMesh>> {
  const pictured = hasPictures(source)
  const meshes = new Map<string, SeenMesh>()
  const folder = meshFolder(source)
  for (const [key, raw] of source.assets) {
    if (!key.startsWith('mesh\n')) continue
    const node = source.complete(raw, 'main')
    const name = key.slice('mesh\n'.length)
    const vertices = attributeNumbers(node, 'vertex')
    const size = vectorOf(node, 'scale') ?? [1, 1, 1]
    if (vertices !== null) {
      if (vertices.length % 3 !== 0) throw new FormatError('InvalidValue', placeOfNode(node), `vertex has ${vertices.length} numbers.`, { allowed: 'a multiple of 3' })
      const points = Array.from({ length: vertices.length / 3 }, (_, k) => vertices.slice(3 * k, 3 * k + 3) as unknown as Vec3)
      const faces = attributeNumbers(node, 'face') ?? []
      const plain = { vertices: points, faces: Array.from({ length: faces.length / 3 }, (_, k) => faces.slice(3 * k, 3 * k + 3)) }
      meshes.set(name, scaledMesh(pictured ? withCoordinates(node, plain) : plain, size))
      continue
    }
    const file = node.attributes.get('file')
    if (file === undefined) continue
    const stripped = source.flag('strippath', false) ? file.replaceAll('\\', '/').split('/').pop()! : file
    const found = await files.find(stripped, folder)
    if (found.kind === 'mesh') meshes.set(name, scaledMesh(pictured ? joinedParts(await found.parts()) ?? found.mesh : found.mesh, size))
    else if (found.kind === 'missing') missing(found.path)
    else losses.add(placeOfNode(node), `The mesh "${file}" cannot be used: ${found.reason}`, 'nothing')
  }
  return meshes
}

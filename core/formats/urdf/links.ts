/** Links of a URDF: mass, collision geometry as shapes, and materials. */

import { symmetric } from '../../math/matrix'
import { turnInertia } from '../../geometry/mass-properties'
import type { BodyMass } from '../../geometry/mass'
import type { Pose } from '../../math/pose'
import { toMatrix } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import type { Shape, Visual } from '../../scene'
import { isPlain, type Mesh } from '../mesh'
import type { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { hullPoints, scaledMesh, stemOf, type FoundMesh, type MeshFiles } from '../shared/meshes'
import { attributeNumber, attributeNumbers, childOf, childrenOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import { fromRollPitchYaw } from '../shared/rotations'
import { textureOf, visualOfShape, visualsOfFile } from '../shared/visuals'

export function originOf(node: XmlNode): Pose {
  const origin = childOf(node, 'origin')
  const position = origin === null ? null : attributeNumbers(origin, 'xyz', 3)
  const turn = origin === null ? null : attributeNumbers(origin, 'rpy', 3)
  return {
    position: (position ?? [0, 0, 0]) as unknown as Vec3,
    orientation: turn === null || turn.every(angle => angle === 0) ? [0, 0, 0, 1] : fromRollPitchYaw(turn as unknown as Vec3),
  }
}

/** Null if the link has no mass. @throws FormatError for a negative mass */
export function massOfLink(link: XmlNode): BodyMass | null {
  const inertial = childOf(link, 'inertial')
  if (inertial === null) return null
  const { position, orientation } = originOf(inertial)
  const massNode = childOf(inertial, 'mass')
  const mass = massNode === null ? 0 : attributeNumber(massNode, 'value', 0)
  if (mass < 0) throw new FormatError('InvalidValue', placeOfNode(link), `A mass of ${mass} kg.`, { value: mass, allowed: 'a mass ≥ 0' })
  if (mass === 0) return null
  const node = childOf(inertial, 'inertia')
  const [xx, yy, zz, xy, xz, yz] = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map(name => node === null ? 0 : attributeNumber(node, name, 0))
  return { mass, centerOfMass: position, inertia: turnInertia(toMatrix(orientation), symmetric(xx!, yy!, zz!, xy!, xz!, yz!)) }
}

export interface LinkReading {
  readonly draft: SceneDraft
  readonly files: MeshFiles
  /** Folder of the file, relative to it: ''. Colours of the robot's materials by name. */
  readonly colors: ReadonlyMap<string, string>
  /** Files of the materials' textures by name. */
  readonly textures: ReadonlyMap<string, string>
  /** Friction of links without a stated one. */
  readonly friction: number
  /** Friction from a gazebo element, by link. */
  readonly frictionOf: ReadonlyMap<string, number>
}

export async function shapesOfLink(link: XmlNode, reading: LinkReading): Promise<Shape[]> {
  const { draft } = reading
  const collisions = childrenOf(link, 'collision')
  const visuals = childrenOf(link, 'visual')
  const material = materialOf(link, visuals, reading)
  const shapes: Shape[] = []
  for (const collision of collisions) {
    const shape = await geometryOf(collision, reading)
    const solid = shape === null ? null : solidOf(shape, collision, draft)
    if (solid !== null) shapes.push({ ...solid, material })
  }
  return shapes
}

/** Visuals of a link; null if they equal its collision geometry. */
export async function visualsOfLink(link: XmlNode, reading: LinkReading): Promise<Visual[] | null> {
  const visuals = childrenOf(link, 'visual')
  const looks = await Promise.all(visuals.map(visual => hasLook(visual, reading)))
  for (const visual of visuals) {
    const { file } = ownLook(visual, reading)
    if (file !== null && meshOf(visual) === null) reading.draft.lostTexture(placeOfNode(visual), file, 'which only meshes can have')
  }
  if (sameGeometry(visuals, childrenOf(link, 'collision')) && !looks.includes(true)) return null
  const found: Visual[] = []
  for (const visual of visuals) {
    const where = placeOfNode(visual)
    const { color, file } = ownLook(visual, reading)
    const shape = await geometryOf(visual, reading)
    if (shape === null) continue
    if (shape.surface === null) {
      const seen = visualOfShape(shape.sized, color, reading.draft)
      if (seen !== null) found.push(seen)
      continue
    }
    const texture = file === null ? null : textureOf({ file }, '', reading.files, reading.draft, where)
    found.push(...await visualsOfFile(shape.file, shape.scale, stemOf(shape.name), originOf(visual), { color, texture }, reading.draft, reading.files, where))
  }
  return found
}

/** Colour and texture that the visual's material states; it may be defined elsewhere. */
function ownLook(visual: XmlNode, { colors, textures }: LinkReading): { readonly color: string | null; readonly file: string | null } {
  const material = childOf(visual, 'material')
  const name = material?.attributes.get('name') ?? ''
  const texture = material && childOf(material, 'texture')
  return { color: (material && colorOf(material)) ?? colors.get(name) ?? null, file: texture?.attributes.get('filename') ?? textures.get(name) ?? null }
}

function meshOf(visual: XmlNode): XmlNode | null {
  const geometry = childOf(visual, 'geometry')
  return geometry && childOf(geometry, 'mesh')
}

/** Whether a visual has a texture, or a mesh file with an appearance of its own: more than the colour of a shape can show. */
async function hasLook(visual: XmlNode, reading: LinkReading): Promise<boolean> {
  const { color, file } = ownLook(visual, reading)
  const mesh = meshOf(visual)
  if (mesh !== null && file !== null) return true
  const found = mesh && color === null ? await reading.files.find(mesh.attributes.get('filename') ?? '') : null
  return found?.kind === 'mesh' && (await found.parts())?.every(isPlain) === false
}

/** Whether two lists of elements have the same geometry at the same poses. */
function sameGeometry(some: readonly XmlNode[], others: readonly XmlNode[]): boolean {
  const keys = (nodes: readonly XmlNode[]): string => nodes.map(node => {
    const geometry = childOf(node, 'geometry')?.children[0]
    return JSON.stringify([originOf(node), geometry?.name, [...geometry?.attributes ?? []]])
  }).sort().join('\n')
  return keys(some) === keys(others)
}

function materialOf(link: XmlNode, visuals: readonly XmlNode[], { draft, colors, friction, frictionOf }: LinkReading): string {
  const material = visuals.map(visual => childOf(visual, 'material')).find(node => node !== null)
  const name = material?.attributes.get('name')
  const own = material === undefined || material === null ? null : colorOf(material)
  const color = own ?? (name === undefined ? undefined : colors.get(name))
  const contact = childOf(link, 'contact')
  const value = (tag: string): number | undefined => {
    const node = contact === null ? null : childOf(contact, tag)
    return node === null ? undefined : attributeNumber(node, 'value', 0)
  }
  const sliding = value('lateral_friction') ?? frictionOf.get(link.attributes.get('name') ?? '') ?? friction
  const [spinning, rolling, restitution] = [value('spinning_friction'), value('rolling_friction'), value('restitution')]
  return draft.material({
    ...(name === undefined || name === '' ? {} : { name }), ...(color === undefined ? {} : { color }),
    friction: { static: sliding, dynamic: sliding, ...(spinning ? { torsional: spinning } : {}), ...(rolling ? { rolling } : {}) },
    ...(restitution === undefined ? {} : { restitution: Math.min(1, Math.max(0, restitution)) }),
  })
}

export function colorOf(material: XmlNode): string | null {
  const node = childOf(material, 'color')
  const rgba = node === null ? null : attributeNumbers(node, 'rgba', 4, 3)
  if (rgba === null) return null
  return `#${rgba.slice(0, 3).map(part => Math.round(255 * Math.min(1, Math.max(0, part))).toString(16).padStart(2, '0')).join('')}`
}

/** A primitive, or a surface from a file. */
type Geometry = { readonly sized: Shape; readonly surface: null } | {
  /** Scaled. */
  readonly surface: Mesh
  readonly name: string
  readonly file: Extract<FoundMesh, { kind: 'mesh' }>
  readonly scale: Vec3
}

function solidOf(geometry: Geometry, collision: XmlNode, draft: SceneDraft): Shape | null {
  if (geometry.surface === null) return geometry.sized
  const where = placeOfNode(collision)
  const points = hullPoints(geometry.surface)
  if (points === null) draft.losses.add(where, `Its mesh "${geometry.name}" encloses nothing`, 'the link without it')
  else draft.losses.add(where, `The mesh "${geometry.name}"`, 'its convex hull')
  return points === null ? null : { type: 'convexHull', points, material: '', ...originOf(collision) }
}

/** Geometry of a collision or a visual; null, with a loss, if there is none. */
async function geometryOf(node: XmlNode, { draft, files }: LinkReading): Promise<Geometry | null> {
  const geometry = childOf(node, 'geometry')?.children[0]
  const where = placeOfNode(node)
  const refused = (what: string): null => {
    draft.losses.add(where, what, 'the link without it')
    return null
  }
  if (geometry === undefined) return refused(`A ${node.name} without geometry`)
  const placed = { material: '', ...originOf(node) }
  const solid = (sized: Shape): Geometry => ({ sized, surface: null })
  const sizes = (names: readonly string[]): number[] | null => {
    const values = names.map(name => attributeNumber(geometry, name, 0))
    return values.every(value => value > 0) ? values : null
  }
  const nothing = `A ${geometry.name} of size 0`
  switch (geometry.name.replace(/^drake:/, '')) {
    case 'box': {
      const size = attributeNumbers(geometry, 'size', 3)
      return size === null || !size.every(edge => edge > 0) ? refused(nothing) : solid({ type: 'box', size: size as unknown as Vec3, ...placed })
    }
    case 'sphere': {
      const found = sizes(['radius'])
      return found === null ? refused(nothing) : solid({ type: 'sphere', radius: found[0]!, ...placed })
    }
    case 'cylinder':
    case 'capsule': {
      const found = sizes(['radius', 'length'])
      if (found === null) return refused(nothing)
      return solid({ type: geometry.name.endsWith('capsule') ? 'capsule' : 'cylinder', radius: found[0]!, height: found[1]!, ...placed })
    }
    case 'ellipsoid': {
      const found = sizes(['a', 'b', 'c'])
      return found === null ? refused(nothing) : solid({ type: 'ellipsoid', radii: found as unknown as Vec3, ...placed })
    }
    case 'plane':
      return solid({ type: 'halfSpace', normal: (attributeNumbers(geometry, 'normal', 3) ?? [0, 0, 1]) as unknown as Vec3, offset: 0, ...placed })
    case 'mesh': {
      const uri = geometry.attributes.get('filename') ?? ''
      const found = await files.find(uri)
      if (found.kind === 'missing') {
        draft.missing(found.path)
        return refused(`Its mesh "${uri}" was not found`)
      }
      if (found.kind === 'refused') return refused(`Its mesh "${uri}" cannot be used: ${found.reason}`)
      const stated = attributeNumbers(geometry, 'scale', 3, 1) ?? [1, 1, 1]
      const scale: Vec3 = [stated[0]!, stated[1] ?? stated[0]!, stated[2] ?? stated[0]!]
      return { surface: scaledMesh(found.mesh, scale), name: uri, file: found, scale }
    }
    default:
      return refused(`A geometry of kind ${geometry.name}`)
  }
}

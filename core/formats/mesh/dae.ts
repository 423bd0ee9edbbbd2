/**
 * COLLADA: the triangles and polygons of every geometry placed by the visual scene, in metres and z up, with the diffuse colours and pictures of their
 * materials. Skins, controllers, lights and animations are skipped.
 */

import { IDENTITY, multiply, transform, type Mat3 } from '../../math/matrix'
import { toMatrix } from '../../math/quaternion'
import { add, ZERO, type Vec3 } from '../../math/vector'
import { FormatError } from '../shared/error'
import { childOf, childrenOf, numbersOf, placeOfNode, readXml, type XmlNode } from '../shared/read-xml'
import { aboutAxis } from '../shared/rotations'
import { hexOfSrgb } from '../shared/colors'
import { NO_LOOK, PartCollector, type Look, type MeshPart } from './look'
import { finite, MeshError, requireCount, type Mesh } from './mesh'

/** x ↦ linear x + shift. */
interface Affine { readonly linear: Mat3; readonly shift: Vec3 }
const MAX_DEPTH = 64
const MAX_NODES = 10_000

/** @throws MeshError naming element and line */
export function readDae(bytes: Uint8Array): Mesh {
  return readerOf(bytes).mesh
}

/** The parts of each material. @throws MeshError naming element and line */
export function partsOfDae(bytes: Uint8Array): MeshPart[] {
  return readerOf(bytes).parts.list()
}

function readerOf(bytes: Uint8Array): DaeReader {
  try {
    const reader = new DaeReader(readXml({ name: 'file', content: bytes }).root)
    reader.read()
    return reader
  } catch (error) {
    if (error instanceof FormatError) throw new MeshError('DAE', error.path, error.message)
    throw error
  }
}

class DaeReader {
  private readonly byId = new Map<string, XmlNode>()
  private readonly vertices: Vec3[] = []
  private readonly faces: number[][] = []
  readonly parts = new PartCollector()
  private readonly looks = new Map<XmlNode, Look>()
  private nodes = 0

  constructor(private readonly root: XmlNode) {
    const walk = (node: XmlNode): void => {
      const id = node.attributes.get('id')
      if (id !== undefined && !this.byId.has(id)) this.byId.set(id, node)
      node.children.forEach(walk)
    }
    walk(root)
  }

  get mesh(): Mesh {
    return { vertices: this.vertices, faces: this.faces }
  }

  read(): void {
    const asset = childOf(this.root, 'asset')
    const meter = Number((asset && childOf(asset, 'unit'))?.attributes.get('meter') ?? 1)
    if (!(meter > 0) || !Number.isFinite(meter)) throw new MeshError('DAE', 'asset', `a unit of ${meter} m`)
    const up = ((asset && childOf(asset, 'up_axis'))?.text ?? 'Y_UP').trim()
    const turned: Mat3 = up === 'Z_UP' ? IDENTITY : up === 'X_UP' ? [0, -1, 0, 0, 0, -1, 1, 0, 0] : [1, 0, 0, 0, 0, -1, 0, 1, 0]
    const outer: Affine = { linear: turned.map(entry => entry * meter) as unknown as Mat3, shift: ZERO }
    const scene = childOf(this.root, 'scene')
    const visual = this.target(scene && childOf(scene, 'instance_visual_scene'), 'url')
      ?? childrenOf(this.root, 'library_visual_scenes').flatMap(library => childrenOf(library, 'visual_scene'))[0] ?? null
    if (visual === null) {
      for (const library of childrenOf(this.root, 'library_geometries')) for (const geometry of childrenOf(library, 'geometry')) this.geometry(geometry, outer, null)
    } else {
      for (const node of childrenOf(visual, 'node')) this.node(node, outer, 0)
    }
    if (this.faces.length === 0) throw new MeshError('DAE', 'end', 'there are no faces')
  }

  private target(node: XmlNode | null, attribute: string): XmlNode | null {
    const url = node?.attributes.get(attribute)
    return url?.startsWith('#') === true ? this.byId.get(url.slice(1)) ?? null : null
  }

  private node(node: XmlNode, outer: Affine, depth: number): void {
    if (depth > MAX_DEPTH || ++this.nodes > MAX_NODES) {
      throw new MeshError('DAE', placeOfNode(node), `nodes nested deeper than ${MAX_DEPTH}, or more than ${MAX_NODES} of them`)
    }
    let map = outer
    for (const child of node.children) {
      const step = stepOf(child)
      if (step !== null) map = composed(map, step)
    }
    for (const child of node.children) {
      if (child.name === 'node') this.node(child, map, depth + 1)
      const target = child.name === 'instance_geometry' || child.name === 'instance_node' ? this.target(child, 'url') : null
      if (target === null) continue
      if (child.name === 'instance_geometry') this.geometry(target, map, child)
      else this.node(target, map, depth + 1)
    }
  }

  /** @param instance with the materials bound to the geometry's symbols */
  private geometry(geometry: XmlNode, map: Affine, instance: XmlNode | null): void {
    const mesh = childOf(geometry, 'mesh')
    if (mesh === null) return
    for (const list of mesh.children) {
      if (list.name !== 'triangles' && list.name !== 'polylist' && list.name !== 'polygons') continue
      const inputs = childrenOf(list, 'input')
      const stride = 1 + inputs.reduce((most, input) => Math.max(most, Number(input.attributes.get('offset') ?? 0)), 0)
      const input = inputs.find(one => one.attributes.get('semantic') === 'VERTEX')
      if (input === undefined || !(stride >= 1 && stride <= 64)) throw new MeshError('DAE', placeOfNode(list), 'no input with the semantic VERTEX')
      const points = this.points(this.target(input, 'source'), list)
      const first = this.vertices.length
      for (const point of points) this.vertices.push(add(map.shift, transform(map.linear, point)))
      requireCount('DAE', placeOfNode(list), 'vertices', this.vertices.length)
      const offset = Number(input.attributes.get('offset') ?? 0)
      const material = this.material(list, instance)
      const part = this.parts.part(material?.attributes.get('id') ?? '', material === null ? NO_LOOK : this.lookOf(material))
      const [mapped, colored] = [this.along(list, inputs, stride, 'TEXCOORD', 2), this.along(list, inputs, stride, 'COLOR', 3)]
      for (const [f, face] of facesOf(list, stride, offset).entries()) {
        if (face.length < 3) continue
        if (!face.every(v => Number.isInteger(v) && v >= 0 && v < points.length)) {
          throw new MeshError('DAE', placeOfNode(list), `a face refers to a vertex that does not exist; there are ${points.length}`)
        }
        requireCount('DAE', placeOfNode(list), 'faces', this.faces.push(face.map(v => first + v)))
        part.faces.push(face.map((v, k) => {
          const [t, c] = [mapped?.faces[f]![k]!, colored?.faces[f]![k]!]
          const [uv, rgb] = [mapped?.values[t] ?? null, colored?.values[c] ?? null]
          return part.corner(`${first + v} ${t} ${c}`, this.vertices[first + v]!, uv === null ? null : [uv[0]!, uv[1]!], rgb && hexOfSrgb(rgb))
        }))
      }
    }
  }

  /** The values of an input by index, and their indices by face and corner; null without such an input. */
  private along(list: XmlNode, inputs: readonly XmlNode[], stride: number, semantic: string, width: number): { values: number[][]; faces: number[][] } | null {
    const own = inputs.filter(one => one.attributes.get('semantic') === semantic)
    const input = own.sort((a, b) => Number(a.attributes.get('set') ?? 0) - Number(b.attributes.get('set') ?? 0))[0]
    const source = this.target(input ?? null, 'source')
    const array = source && childOf(source, 'float_array')
    if (input === undefined || !source || !array) return null
    const accessor = childOf(childOf(source, 'technique_common') ?? source, 'accessor')
    const each = Number(accessor?.attributes.get('stride') ?? width)
    if (!Number.isInteger(each) || each < width || each > 64) return null
    const numbers = numbersOf(array.text, array, 'float_array', null)
    const values = Array.from({ length: Math.floor(numbers.length / each) }, (_, k) => numbers.slice(each * k, each * k + width))
    const faces = facesOf(list, stride, Number(input.attributes.get('offset') ?? 0))
    if (faces.some(face => face.some(k => values[k]?.every(Number.isFinite) !== true))) {
      throw new MeshError('DAE', placeOfNode(list), `a corner refers to a ${semantic} that does not exist; there are ${values.length}`)
    }
    return { values, faces }
  }

  /** The material of a list of faces: by the instance's binding of its symbol, else of that id. */
  private material(list: XmlNode, instance: XmlNode | null): XmlNode | null {
    const symbol = list.attributes.get('material')
    if (symbol === undefined) return null
    const bind = instance && childOf(instance, 'bind_material')
    const common = bind && childOf(bind, 'technique_common')
    const bound = common === null ? undefined : childrenOf(common, 'instance_material').find(one => one.attributes.get('symbol') === symbol)
    const found = bound === undefined ? this.byId.get(symbol) : this.target(bound, 'target')
    return found?.name === 'material' ? found : null
  }

  /** Diffuse colour or picture of a material's effect [COLLADA 1.4.1, profile_COMMON]. */
  private lookOf(material: XmlNode): Look {
    const known = this.looks.get(material)
    if (known !== undefined) return known
    const effect = this.target(childOf(material, 'instance_effect'), 'url')
    const profile = effect && childOf(effect, 'profile_COMMON')
    const technique = profile && childOf(profile, 'technique')
    const shading = technique && ['phong', 'lambert', 'blinn', 'constant'].map(kind => childOf(technique, kind)).find(node => node !== null)
    const diffuse = shading ? childOf(shading, 'diffuse') ?? childOf(shading, 'emission') : null
    const color = diffuse && childOf(diffuse, 'color')
    const texture = diffuse && childOf(diffuse, 'texture')
    const file = profile && texture ? this.pictureOf(profile, texture.attributes.get('texture') ?? '') : null
    const look: Look = {
      color: color ? hexOfSrgb(numbersOf(color.text, color, 'color', [3, 4])) : null,
      texture: file === null ? null : { file },
    }
    this.looks.set(material, look)
    return look
  }

  /** File of a texture: by its sampler and surface, or of the image of that id. */
  private pictureOf(profile: XmlNode, name: string): string | null {
    const param = (sid: string): XmlNode | undefined => childrenOf(profile, 'newparam').find(one => one.attributes.get('sid') === sid)
    const sampler = param(name)
    const inSampler = sampler && childOf(sampler, 'sampler2D')
    const surface = param((inSampler && childOf(inSampler, 'source'))?.text.trim() ?? '')
    const inSurface = surface && childOf(surface, 'surface')
    const id = (inSurface && childOf(inSurface, 'init_from'))?.text.trim() ?? name
    const image = this.byId.get(id)
    const from = image?.name === 'image' ? childOf(image, 'init_from') : null
    const uri = (from && (childOf(from, 'ref')?.text ?? from.text))?.trim() ?? ''
    try {
      return uri === '' ? null : decodeURIComponent(uri)
    } catch {
      return uri
    }
  }

  private points(vertices: XmlNode | null, list: XmlNode): Vec3[] {
    const input = vertices && childrenOf(vertices, 'input').find(one => one.attributes.get('semantic') === 'POSITION')
    const source = this.target(input ?? null, 'source')
    const array = source && childOf(source, 'float_array')
    if (!source || !array) throw new MeshError('DAE', placeOfNode(list), 'its positions are missing')
    const values = numbersOf(array.text, array, 'float_array', null)
    const accessor = childOf(childOf(source, 'technique_common') ?? source, 'accessor')
    const stride = Number(accessor?.attributes.get('stride') ?? 3)
    if (!Number.isInteger(stride) || stride < 3 || stride > 64) throw new MeshError('DAE', placeOfNode(source), `positions with ${stride} numbers each`)
    requireCount('DAE', placeOfNode(source), 'vertices', Math.floor(values.length / stride))
    return Array.from({ length: Math.floor(values.length / stride) }, (_, k) => finite('DAE', placeOfNode(source), values.slice(stride * k, stride * k + 3)))
  }
}

function facesOf(list: XmlNode, stride: number, offset: number): number[][] {
  const corners = childrenOf(list, 'p').map(p => numbersOf(p.text, p, 'p', null))
  const pick = (values: readonly number[], from: number, count: number) => Array.from({ length: count }, (_, k) => values[(from + k) * stride + offset] ?? NaN)
  if (list.name === 'polygons') return corners.map(values => pick(values, 0, Math.floor(values.length / stride)))
  const values = corners.flat()
  const count = Math.floor(values.length / stride)
  if (list.name === 'triangles') return Array.from({ length: Math.floor(count / 3) }, (_, k) => pick(values, 3 * k, 3))
  const vcount = childOf(list, 'vcount')
  const counts = vcount === null ? [] : numbersOf(vcount.text, vcount, 'vcount', null)
  const faces: number[][] = []
  let at = 0
  for (const n of counts) {
    if (!Number.isInteger(n) || n < 0 || at + n > count) throw new MeshError('DAE', placeOfNode(list), `a face of ${n} corners; ${count - at} are left`)
    faces.push(pick(values, at, n))
    at += n
  }
  return faces
}

/** One transformation element of a node; null for other elements. */
function stepOf(node: XmlNode): Affine | null {
  switch (node.name) {
    case 'translate':
      return { linear: IDENTITY, shift: numbersOf(node.text, node, 'translate', [3]) as unknown as Vec3 }
    case 'scale': {
      const [x, y, z] = numbersOf(node.text, node, 'scale', [3]) as [number, number, number]
      return { linear: [x, 0, 0, 0, y, 0, 0, 0, z], shift: ZERO }
    }
    case 'rotate': {
      const [x, y, z, degrees] = numbersOf(node.text, node, 'rotate', [4]) as [number, number, number, number]
      return x === 0 && y === 0 && z === 0 ? null : { linear: toMatrix(aboutAxis([x, y, z], degrees * Math.PI / 180)), shift: ZERO }
    }
    case 'matrix': {
      const m = numbersOf(node.text, node, 'matrix', [16])
      return { linear: [m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!], shift: [m[3]!, m[7]!, m[11]!] }
    }
    default:
      return null
  }
}

function composed(outer: Affine, inner: Affine): Affine {
  return { linear: multiply(outer.linear, inner.linear), shift: add(outer.shift, transform(outer.linear, inner.shift)) }
}

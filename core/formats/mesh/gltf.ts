/**
 * glTF 2.0, `.glb` and `.gltf` with embedded data: the triangles of every mesh in the default scene, each placed by its nodes. glTF is y up; the
 * coordinates are converted to z up. Base colours, their pictures and the colours of vertices are read for the appearance; skins and animations are skipped.
 */

import { WebIO, type GLTF, type JSONDocument, type Material, type Node, type Primitive } from '@gltf-transform/core'
import type { Vec3 } from '../../math/vector'
import { hexOfLinear } from '../shared/colors'
import { NO_LOOK, PartCollector, type Look, type MeshPart } from './look'
import { finite, latin, MAX_MESH_FACES, MeshError, requireCount, type Mesh } from './mesh'

const GLB_MAGIC = 0x46546c67
/** Primitive modes of glTF; lower numbers are points and lines. */
const TRIANGLES = 4
const TRIANGLE_FAN = 6
/** Limits on the depth of nodes, and on their number. */
const MAX_DEPTH = 64
const MAX_NODES = 10_000

/** @throws MeshError naming node and mesh, or the accessor. */
export async function readGltf(bytes: Uint8Array): Promise<Mesh> {
  return scan(bytes, null)
}

/** The parts of each material. @throws MeshError naming node and mesh, or the accessor. */
export async function partsOfGltf(bytes: Uint8Array): Promise<MeshPart[]> {
  const parts = new PartCollector()
  await scan(bytes, parts)
  return parts.list()
}

async function scan(bytes: Uint8Array, parts: PartCollector | null): Promise<Mesh> {
  const io = new WebIO()
  try {
    const document = await documentOf(io, bytes)
    requireBounded(document.json)
    const root = (await io.readJSON(document)).getRoot()
    const scene = root.getDefaultScene() ?? root.listScenes()[0]
    const vertices: Vec3[] = []
    const faces: number[][] = []
    const materials = root.listMaterials()
    scene?.traverse(node => addNode(node, vertices, faces, parts, materials))
    if (faces.length === 0) {
      throw new MeshError('glTF', 'scene', 'there are no triangles')
    }
    return { vertices, faces }
  } catch (error) {
    throw error instanceof MeshError ? error : new MeshError('glTF', 'file', error instanceof Error ? error.message : String(error))
  }
}

async function documentOf(io: WebIO, bytes: Uint8Array): Promise<JSONDocument> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= 12 && view.getUint32(0, true) === GLB_MAGIC) {
    return io.binaryToJSON(bytes)
  }
  const json = JSON.parse(latin(bytes)) as GLTF.IGLTF
  const away = json.buffers?.find(({ uri }) => uri !== undefined && !uri.startsWith('data:'))
  if (away !== undefined) {
    throw new MeshError('glTF', 'buffers', `its data are in another file, "${away.uri!.slice(0, 80)}"; save it as .glb, or with its data inside`)
  }
  return { json, resources: {} }
}

/** Checks counts before allocation: a short file may claim any amount of memory, and nodes may contain themselves. */
function requireBounded({ accessors = [], nodes = [] }: GLTF.IGLTF): void {
  accessors.forEach((accessor, i) => {
    if (!Number.isInteger(accessor.count) || accessor.count < 0 || accessor.count > 3 * MAX_MESH_FACES) {
      throw new MeshError('glTF', `accessor ${i}`, `${accessor.count} elements; at most ${3 * MAX_MESH_FACES} are allowed`)
    }
  })
  if (nodes.length > MAX_NODES) {
    throw new MeshError('glTF', 'nodes', `${nodes.length} nodes; at most ${MAX_NODES} are allowed`)
  }
  const parents = new Map<number, number>()
  nodes.forEach((node, i) => node.children?.forEach(child => {
    if (parents.has(child)) {
      throw new MeshError('glTF', `node ${child}`, `it is a child of both node ${parents.get(child)} and node ${i}`)
    }
    parents.set(child, i)
  }))
  nodes.forEach((_, i) => {
    let depth = 0
    for (let at = parents.get(i); at !== undefined; at = parents.get(at)) {
      if (++depth > MAX_DEPTH) {
        throw new MeshError('glTF', `node ${i}`, `it is nested more than ${MAX_DEPTH} nodes deep, or contains itself`)
      }
    }
  })
}

function addNode(node: Node, vertices: Vec3[], faces: number[][], parts: PartCollector | null, materials: readonly Material[]): void {
  const mesh = node.getMesh()
  if (mesh === null) {
    return
  }
  const m = node.getWorldMatrix()
  const mirrored = m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]) < 0
  const where = `node "${node.getName().slice(0, 40)}", mesh "${mesh.getName().slice(0, 40)}"`
  for (const primitive of mesh.listPrimitives()) {
    const positions = primitive.getAttribute('POSITION')
    if (positions === null || primitive.getMode() < TRIANGLES) {
      continue
    }
    const first = vertices.length
    const point = [0, 0, 0]
    for (let i = 0; i < positions.getCount(); i++) {
      const [x, y, z] = positions.getElement(i, point) as [number, number, number]
      const [a, b, c] = [0, 1, 2].map(k => m[k]! * x + m[4 + k]! * y + m[8 + k]! * z + m[12 + k]!) as [number, number, number]
      vertices.push(finite('glTF', where, [a, -c, b]))
    }
    requireCount('glTF', where, 'vertices', vertices.length)
    const material = primitive.getMaterial()
    const part = parts?.part(material === null ? '' : String(materials.indexOf(material)), material === null ? NO_LOOK : lookOf(material))
    const uv = primitive.getAttribute(`TEXCOORD_${material?.getBaseColorTextureInfo()?.getTexCoord() ?? 0}`)
    const colors = primitive.getAttribute('COLOR_0')
    const seen = (v: number): number => {
      const [u = 0, down = 0] = uv?.getElement(v, []) ?? []
      if (!Number.isFinite(u) || !Number.isFinite(down)) throw new MeshError('glTF', where, `(${u}, ${down}) are not texture coordinates`)
      return part!.corner(`${first + v}`, vertices[first + v]!, uv === null ? null : [u, 1 - down], colors && hexOfLinear(colors.getElement(v, [])))
    }
    for (const [a, b, c] of triangles(primitive, positions.getCount(), where)) {
      const face = mirrored ? [a, c, b] : [a, b, c]
      faces.push(face.map(v => first + v))
      part?.faces.push(face.map(seen))
    }
    requireCount('glTF', where, 'faces', faces.length)
  }
}

function lookOf(material: Material): Look {
  const picture = material.getBaseColorTexture()
  const bytes = picture?.getImage() ?? null
  const file = picture?.getURI() ?? ''
  return {
    color: hexOfLinear(material.getBaseColorFactor()),
    texture: picture === null ? null : bytes === null ? { file } : { bytes, name: picture.getName() || file },
  }
}

/** Lists, strips and fans. */
function triangles(primitive: Primitive, count: number, where: string): [number, number, number][] {
  const indices = primitive.getIndices()
  const length = indices?.getCount() ?? count
  const at = (k: number): number => {
    const index = indices?.getScalar(k) ?? k
    if (index >= count) {
      throw new MeshError('glTF', where, `a triangle refers to vertex ${index}; there are ${count}`)
    }
    return index
  }
  const mode = primitive.getMode()
  const found: [number, number, number][] = []
  if (mode === TRIANGLES) {
    for (let k = 0; k + 2 < length; k += 3) {
      found.push([at(k), at(k + 1), at(k + 2)])
    }
  } else {
    for (let k = 0; k + 2 < length; k++) {
      const fan = mode === TRIANGLE_FAN
      found.push(fan ? [at(0), at(k + 1), at(k + 2)] : k % 2 === 0 ? [at(k), at(k + 1), at(k + 2)] : [at(k + 1), at(k), at(k + 2)])
    }
  }
  return found
}

/** Triangles of glTF meshes, in the scene's axes. */

import type { Mesh } from '../../geometry/mesh'
import type { SeenMesh } from '../mesh'
import { hexOfLinear } from '../shared/colors'
import { cos, sin } from '../../math/elementary'
import type { Vec3 } from '../../math/vector'
import { FormatError } from '../shared/error'
import { joined } from '../shared/surface'
import { toZUp } from './axes'
import type { OpenedGltf } from './container'
import { arrayOf, objectOf, type GltfPrimitive } from './json'

const TRIANGLES = 4
const TRIANGLE_FAN = 6
const MAX_ELEMENTS = 3_000_000
/** By component type: number of bytes, and a reader. */
const COMPONENTS: Readonly<Record<number, readonly [number, (view: DataView, at: number) => number]>> = {
  5120: [1, (view, at) => view.getInt8(at)], 5121: [1, (view, at) => view.getUint8(at)], 5122: [2, (view, at) => view.getInt16(at, true)],
  5123: [2, (view, at) => view.getUint16(at, true)], 5125: [4, (view, at) => view.getUint32(at, true)], 5126: [4, (view, at) => view.getFloat32(at, true)],
}
const WIDTHS: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }

/** All triangles of a mesh; null if its data were not found or are empty. @throws FormatError for invalid indices */
export function meshOf(gltf: OpenedGltf, index: number): Mesh | null {
  const parts = primitivesOf(gltf, index).map((_, k) => partOf(gltf, index, k))
  if (parts.includes(null)) return null
  const whole = joined(parts.filter(part => part !== null))
  return whole.faces.length > 0 ? whole : null
}

export function primitivesOf({ json }: OpenedGltf, index: number): readonly GltfPrimitive[] {
  const mesh = json.meshes?.[index]
  if (mesh === undefined) throw new FormatError('UnknownReference', `meshes[${index}]`, `There is no mesh ${index}.`, { value: index })
  return mesh.primitives
}

/** The triangles of one primitive of a mesh, possibly none; null if its data were not found. */
export function partOf(gltf: OpenedGltf, index: number, k: number): SeenMesh | null {
  const primitive = primitivesOf(gltf, index)[k]!
  const mode = primitive.mode ?? TRIANGLES
  const position = primitive.attributes.POSITION
  if (mode < TRIANGLES || position === undefined) return { vertices: [], faces: [] }
  const points = numbersOf(gltf, position, 3)
  if (points === null) return null
  const count = points.length / 3
  const vertices = Array.from({ length: count }, (_, i): Vec3 => toZUp([points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]))
  const where = `meshes[${index}].primitives[${k}]`
  const faces = triangles(gltf, primitive, mode, count, where)
  return { vertices, faces, ...colorsOf(gltf, primitive, count, where), ...coordinatesOf(gltf, primitive, count, where) }
}

/** Colours of the vertices, from linear RGB or RGBA; none if all are white. */
function colorsOf(gltf: OpenedGltf, { attributes }: GltfPrimitive, count: number, where: string): Pick<SeenMesh, 'colors'> {
  const index = attributes.COLOR_0
  if (index === undefined) return {}
  const width = gltf.json.accessors?.[index]?.type === 'VEC4' ? 4 : 3
  const values = numbersOf(gltf, index, width)
  if (values === null) return {}
  requireEach(values.length / width, count, `${where}.attributes.COLOR_0`)
  const full = fullOf(gltf, index)
  const colors = Array.from({ length: count }, (_, i) => hexOfLinear([0, 1, 2].map(k => values[i * width + k]! / full)))
  return colors.some(color => color !== '#ffffff') ? { colors } : {}
}

/** Coordinates for the base colour picture, with its transform [KHR_texture_transform]; glTF's origin is the upper left corner. */
function coordinatesOf(gltf: OpenedGltf, { attributes, material }: GltfPrimitive, count: number, where: string): Pick<SeenMesh, 'uv'> {
  const texture = objectOf(objectOf(objectOf(arrayOf(gltf.json.materials)[material ?? -1]).pbrMetallicRoughness).baseColorTexture)
  const transform = objectOf(objectOf(texture.extensions).KHR_texture_transform)
  const set = transform.texCoord ?? texture.texCoord ?? 0
  const index = attributes[`TEXCOORD_${Number(set)}`]
  const values = typeof texture.index === 'number' && index !== undefined ? numbersOf(gltf, index, 2) : null
  if (values === null) return {}
  requireEach(values.length / 2, count, `${where}.attributes.TEXCOORD_${Number(set)}`)
  const full = fullOf(gltf, index!)
  const pair = (value: unknown, absent: number): readonly [number, number] => {
    const [a = absent, b = absent] = arrayOf(value).map(Number)
    return [Number.isFinite(a) ? a : absent, Number.isFinite(b) ? b : absent]
  }
  const [[du, dv], [su, sv]] = [pair(transform.offset, 0), pair(transform.scale, 1)]
  const turn = typeof transform.rotation === 'number' && Number.isFinite(transform.rotation) ? transform.rotation : 0
  const [c, s] = [cos(turn), sin(turn)]
  const uv = Array.from({ length: count }, (_, i): [number, number] => {
    const [u, v] = [values[2 * i]! / full * su, values[2 * i + 1]! / full * sv]
    const at: [number, number] = [du + c * u + s * v, 1 - (dv - s * u + c * v)]
    if (!at.every(Number.isFinite)) throw new FormatError('InvalidValue', where, `Texture coordinate ${i} is not finite.`, { allowed: 'finite numbers' })
    return at
  })
  return { uv }
}

/** The number that stands for 1 in an accessor. */
function fullOf({ json }: OpenedGltf, index: number): number {
  const { componentType } = json.accessors![index]!
  return componentType === 5121 ? 255 : componentType === 5123 ? 65_535 : 1
}

function requireEach(found: number, count: number, where: string): void {
  if (found !== count) throw new FormatError('InvalidValue', where, `There are ${found} of them for ${count} vertices.`, { value: found, allowed: `${count}` })
}

function triangles(gltf: OpenedGltf, primitive: GltfPrimitive, mode: number, count: number, where: string): number[][] {
  const indices = primitive.indices === undefined ? null : numbersOf(gltf, primitive.indices, 1)
  const length = indices?.length ?? count
  const at = (k: number): number => {
    const i = indices === null ? k : indices[k]!
    if (i >= count) throw new FormatError('InvalidValue', where, `A triangle refers to vertex ${i}, which does not exist.`, { value: i, allowed: `0 to ${count - 1}` })
    return i
  }
  const found: number[][] = []
  if (mode === TRIANGLES) for (let k = 0; k + 2 < length; k += 3) found.push([at(k), at(k + 1), at(k + 2)])
  else if (mode === TRIANGLE_FAN) for (let k = 1; k + 1 < length; k++) found.push([at(0), at(k), at(k + 1)])
  else for (let k = 0; k + 2 < length; k++) found.push(k % 2 === 0 ? [at(k), at(k + 1), at(k + 2)] : [at(k + 1), at(k), at(k + 2)])
  return found
}

/** The numbers of an accessor; null if its buffer was not found. @throws FormatError if it does not fit its buffer */
export function numbersOf({ json, buffers }: OpenedGltf, index: number, width: number): Float64Array | null {
  const where = `accessors[${index}]`
  const accessor = json.accessors?.[index]
  const refused = (message: string, allowed: string) => new FormatError('InvalidValue', where, message, { allowed })
  if (accessor === undefined) throw new FormatError('UnknownReference', where, `There is no accessor ${index}.`, { value: index })
  const component = COMPONENTS[accessor.componentType]
  if (component === undefined || WIDTHS[accessor.type] !== width || accessor.sparse !== undefined) throw refused('The accessor cannot be read.', `${width} numbers for each element, not sparse`)
  if (!Number.isInteger(accessor.count) || accessor.count < 0 || accessor.count > MAX_ELEMENTS) throw refused(`It has ${accessor.count} elements.`, `at most ${MAX_ELEMENTS}`)
  const values = new Float64Array(accessor.count * width)
  if (accessor.bufferView === undefined) return values
  const bufferView = json.bufferViews?.[accessor.bufferView]
  if (bufferView === undefined) throw new FormatError('UnknownReference', where, `There is no buffer view ${accessor.bufferView}.`, { value: accessor.bufferView })
  const buffer = buffers[bufferView.buffer] ?? null
  if (buffer === null) return null
  const [bytes, read] = component
  const stride = bufferView.byteStride ?? bytes * width
  const start = (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
  const end = start + (accessor.count > 0 ? (accessor.count - 1) * stride + bytes * width : 0)
  if (!(start >= 0) || !(stride >= 0) || !(end <= buffer.length)) throw refused('The accessor extends beyond its buffer.', 'an accessor within its buffer')
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  for (let i = 0; i < accessor.count; i++) {
    for (let k = 0; k < width; k++) values[i * width + k] = read(view, start + i * stride + k * bytes)
  }
  return values
}

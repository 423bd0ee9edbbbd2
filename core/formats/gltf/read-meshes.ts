/** Triangles of glTF meshes, in the scene's axes. */

import type { Mesh } from '../../geometry/mesh'
import type { Vec3 } from '../../math/vector'
import { FormatError } from '../shared/error'
import { joined } from '../shared/surface'
import { toZUp } from './axes'
import type { OpenedGltf } from './container'
import type { GltfPrimitive } from './json'

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
export function partOf(gltf: OpenedGltf, index: number, k: number): Mesh | null {
  const primitive = primitivesOf(gltf, index)[k]!
  const mode = primitive.mode ?? TRIANGLES
  const position = primitive.attributes.POSITION
  if (mode < TRIANGLES || position === undefined) return { vertices: [], faces: [] }
  const points = numbersOf(gltf, position, 3)
  if (points === null) return null
  const count = points.length / 3
  const vertices = Array.from({ length: count }, (_, i): Vec3 => toZUp([points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]))
  return { vertices, faces: triangles(gltf, primitive, mode, count, `meshes[${index}].primitives[${k}]`) }
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

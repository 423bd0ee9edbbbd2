/** A glTF document in the making: nodes, meshes and accessors by their index, and one buffer. */

import type { Mesh } from '../../geometry/mesh'
import { cross, dot, length, normalize, sub, type Vec3 } from '../../math/vector'
import { utf8 } from '../../math/hash'
import { linearOf } from '../shared/colors'
import { fans } from '../shared/surface'
import { toYUp } from './axes'
import { packGlb } from './container'
import type { Gltf, GltfAnimation, GltfNode } from './json'
import type { FormatFile } from '../format'

const FLOAT = 5126
const UNSIGNED_INT = 5125
const ARRAY_BUFFER = 34962
const ELEMENT_ARRAY_BUFFER = 34963
/** Cosine of the angle between faces up to which an edge looks smooth: 30°. */
const SMOOTH = 0.866

export class GltfBuilder {
  readonly json: Gltf & Required<Pick<Gltf, 'nodes' | 'meshes' | 'materials' | 'accessors' | 'bufferViews'>> = {
    asset: { version: '2.0', generator: 'Cairn' }, scene: 0, nodes: [], meshes: [], materials: [], accessors: [], bufferViews: [],
  }

  private readonly chunks: Uint8Array[] = []
  private size = 0
  private readonly materials = new Map<string, number>()
  private readonly meshes = new Map<string, number>()
  private readonly used = new Set<string>()

  node(node: GltfNode): number {
    return this.json.nodes.push(node) - 1
  }

  uses(extension: string): void {
    this.used.add(extension)
  }

  /** @param doubleSided whether it is seen from behind too */
  material(name: string, color: string, doubleSided = false): number {
    const key = `${name} ${doubleSided}`
    let index = this.materials.get(key)
    if (index === undefined) {
      index = this.json.materials.push({
        name, ...doubleSided ? { doubleSided } : {},
        pbrMetallicRoughness: { baseColorFactor: [...linearOf(color), 1], metallicFactor: 0, roughnessFactor: 0.7 },
      }) - 1
      this.materials.set(key, index)
    }
    return index
  }

  /** A mesh seen in the colour of a material; the same one for the same key. */
  mesh(key: string, material: number, make: () => Mesh): number {
    const whole = `${material} ${key}`
    let index = this.meshes.get(whole)
    if (index === undefined) {
      const { positions, normals, indices } = corners(make())
      index = this.json.meshes.push({
        primitives: [{
          attributes: { POSITION: this.floats(positions, 3, true), NORMAL: this.floats(normals, 3, false, ARRAY_BUFFER) },
          indices: this.indices(indices), material, mode: 4,
        }],
      }) - 1
      this.meshes.set(whole, index)
    }
    return index
  }

  /** A mesh with morph targets, each as differences to its corners. */
  morphing(
    positions: Float32Array, normals: Float32Array, indices: Uint32Array, material: number,
    targets: readonly { readonly positions: Float32Array; readonly normals: Float32Array }[],
  ): number {
    return this.json.meshes.push({
      primitives: [{
        attributes: { POSITION: this.floats(positions, 3, true), NORMAL: this.floats(normals, 3, false, ARRAY_BUFFER) },
        indices: this.indices(indices), material, mode: 4,
        ...targets.length === 0 ? {} : {
          targets: targets.map(target => ({ POSITION: this.floats(target.positions, 3, true), NORMAL: this.floats(target.normals, 3, false, ARRAY_BUFFER) })),
        },
      }],
      ...targets.length === 0 ? {} : { weights: targets.map(() => 0) },
    }) - 1
  }

  /** An accessor of single-precision numbers. @param bounds whether the least and the largest of each component are stated */
  floats(values: Float32Array, width: 1 | 3 | 4, bounds: boolean, target: number | null = bounds ? ARRAY_BUFFER : null): number {
    const count = values.length / width
    const least = new Array<number>(width).fill(Infinity)
    const most = new Array<number>(width).fill(-Infinity)
    if (bounds) {
      values.forEach((value, i) => {
        least[i % width] = Math.min(least[i % width]!, value)
        most[i % width] = Math.max(most[i % width]!, value)
      })
    }
    return this.json.accessors.push({
      bufferView: this.view(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), target), componentType: FLOAT, count,
      type: width === 1 ? 'SCALAR' : `VEC${width}`, ...bounds ? { min: least, max: most } : {},
    }) - 1
  }

  private indices(values: Uint32Array): number {
    return this.json.accessors.push({
      bufferView: this.view(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), ELEMENT_ARRAY_BUFFER), componentType: UNSIGNED_INT,
      count: values.length, type: 'SCALAR',
    }) - 1
  }

  private view(bytes: Uint8Array, target: number | null): number {
    const byteOffset = this.size
    this.chunks.push(bytes)
    this.size += bytes.length
    return this.json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length, ...target === null ? {} : { target } }) - 1
  }

  animate(animation: GltfAnimation): void {
    this.json.animations = [...this.json.animations ?? [], animation]
  }

  /** One glb, or JSON with its buffer beside it. */
  files(name: string, packed: boolean): FormatFile[] {
    const binary = new Uint8Array(this.size)
    let at = 0
    for (const chunk of this.chunks) {
      binary.set(chunk, at)
      at += chunk.length
    }
    const kept = Object.fromEntries(Object.entries(this.json).filter(([, value]) => !Array.isArray(value) || value.length > 0))
    const json = { ...kept, ...this.used.size > 0 ? { extensionsUsed: [...this.used] } : {} }
    const buffer = (uri?: string) => this.size === 0 ? {} : { buffers: [{ ...uri === undefined ? {} : { uri }, byteLength: this.size }] }
    if (packed) return [{ name: `${name}.glb`, content: packGlb(utf8(JSON.stringify({ ...json, ...buffer() })), binary) }]
    const beside = `${name}.bin`
    const text = `${JSON.stringify({ ...json, ...buffer(encodeURI(beside)) }, null, 1)}\n`
    return [{ name: `${name}.gltf`, content: text }, ...this.size > 0 ? [{ name: beside, content: binary }] : []]
  }
}

/** Corners with normals: those of one vertex are one where its faces meet smoothly. */
function corners({ vertices, faces }: Mesh): { positions: Float32Array; normals: Float32Array; indices: Uint32Array } {
  const triangles = fans(faces)
  const normalOf = triangles.map(([a, b, c]) => cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!)))
  const around = vertices.map((): number[] => [])
  triangles.forEach((triangle, t) => triangle.forEach(v => around[v]!.push(t)))
  // Of each vertex its corners; normals are compared as they are rounded here.
  const cornersOf = vertices.map((): number[] => [])
  const rounded: number[] = []
  const positions: number[] = []
  const normals: number[] = []
  const indices: number[] = []
  triangles.forEach((triangle, t) => {
    const own = normalOf[t]!
    const size = length(own)
    if (!(size > 0)) return
    for (const v of triangle) {
      let sum: Vec3 = [0, 0, 0]
      for (const other of around[v]!) {
        const n = normalOf[other]!
        if (dot(own, n) >= SMOOTH * size * length(n)) sum = [sum[0] + n[0], sum[1] + n[1], sum[2] + n[2]]
      }
      const normal = toYUp(normalize(sum))
      const [x, y, z] = [Math.round(normal[0] * 1e4), Math.round(normal[1] * 1e4), Math.round(normal[2] * 1e4)] as const
      let index = cornersOf[v]!.find(i => rounded[3 * i] === x && rounded[3 * i + 1] === y && rounded[3 * i + 2] === z)
      if (index === undefined) {
        index = positions.length / 3
        cornersOf[v]!.push(index)
        rounded.push(x, y, z)
        positions.push(...toYUp(vertices[v]!))
        normals.push(...normal)
      }
      indices.push(index)
    }
  })
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals), indices: Uint32Array.from(indices) }
}

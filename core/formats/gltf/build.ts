/** Builds a glTF document: nodes, meshes and accessors by index, and one buffer. */

import type { Mesh } from '../../geometry/mesh'
import { utf8 } from '../../math/hash'
import { linearOf } from '../shared/colors'
import { packGlb } from './container'
import { CornerMaker } from './corners'
import type { Gltf, GltfAnimation, GltfNode } from './json'
import type { FormatFile } from '../format'

const FLOAT = 5126
const UNSIGNED_INT = 5125
const ARRAY_BUFFER = 34962
const ELEMENT_ARRAY_BUFFER = 34963

export class GltfBuilder {
  readonly json: Gltf & Required<Pick<Gltf, 'nodes' | 'meshes' | 'materials' | 'accessors' | 'bufferViews'>> = {
    asset: { version: '2.0', generator: 'Cairn' }, scene: 0, nodes: [], meshes: [], materials: [], accessors: [], bufferViews: [],
  }

  private readonly corners = new CornerMaker()
  private binary = new Uint8Array(1 << 16)
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

  /** @param doubleSided whether back faces are visible */
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

  /** A mesh with a material; equal keys share one mesh. */
  mesh(key: string, material: number, make: () => Mesh): number {
    const whole = `${material} ${key}`
    let index = this.meshes.get(whole)
    if (index === undefined) {
      const { positions, normals, indices } = this.corners.make(make())
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

  /** An accessor of single-precision numbers. @param bounds whether to write the minimum and maximum of each component */
  floats(values: Float32Array, width: 1 | 3 | 4, bounds: boolean, target: number | null = bounds ? ARRAY_BUFFER : null): number {
    const count = values.length / width
    const least = new Array<number>(width).fill(Infinity)
    const most = new Array<number>(width).fill(-Infinity)
    if (bounds) {
      for (let i = 0; i < values.length; i++) {
        const [k, value] = [i % width, values[i]!]
        least[k] = Math.min(least[k]!, value)
        most[k] = Math.max(most[k]!, value)
      }
    }
    return this.json.accessors.push({
      bufferView: this.view(values, target), componentType: FLOAT, count,
      type: width === 1 ? 'SCALAR' : `VEC${width}`, ...bounds ? { min: least, max: most } : {},
    }) - 1
  }

  private indices(values: Uint32Array): number {
    return this.json.accessors.push({
      bufferView: this.view(values, ELEMENT_ARRAY_BUFFER), componentType: UNSIGNED_INT, count: values.length, type: 'SCALAR',
    }) - 1
  }

  /** Copies its argument. */
  private view({ buffer, byteOffset: from, byteLength }: Float32Array | Uint32Array, target: number | null): number {
    const byteOffset = this.size
    this.size += byteLength
    if (this.size > this.binary.length) {
      const larger = new Uint8Array(2 * this.size)
      larger.set(this.binary.subarray(0, byteOffset))
      this.binary = larger
    }
    this.binary.set(new Uint8Array(buffer, from, byteLength), byteOffset)
    return this.json.bufferViews.push({ buffer: 0, byteOffset, byteLength, ...target === null ? {} : { target } }) - 1
  }

  animate(animation: GltfAnimation): void {
    this.json.animations = [...this.json.animations ?? [], animation]
  }

  /** One glb, or JSON with a separate buffer file. */
  files(name: string, packed: boolean): FormatFile[] {
    const binary = this.binary.slice(0, this.size)
    const kept = Object.fromEntries(Object.entries(this.json).filter(([, value]) => !Array.isArray(value) || value.length > 0))
    const json = { ...kept, ...this.used.size > 0 ? { extensionsUsed: [...this.used] } : {} }
    const buffer = (uri?: string) => this.size === 0 ? {} : { buffers: [{ ...uri === undefined ? {} : { uri }, byteLength: this.size }] }
    if (packed) return [{ name: `${name}.glb`, content: packGlb(utf8(JSON.stringify({ ...json, ...buffer() })), binary) }]
    const beside = `${name}.bin`
    const text = `${JSON.stringify({ ...json, ...buffer(encodeURI(beside)) }, null, 1)}\n`
    return [{ name: `${name}.gltf`, content: text }, ...this.size > 0 ? [{ name: beside, content: binary }] : []]
  }
}

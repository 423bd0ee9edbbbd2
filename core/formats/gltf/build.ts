/** Builds a glTF document: nodes, meshes, textures and accessors by index, and one buffer. */

import type { SeenMesh } from '../mesh'
import { utf8 } from '../../math/hash'
import { linearOf } from '../shared/colors'
import { packGlb } from './container'
import { CornerMaker, type Corners } from './corners'
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
  private readonly textures = new Map<string, number>()
  private readonly used = new Set<string>()

  node(node: GltfNode): number {
    return this.json.nodes.push(node) - 1
  }

  uses(extension: string): void {
    this.used.add(extension)
  }

  /** @param doubleSided whether back faces are visible @param texture index of a texture */
  material(name: string, color: string, doubleSided = false, texture: number | null = null): number {
    const key = `${name} ${doubleSided} ${texture}`
    let index = this.materials.get(key)
    if (index === undefined) {
      index = this.json.materials.push({
        name, ...doubleSided ? { doubleSided } : {},
        pbrMetallicRoughness: {
          baseColorFactor: [...linearOf(color), 1], ...texture === null ? {} : { baseColorTexture: { index: texture } },
          metallicFactor: 0, roughnessFactor: 0.7,
        },
      }) - 1
      this.materials.set(key, index)
    }
    return index
  }

  /** A texture with this picture, which repeats; equal ids share one. */
  texture(id: string, mimeType: string, picture: Uint8Array): number {
    let index = this.textures.get(id)
    if (index === undefined) {
      const image = (this.json.images ??= []).push({ name: id, mimeType, bufferView: this.view(picture, null) }) - 1
      index = (this.json.textures ??= []).push({ source: image }) - 1
      this.textures.set(id, index)
    }
    return index
  }

  /** A mesh with a material; equal keys share one mesh. */
  mesh(key: string, material: number, make: () => SeenMesh): number {
    const whole = `${material} ${key}`
    let index = this.meshes.get(whole)
    if (index === undefined) {
      const seen = make()
      const corners = this.corners.make(seen)
      const { positions, normals, indices } = corners
      index = this.json.meshes.push({
        primitives: [{
          attributes: { POSITION: this.floats(positions, 3, true), NORMAL: this.floats(normals, 3, false, ARRAY_BUFFER), ...this.looks(seen, corners) },
          indices: this.indices(indices), material, mode: 4,
        }],
      }) - 1
      this.meshes.set(whole, index)
    }
    return index
  }

  /** Colours, linear, and texture coordinates of the corners; glTF's origin is the upper left corner of the picture. */
  private looks({ colors, uv }: SeenMesh, { sources }: Corners): Record<string, number> {
    const attributes: Record<string, number> = {}
    if (colors !== undefined) {
      const linear = colors.map(linearOf)
      const lights = Float32Array.from({ length: 3 * sources.length }, (_, i) => linear[sources[Math.floor(i / 3)]!]![i % 3]!)
      attributes.COLOR_0 = this.floats(lights, 3, false, ARRAY_BUFFER)
    }
    if (uv !== undefined) {
      attributes.TEXCOORD_0 = this.floats(Float32Array.from({ length: 2 * sources.length }, (_, i) => {
        const [u, v] = uv[sources[Math.floor(i / 2)]!]!
        return i % 2 === 0 ? u : 1 - v
      }), 2, false, ARRAY_BUFFER)
    }
    return attributes
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
  floats(values: Float32Array, width: 1 | 2 | 3 | 4, bounds: boolean, target: number | null = bounds ? ARRAY_BUFFER : null): number {
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

  /** Copies its argument, to a multiple of four bytes, as accessors need it. */
  private view({ buffer, byteOffset: from, byteLength }: Float32Array | Uint32Array | Uint8Array, target: number | null): number {
    const byteOffset = this.size
    this.size += byteLength + (4 - byteLength % 4) % 4
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

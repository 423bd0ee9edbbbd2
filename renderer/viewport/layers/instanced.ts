/**
 * One geometry drawn many times. Instance attributes are in one interleaved array that the caller fills and that is uploaded at once. Software GL
 * draws instances one after another, each at the cost of a draw call (SwiftShader: about 0.1 ms). There the geometry is repeated for every instance,
 * and each vertex has the attributes of its instance. Several passes (materials) may draw the same instances, for example a depth-tested one and a
 * faint one that ignores depth.
 */

import { Buffer, VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'
import { drawsBySoftware } from './software'

export interface BaseMesh {
  readonly positions: Float32Array
  readonly normals?: Float32Array
  /** Absent for lines, which use the positions in pairs. */
  readonly indices?: Uint32Array
}

/** Name → number of floats, in the order of the interleaved array. */
export type InstanceLayout = Readonly<Record<string, number>>

export interface Pass {
  readonly material: ShaderMaterial
  /** A `GROUP`. */
  readonly group: number
  /** Drawing order among the blended meshes of its group, lowest first. */
  readonly order?: number
}

let counter = 0

export class InstancedLayer {
  /** Floats per instance in `data`. */
  readonly stride: number
  /** Fill from the front, then `upload(count)`. */
  data: Float32Array
  private capacity: number
  /** Copies of each instance's attributes: one, or one for each vertex. */
  private readonly copies: number
  private readonly indices: Uint32Array
  /** Buffer that is uploaded if it is not `data` itself. */
  private spread: Float32Array
  private buffer: Buffer | null = null
  private readonly geometry: Geometry
  private readonly meshes: Mesh[]
  private grown = false
  private count = 0

  constructor(
    private readonly scene: Scene, private readonly base: BaseMesh, private readonly layout: InstanceLayout, passes: readonly Pass[], capacity = 64,
  ) {
    this.stride = Object.values(layout).reduce((sum, size) => sum + size, 0)
    this.capacity = capacity
    this.copies = drawsBySoftware(scene) ? base.positions.length / 3 : 1
    this.indices = base.indices ?? Uint32Array.from({ length: base.positions.length / 3 }, (_, i) => i)
    this.data = this.spread = new Float32Array(capacity * this.stride)
    this.geometry = new Geometry(`layer${counter++}`, scene)
    if (this.copies === 1) this.setBase(1)
    this.allocate()
    this.meshes = passes.map(pass => this.makeMesh(pass))
  }

  /** Sets the vertex data of the geometry, repeated `times` times. */
  private setBase(times: number): void {
    const engine = this.scene.getEngine()
    const { base: { positions, normals }, indices } = this
    this.geometry.setVerticesBuffer(new VertexBuffer(engine, repeated(positions, times), VertexBuffer.PositionKind, false))
    if (normals) this.geometry.setVerticesBuffer(new VertexBuffer(engine, repeated(normals, times), VertexBuffer.NormalKind, false))
    const all = new Uint32Array(indices.length * times)
    for (let i = 0; i < all.length; i++) all[i] = indices[i % indices.length]! + Math.floor(i / indices.length) * positions.length / 3
    this.geometry.setIndices(all)
  }

  private makeMesh(pass: Pass): Mesh {
    const mesh = new Mesh(`${this.geometry.id}-${pass.material.name}`, this.scene)
    mesh.doNotSyncBoundingInfo = true
    mesh.alwaysSelectAsActiveMesh = true
    mesh.isPickable = false
    mesh.renderingGroupId = pass.group
    mesh.alphaIndex = pass.order ?? 0
    this.geometry.applyToMesh(mesh)
    mesh.material = pass.material
    mesh.freezeWorldMatrix()
    mesh.setEnabled(false)
    return mesh
  }

  private allocate(): void {
    const engine = this.scene.getEngine()
    const former = this.buffer
    if (this.copies > 1) {
      this.setBase(this.capacity)
      this.spread = new Float32Array(this.capacity * this.copies * this.stride)
      this.spreadOut()
    } else {
      this.spread = this.data
    }
    this.buffer = new Buffer(engine, this.spread, true, this.stride, false, this.copies === 1)
    let offset = 0
    for (const [kind, size] of Object.entries(this.layout)) {
      this.geometry.setVerticesBuffer(this.buffer.createVertexBuffer(kind, offset, size, this.stride, this.copies === 1), this.copies === 1 ? 0 : null)
      offset += size
    }
    former?.dispose()
    this.grown = false
  }

  private spreadOut(): void {
    const { data, spread, stride, copies } = this
    let to = 0
    for (let from = 0; from < this.count * stride; from += stride) {
      for (let k = 0; k < copies; k++) for (let i = 0; i < stride; i++) spread[to++] = data[from + i]!
    }
  }

  /** Reserves memory for `count` instances and keeps existing data. */
  reserve(count: number): void {
    if (count <= this.capacity) return
    this.capacity = Math.max(count, this.capacity * 2)
    const former = this.data
    this.data = new Float32Array(this.capacity * this.stride)
    this.data.set(former)
    this.grown = true
  }

  /** Uploads the first `count` instances. */
  upload(count: number): void {
    this.count = count
    if (this.grown) this.allocate()
    else if (count > 0) {
      if (this.copies > 1) this.spreadOut()
      this.scene.getEngine().updateDynamicVertexBuffer(this.buffer!.getBuffer()!, this.spread, 0, count * this.copies * this.stride * 4)
    }
    this.apply()
  }

  /** Shows or hides one pass. */
  setPassEnabled(index: number, on: boolean): void {
    this.meshes[index]!.isVisible = on
  }

  private apply(): void {
    const on = this.count > 0
    for (const mesh of this.meshes) {
      if (this.copies === 1) {
        mesh.forcedInstanceCount = this.count
      } else {
        const [part] = mesh.subMeshes
        part!.indexCount = this.count * this.indices.length
        // A submesh that does not cover the whole mesh needs its own bounds.
        part!.setBoundingInfo(mesh.getBoundingInfo())
      }
      mesh.setEnabled(on)
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose(true)
    this.geometry.dispose()
    this.buffer?.dispose()
  }
}

function repeated(values: Float32Array, times: number): Float32Array {
  const all = new Float32Array(values.length * times)
  for (let k = 0; k < times; k++) all.set(values, k * values.length)
  return all
}

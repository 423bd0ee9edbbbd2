/**
 * One geometry drawn many times: instance attributes live in one interleaved array that is filled by the caller and sent in one piece.
 *
 * Several passes (materials) may draw the same instances: a depth-tested one and a faint one through everything, say.
 */

import { Buffer, VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'

export interface BaseMesh {
  readonly positions: Float32Array
  readonly normals?: Float32Array
  /** Absent for lines, which take the positions in pairs. */
  readonly indices?: Uint32Array
}

/** Name → number of floats, in the order of the interleaved array. */
export type InstanceLayout = Readonly<Record<string, number>>

export interface Pass {
  readonly material: ShaderMaterial
  /** A `GROUP`. */
  readonly group: number
  /** Among the blended things of its group, low ones first. */
  readonly order?: number
}

let counter = 0

export class InstancedLayer {
  /** Floats an instance takes in `data`. */
  readonly stride: number
  /** Fill from the front, then `upload(count)`. */
  data: Float32Array
  private capacity: number
  private buffer: Buffer | null = null
  private readonly geometry: Geometry
  private readonly meshes: Mesh[]
  private grown = false
  private count = 0

  constructor(private readonly scene: Scene, base: BaseMesh, private readonly layout: InstanceLayout, passes: readonly Pass[], capacity = 64) {
    this.stride = Object.values(layout).reduce((sum, size) => sum + size, 0)
    this.capacity = capacity
    this.data = new Float32Array(capacity * this.stride)
    const engine = scene.getEngine()
    this.geometry = new Geometry(`layer${counter++}`, scene)
    this.geometry.setVerticesBuffer(new VertexBuffer(engine, base.positions, VertexBuffer.PositionKind, false))
    if (base.normals) this.geometry.setVerticesBuffer(new VertexBuffer(engine, base.normals, VertexBuffer.NormalKind, false))
    this.geometry.setIndices(base.indices ?? Uint32Array.from({ length: base.positions.length / 3 }, (_, i) => i))
    this.allocate()
    this.meshes = passes.map(pass => this.makeMesh(pass))
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
    this.buffer = new Buffer(engine, this.data, true, this.stride, false, true)
    let offset = 0
    for (const [kind, size] of Object.entries(this.layout)) {
      this.geometry.setVerticesBuffer(this.buffer.createVertexBuffer(kind, offset, size, this.stride, true), 0)
      offset += size
    }
    former?.dispose()
    this.grown = false
  }

  /** Makes room for `count` instances, keeping what was filled in. */
  reserve(count: number): void {
    if (count <= this.capacity) return
    this.capacity = Math.max(count, this.capacity * 2)
    const former = this.data
    this.data = new Float32Array(this.capacity * this.stride)
    this.data.set(former)
    this.grown = true
  }

  /** Sends the first `count` instances to the graphics card. */
  upload(count: number): void {
    this.count = count
    if (this.grown) this.allocate()
    else if (count > 0) {
      const buffer = this.buffer!.getBuffer()!
      this.scene.getEngine().updateDynamicVertexBuffer(buffer, this.data, 0, count * this.stride * 4)
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
      mesh.forcedInstanceCount = this.count
      mesh.setEnabled(on)
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose(true)
    this.geometry.dispose()
    this.buffer?.dispose()
  }
}

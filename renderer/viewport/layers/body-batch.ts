/**
 * Bodies' shapes of one geometry, or many small geometries baked together, so that a thousand different hulls take a few draw calls. The
 * attributes with the body's index and the shape's pose are per instance in the first case, per vertex in the second.
 */

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { Material } from '@babylonjs/core/Materials/material'
import type { Scene } from '@babylonjs/core/scene'
import type { DrawingMesh } from '../geometry/drawing-mesh'
import { BODY_LAYOUT, PICTURE } from '../shaders/body'
import type { ShapeInstance } from '../body-plan'

export interface BodyPass {
  readonly material: Material
  readonly group: number
  readonly order: number
  /** Draws lines instead of triangles. */
  readonly edges: boolean
}

export type BatchPart = readonly [DrawingMesh, readonly ShapeInstance[]]

let counter = 0

export class BodyBatch {
  private readonly geometries: Geometry[] = []
  private readonly meshes: { readonly mesh: Mesh; readonly pass: BodyPass }[] = []

  constructor(private readonly scene: Scene, parts: readonly BatchPart[], instanced: boolean, passes: readonly BodyPass[]) {
    const surface = instanced ? this.instanced(parts[0]!, false) : this.baked(parts, false)
    const edges = instanced ? this.instanced(parts[0]!, true) : this.baked(parts, true)
    const count = instanced ? parts[0]![1].length : 0
    for (const pass of passes) {
      const geometry = pass.edges ? edges : surface
      if (geometry) this.addMesh(geometry, pass, count)
    }
  }

  private addMesh(geometry: Geometry, pass: BodyPass, count: number): void {
    const mesh = new Mesh(`${geometry.id}-${pass.material.name}`, this.scene)
    mesh.doNotSyncBoundingInfo = true
    mesh.alwaysSelectAsActiveMesh = true
    mesh.isPickable = false
    mesh.renderingGroupId = pass.group
    mesh.alphaIndex = pass.order
    geometry.applyToMesh(mesh)
    mesh.material = pass.material
    mesh.freezeWorldMatrix()
    mesh.forcedInstanceCount = count
    this.meshes.push({ mesh, pass })
  }

  private geometry(): Geometry {
    const geometry = new Geometry(`bodies${counter++}`, this.scene)
    this.geometries.push(geometry)
    return geometry
  }

  private instanced([mesh, instances]: BatchPart, edges: boolean): Geometry | null {
    const positions = edges ? mesh.edges : mesh.positions
    if (positions.length === 0) return null
    const geometry = this.geometry()
    this.setBase(geometry, positions, edges ? null : mesh.normals, edges ? null : mesh.indices)
    let offset = 0
    for (const [kind, size] of Object.entries(BODY_LAYOUT)) {
      const data = new Float32Array(instances.length * size)
      instances.forEach((instance, i) => data.set(instance.attributes.subarray(offset, offset + size), i * size))
      geometry.setVerticesBuffer(new VertexBuffer(this.scene.getEngine(), data, kind, false, false, size, true))
      offset += size
    }
    return geometry
  }

  private baked(parts: readonly BatchPart[], edges: boolean): Geometry | null {
    const length = (mesh: DrawingMesh) => (edges ? mesh.edges : mesh.positions).length / 3
    const total = parts.reduce((sum, [mesh, instances]) => sum + length(mesh) * instances.length, 0)
    if (total === 0) return null
    const positions = new Float32Array(total * 3)
    const normals = edges ? null : new Float32Array(total * 3)
    const indices = edges ? null : new Uint32Array(parts.reduce((sum, [mesh, instances]) => sum + mesh.indices.length * instances.length, 0))
    const columns = Object.entries(BODY_LAYOUT).map(([kind, size]) => ({ kind, size, data: new Float32Array(total * size) }))
    const places = !edges && parts.some(([, instances]) => instances.some(({ picture }) => picture >= 0)) ? new Float32Array(total * 3) : null
    let vertex = 0
    let corner = 0
    for (const [mesh, instances] of parts) {
      for (const instance of instances) {
        positions.set(edges ? mesh.edges : mesh.positions, vertex * 3)
        normals?.set(mesh.normals, vertex * 3)
        if (indices) for (const index of mesh.indices) indices[corner++] = index + vertex
        let offset = 0
        if (places) this.setPlaces(places, vertex, mesh, instance.picture)
        for (const { kind, size, data } of columns) {
          const values = instance.attributes.subarray(offset, offset + size)
          for (let i = 0; i < length(mesh); i++) data.set(values, (vertex + i) * size)
          if (kind === 'tint' && mesh.colors && !edges) for (let i = 0; i < mesh.colors.length; i++) data[vertex * size + i]! *= mesh.colors[i]!
          offset += size
        }
        vertex += length(mesh)
      }
    }
    const geometry = this.geometry()
    this.setBase(geometry, positions, normals, indices)
    for (const { kind, size, data } of columns) {
      geometry.setVerticesBuffer(new VertexBuffer(this.scene.getEngine(), data, kind, false, false, size, false))
    }
    if (places) geometry.setVerticesBuffer(new VertexBuffer(this.scene.getEngine(), places, PICTURE, false, false, 3, false))
    return geometry
  }

  /** By vertex: place in the picture, and the picture's layer. */
  private setPlaces(places: Float32Array, first: number, { uv, positions }: DrawingMesh, picture: number): void {
    for (let i = 0; i < positions.length / 3; i++) places.set([uv?.[2 * i] ?? 0, uv?.[2 * i + 1] ?? 0, picture], 3 * (first + i))
  }

  private setBase(geometry: Geometry, positions: Float32Array, normals: Float32Array | null, indices: Uint32Array | null): void {
    const engine = this.scene.getEngine()
    geometry.setVerticesBuffer(new VertexBuffer(engine, positions, VertexBuffer.PositionKind, false))
    if (normals) geometry.setVerticesBuffer(new VertexBuffer(engine, normals, VertexBuffer.NormalKind, false))
    geometry.setIndices(indices ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i))
  }

  meshesOf(material: Material): Mesh[] {
    return this.meshes.filter(({ pass }) => pass.material === material).map(({ mesh }) => mesh)
  }

  /** Shows only the meshes of passes that satisfy the condition. */
  show(which: (pass: BodyPass) => boolean): void {
    for (const { mesh, pass } of this.meshes) mesh.setEnabled(which(pass))
  }

  dispose(): void {
    for (const { mesh } of this.meshes) mesh.dispose(true)
    for (const geometry of this.geometries) geometry.dispose()
  }
}

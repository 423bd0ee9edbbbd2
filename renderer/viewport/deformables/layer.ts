/** Deformables on the graphics card. Both sides are lit, as the surface shader of bodies turns normals to the eye. */

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Vector3 } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import type { Scene } from '../../../core/scene'
import { GROUP } from '../engine'
import { KEY_LIGHT } from '../layers/shadows'
import type { SharedUniforms } from '../layers/uniforms'
import { surfaceFragment } from '../shaders/body'
import { deformableVertex } from '../shaders/deformable'
import { makeShader } from '../shaders/material'
import type { ViewportTheme } from '../theme'
import { DeformableMesh } from './mesh'

export class DeformableLayer {
  private readonly material: ShaderMaterial
  private drawn: { readonly of: Scene['deformables']; readonly materials: Scene['materials']; readonly mesh: DeformableMesh; readonly node: Mesh; readonly geometry: Geometry } | null = null
  private states = new Float32Array(0)

  constructor(private readonly scene: BabylonScene, uniforms: SharedUniforms) {
    this.material = uniforms.add(makeShader(scene, {
      name: 'deformables', vertex: deformableVertex, fragment: surfaceFragment, attributes: ['position', 'normal', 'tint', 'state'], cull: 'none', offset: 1,
      uniforms: ['eye', 'forward', 'pixelScale', 'keyDirection', 'sky', 'ground', 'key', 'accent', 'warning', 'stale', 'hatchSize'],
    }))
    this.material.setVector3('keyDirection', new Vector3(...KEY_LIGHT))
    this.setStale(false)
    this.material.setFloat('hatchSize', 1)
  }

  setTheme(theme: ViewportTheme): void {
    const vector = (color: Vec3) => new Vector3(color[0], color[1], color[2])
    this.material.setVector3('sky', vector(theme.sky)).setVector3('ground', vector(theme.ground)).setVector3('key', vector(theme.key))
    this.material.setVector3('accent', vector(theme.accent)).setVector3('warning', vector(theme.danger))
  }

  setStale(stale: boolean): void {
    this.material.setFloat('stale', stale ? 1 : 0)
  }

  /**
   * @param x m, 3 a particle; null: as the document has them
   * @param stateOf a highlight by deformable; −1: not shown
   */
  set(scene: Scene, x: Float64Array | null, stateOf: (deformable: number) => number, origin: Vec3): void {
    if (this.drawn?.of !== scene.deformables || this.drawn?.materials !== scene.materials) this.rebuild(scene)
    if (this.drawn === null) return
    const { mesh, geometry } = this.drawn
    mesh.place(x !== null && x.length === mesh.initial.length ? x : mesh.initial, origin)
    mesh.owner.forEach((owner, i) => { this.states[i] = stateOf(owner) })
    geometry.getVertexBuffer(VertexBuffer.PositionKind)!.update(mesh.positions)
    geometry.getVertexBuffer(VertexBuffer.NormalKind)!.update(mesh.normals)
    geometry.getVertexBuffer('state')!.update(this.states)
  }

  private rebuild(scene: Scene): void {
    this.clear()
    if ((scene.deformables?.length ?? 0) === 0) return
    const mesh = new DeformableMesh(scene)
    this.states = new Float32Array(mesh.owner.length)
    const engine = this.scene.getEngine()
    const geometry = new Geometry('deformables', this.scene)
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.positions, VertexBuffer.PositionKind, true))
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.normals, VertexBuffer.NormalKind, true))
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.tints, 'tint', false, false, 3))
    geometry.setVerticesBuffer(new VertexBuffer(engine, this.states, 'state', true, false, 1))
    geometry.setIndices(mesh.indices)
    const node = new Mesh('deformables', this.scene)
    node.doNotSyncBoundingInfo = true
    node.alwaysSelectAsActiveMesh = true
    node.isPickable = false
    node.renderingGroupId = GROUP.bodies
    geometry.applyToMesh(node)
    node.material = this.material
    node.freezeWorldMatrix()
    this.drawn = { of: scene.deformables, materials: scene.materials, mesh, node, geometry }
  }

  private clear(): void {
    this.drawn?.node.dispose(true)
    this.drawn?.geometry.dispose()
    this.drawn = null
  }

  dispose(): void {
    this.clear()
    this.material.dispose()
  }
}

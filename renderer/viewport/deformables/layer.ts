/** Deformables on the graphics card. Both sides are lit: the surface shader turns normals towards the eye. */

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer'
import { Constants } from '@babylonjs/core/Engines/constants'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Vector2, Vector3 } from '@babylonjs/core/Maths/math.vector'
import { Geometry } from '@babylonjs/core/Meshes/geometry'
import { Mesh } from '@babylonjs/core/Meshes/mesh'
import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import type { Scene } from '../../../core/scene'
import { GROUP } from '../engine'
import { KEY_LIGHT, lightDefines, receiveLights, type Lights } from '../layers/shadows'
import type { SharedUniforms } from '../layers/uniforms'
import { outlineFragment, surfaceFragment } from '../shaders/body'
import { deformableOutlineVertex, deformableVertex } from '../shaders/deformable'
import { makeShader } from '../shaders/material'
import type { ViewportTheme } from '../theme'
import { rampColor } from './colours'
import { DeformableMesh } from './mesh'

/** Device pixels by which the outline's copies are shifted along each axis. */
const OUTLINE = 2
const SHIFTS = [[0, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]] as const

interface Drawn {
  readonly of: Scene['deformables']
  readonly materials: Scene['materials']
  readonly mesh: DeformableMesh
  readonly nodes: readonly Mesh[]
  readonly geometry: Geometry
}

export class DeformableLayer {
  private readonly material: ShaderMaterial
  private readonly outlines: readonly ShaderMaterial[]
  private drawn: Drawn | null = null
  private states = new Float32Array(0)
  private tints = new Float32Array(0)
  private painted = false

  constructor(private readonly scene: BabylonScene, private readonly uniforms: SharedUniforms, private readonly lights: Lights) {
    const reads = lightDefines(lights)
    this.material = uniforms.add(makeShader(scene, {
      name: 'deformables', vertex: deformableVertex, fragment: surfaceFragment, attributes: ['position', 'normal', 'tint', 'state'], cull: 'none', offset: 1,
      samplers: reads.samplers, defines: reads.defines,
      uniforms: [...reads.uniforms, 'eye', 'forward', 'pixelScale', 'keyDirection', 'sky', 'ground', 'key', 'accent', 'warning', 'stale', 'hatchSize'],
    }))
    receiveLights(lights, this.material)
    this.outlines = SHIFTS.map(shift => this.outline(shift))
    this.material.setVector3('keyDirection', new Vector3(...KEY_LIGHT))
    this.setStale(false)
    this.material.setFloat('hatchSize', 1)
  }

  /** As for bodies: the selected surface is written to the stencil, and the shifted copies are drawn outside of it. */
  private outline([x, y]: readonly [number, number]): ShaderMaterial {
    const ring = x !== 0
    const material = this.uniforms.add(makeShader(this.scene, {
      name: ring ? 'deformable outline' : 'deformable silhouette', vertex: deformableOutlineVertex, fragment: outlineFragment, attributes: ['position', 'state'],
      uniforms: ['eye', 'forward', 'pixelScale', 'viewport', 'shift', 'accent', 'hover', 'warning'], blended: true, depth: 'none', cull: 'none',
    }))
    material.disableColorWrite = !ring
    material.stencil.enabled = true
    material.stencil.func = ring ? Constants.NOTEQUAL : Constants.ALWAYS
    material.stencil.funcRef = 1
    material.stencil.opStencilDepthPass = ring ? Constants.KEEP : Constants.REPLACE
    material.setVector2('shift', new Vector2(OUTLINE * x, OUTLINE * y))
    return material
  }

  setTheme(theme: ViewportTheme): void {
    const vector = (color: Vec3) => new Vector3(color[0], color[1], color[2])
    this.material.setVector3('sky', vector(theme.sky)).setVector3('ground', vector(theme.ground)).setVector3('key', vector(theme.key))
    this.material.setVector3('accent', vector(theme.accent)).setVector3('warning', vector(theme.danger))
    for (const outline of this.outlines) outline.setVector3('accent', vector(theme.accent)).setVector3('hover', vector(theme.focus)).setVector3('warning', vector(theme.danger))
  }

  setStale(stale: boolean): void {
    this.material.setFloat('stale', stale ? 1 : 0)
  }

  /** The drawn mesh, as placed in the last picture; null without deformables. */
  get mesh(): DeformableMesh | null {
    return this.drawn?.mesh ?? null
  }

  /**
   * @param x m, 3 a particle; null: positions of the document
   * @param stateOf highlight of each deformable; −1: not drawn
   */
  set(scene: Scene, x: Float64Array | null, stateOf: (deformable: number) => number, origin: Vec3): void {
    if (this.drawn?.of !== scene.deformables || this.drawn?.materials !== scene.materials) this.rebuild(scene)
    if (this.drawn === null) return
    const { mesh, geometry, nodes } = this.drawn
    mesh.place(x !== null && x.length === mesh.initial.length ? x : mesh.initial, origin)
    mesh.owner.forEach((owner, i) => { this.states[i] = stateOf(owner) })
    const outlined = this.states.some(state => state > 0)
    for (const node of nodes.slice(1)) node.setEnabled(outlined)
    geometry.getVertexBuffer(VertexBuffer.PositionKind)!.update(mesh.positions)
    geometry.getVertexBuffer(VertexBuffer.NormalKind)!.update(mesh.normals)
    geometry.getVertexBuffer('state')!.update(this.states)
  }

  /** Colours by value, with the full colour at ± `full`. NaN keeps the material's colour; null restores it everywhere. */
  paint(values: Float64Array | null, full: number): void {
    if (this.drawn === null || (values === null && !this.painted)) return
    const { mesh, geometry } = this.drawn
    this.tints.set(mesh.tints)
    values?.forEach((value, i) => { if (!Number.isNaN(value)) this.tints.set(rampColor(full > 0 ? value / full : 0), 3 * i) })
    this.painted = values !== null
    geometry.getVertexBuffer('tint')!.update(this.tints)
  }

  private rebuild(scene: Scene): void {
    this.clear()
    if ((scene.deformables?.length ?? 0) === 0) return
    const mesh = new DeformableMesh(scene)
    this.states = new Float32Array(mesh.owner.length)
    this.tints = mesh.tints.slice()
    this.painted = false
    const engine = this.scene.getEngine()
    const geometry = new Geometry('deformables', this.scene)
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.positions, VertexBuffer.PositionKind, true))
    geometry.setVerticesBuffer(new VertexBuffer(engine, mesh.normals, VertexBuffer.NormalKind, true))
    geometry.setVerticesBuffer(new VertexBuffer(engine, this.tints, 'tint', true, false, 3))
    geometry.setVerticesBuffer(new VertexBuffer(engine, this.states, 'state', true, false, 1))
    geometry.setIndices(mesh.indices)
    const nodes = [this.node(geometry, this.material, GROUP.bodies), ...this.outlines.map((outline, k) => this.node(geometry, outline, GROUP.outlines, k))]
    this.cast(nodes.slice(0, 1))
    this.drawn = { of: scene.deformables, materials: scene.materials, mesh, nodes, geometry }
  }

  /** Makes the meshes throw shadows and darken their surroundings. */
  private cast(nodes: readonly Mesh[]): void {
    const { key, sky, occlusion } = this.lights
    for (const map of [key, sky, occlusion]) map?.setCasters('deformables', nodes)
  }

  private node(geometry: Geometry, material: ShaderMaterial, group: number, order = 0): Mesh {
    const node = new Mesh(material.name, this.scene)
    node.doNotSyncBoundingInfo = true
    node.alwaysSelectAsActiveMesh = true
    node.isPickable = false
    node.renderingGroupId = group
    node.alphaIndex = order === 0 ? 0 : 1
    geometry.applyToMesh(node)
    node.material = material
    node.freezeWorldMatrix()
    return node
  }

  private clear(): void {
    if (this.drawn !== null) this.cast([])
    for (const node of this.drawn?.nodes ?? []) node.dispose(true)
    this.drawn?.geometry.dispose()
    this.drawn = null
  }

  dispose(): void {
    this.clear()
    this.material.dispose()
    for (const outline of this.outlines) outline.dispose()
  }
}

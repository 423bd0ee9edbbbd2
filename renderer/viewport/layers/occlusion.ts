/**
 * Ambient occlusion: a depth map of the picture at reduced resolution, drawn with every frame while enabled. Surfaces sample it around themselves and
 * lose as much ambient light as close objects cover. Babylon's pipeline is not used. It renders the scene again with its own shaders, which do not
 * know the bodies' poses (those are in a texture), and it darkens the finished picture including arrows.
 */

import type { RenderTargetTexture } from '@babylonjs/core/Materials/Textures/renderTargetTexture'
import type { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Vector2 } from '@babylonjs/core/Maths/math.vector'
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh'
import type { Scene } from '@babylonjs/core/scene'
import type { Projection } from '../camera/projection'
import { BODY_ATTRIBUTES } from '../shaders/body'
import { depthBehind, depthOfBodies, depthOfDeformables, depthOfPlanes } from '../shaders/occlusion'
import { makeShader } from '../shaders/material'
import { depthTarget } from './depth-target'
import type { SharedUniforms } from './uniforms'

const DEFINE = '#define OCCLUSION'

export class OcclusionMap {
  private readonly target: RenderTargetTexture
  private readonly bodies: ShaderMaterial
  private readonly deformables: ShaderMaterial
  private readonly planes: ShaderMaterial[] = []
  private readonly receivers: ShaderMaterial[] = []
  private readonly range = new Vector2()
  private casters: Readonly<Record<'bodies' | 'deformables', readonly AbstractMesh[]>> = { bodies: [], deformables: [] }
  private readonly discs: AbstractMesh[] = []
  private isRead = false

  /** @param rate pixels of the map ÷ pixels of the picture, along an edge @param taps samples per surface point */
  constructor(private readonly scene: Scene, private readonly uniforms: SharedUniforms, private readonly rate: number, readonly taps: number) {
    this.target = depthTarget('occlusionMap', 16, scene)
    this.bodies = this.depth('bodies', depthOfBodies, BODY_ATTRIBUTES.filter(name => name !== 'normal' && name !== 'tint'), ['poses'])
    this.deformables = this.depth('deformables', depthOfDeformables, ['position', 'state'], [])
  }

  private depth(
    name: string, vertex: string, attributes: readonly string[], samplers: readonly string[], uniforms: readonly string[] = [], cull: 'back' | 'none' = 'none',
  ): ShaderMaterial {
    return this.uniforms.add(makeShader(this.scene, {
      name: `depth of ${name}`, vertex, fragment: depthBehind, attributes, samplers, uniforms: ['eye', 'forward', 'occlusionRange', ...uniforms], cull,
    }))
  }

  bindPoses(texture: RawTexture): void {
    this.bodies.setTexture('poses', texture)
  }

  setCasters(what: 'bodies' | 'deformables', meshes: readonly AbstractMesh[]): void {
    this.casters = { ...this.casters, [what]: meshes }
    for (const mesh of meshes) this.target.setMaterialForRendering(mesh, this[what])
    this.list()
  }

  /** Adds a solid plane, which is transparent from below. @returns the material whose uniforms describe its pose, as in its own material */
  addPlane(mesh: AbstractMesh): ShaderMaterial {
    const material = this.depth('planes', depthOfPlanes, ['position'], [], ['center', 'axisU', 'axisV', 'radius'], 'back')
    this.planes.push(material)
    this.discs.push(mesh)
    this.target.setMaterialForRendering(mesh, material)
    this.list()
    return material
  }

  private list(): void {
    this.target.renderList = [...this.casters.bodies, ...this.casters.deformables, ...this.discs]
  }

  receive(material: ShaderMaterial): void {
    this.receivers.push(material)
    material.setTexture('occlusionMap', this.target)
    material.setFloat('occlusionRate', this.rate)
  }

  /** Whether the map is drawn and sampled. Otherwise shaders are compiled without it. */
  set read(on: boolean) {
    if (on === this.isRead) return
    this.isRead = on
    const targets = this.scene.customRenderTargets
    if (on) targets.push(this.target)
    else targets.splice(targets.indexOf(this.target), 1)
    for (const { options: { defines } } of this.receivers) {
      if (on) defines.push(DEFINE)
      else defines.splice(defines.indexOf(DEFINE), 1)
    }
  }

  /** Called before each frame. @param width device pixels */
  prepare(view: Projection, width: number, height: number): void {
    if (!this.isRead) return
    const [w, h] = [Math.max(1, Math.round(width * this.rate)), Math.max(1, Math.round(height * this.rate))]
    const size = this.target.getSize()
    if (size.width !== w || size.height !== h) this.target.resize({ width: w, height: h })
    this.range.set(view.near, view.far - view.near)
    for (const material of [this.bodies, this.deformables, ...this.planes, ...this.receivers]) material.setVector2('occlusionRange', this.range)
  }
}

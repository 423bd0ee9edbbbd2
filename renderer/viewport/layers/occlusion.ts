/**
 * How deep everything lies behind each place of the picture, at a part of its pixels: surfaces look around themselves in it for what stands close over them,
 * and lose that much of the light from all around. Drawn with every picture while it is wanted.
 *
 * Babylon's own pipeline draws the scene once more by shaders of its own, which do not know where bodies are (their poses are in a texture), and darkens the
 * finished picture, arrows and all.
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

  /** @param rate pixels of the map ÷ pixels of the picture, along an edge @param taps places that a surface looks at */
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

  /** A solid plane, which one looks through from below. @returns what is to be told of its place as its own material is */
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

  /** Whether it is drawn and read. Shaders that do not read it are compiled without it. */
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

  /** Before each picture. @param width device pixels */
  prepare(view: Projection, width: number, height: number): void {
    if (!this.isRead) return
    const [w, h] = [Math.max(1, Math.round(width * this.rate)), Math.max(1, Math.round(height * this.rate))]
    const size = this.target.getSize()
    if (size.width !== w || size.height !== h) this.target.resize({ width: w, height: h })
    this.range.set(view.near, view.far - view.near)
    for (const material of [this.bodies, this.deformables, ...this.planes, ...this.receivers]) material.setVector2('occlusionRange', this.range)
  }
}

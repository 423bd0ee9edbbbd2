/**
 * Shadow map: depths of bodies and deformables seen from a light, packed into the four bytes of a texel. It is drawn only when they move, so
 * turning the camera costs nothing. The key light's map gives soft shadows; the map from straight above gives contact shadows.
 */

import { RenderTargetTexture } from '@babylonjs/core/Materials/Textures/renderTargetTexture'
import { Matrix, Vector2 } from '@babylonjs/core/Maths/math.vector'
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh'
import type { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'
import { cross, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../../core/math/vector'
import type { Sphere } from '../camera/projection'
import { BODY_ATTRIBUTES } from '../shaders/body'
import { deformableDepthVertex, depthFragment, depthVertex } from '../shaders/shadow'
import { depthTarget } from './depth-target'
import type { OcclusionMap } from './occlusion'
import { makeShader } from '../shaders/material'

/** Prefix of the names of a receiver's uniforms. */
type Purpose = 'shadow' | 'sky'

const DEFINES: Readonly<Record<Purpose, string>> = { shadow: '#define SHADOWS', sky: '#define SKY' }

/** Kinds of objects that throw shadows. */
export type Caster = 'bodies' | 'deformables'

export class LightMap {
  private readonly target: RenderTargetTexture
  private readonly depths: Readonly<Record<Caster, ShaderMaterial>>
  private casters: Readonly<Record<Caster, readonly AbstractMesh[]>> = { bodies: [], deformables: [] }
  private readonly matrix = new Matrix()
  private readonly texel = new Vector2()
  private readonly receivers: ShaderMaterial[] = []
  private isRead = true

  /** @param light unit, towards the light @param size texels along an edge of the map */
  constructor(scene: Scene, private readonly purpose: Purpose, private readonly light: Vec3, private readonly size: number) {
    this.target = depthTarget(`${purpose}Map`, size, scene)
    this.target.refreshRate = RenderTargetTexture.REFRESHRATE_RENDER_ONCE
    const depth = (caster: Caster, vertex: string, attributes: string[], samplers: string[]): ShaderMaterial => makeShader(scene, {
      name: `${purpose}-depth of ${caster}`, vertex, fragment: depthFragment, attributes, uniforms: ['lightMatrix'], samplers, cull: 'none',
    })
    this.depths = {
      bodies: depth('bodies', depthVertex, BODY_ATTRIBUTES.filter(name => name !== 'normal' && name !== 'tint'), ['poses']),
      deformables: depth('deformables', deformableDepthVertex, ['position', 'state'], []),
    }
    scene.customRenderTargets.push(this.target)
  }

  receive(material: ShaderMaterial): void {
    this.receivers.push(material)
    material.setTexture(`${this.purpose}Map`, this.target)
    this.define(material)
  }

  /** Whether surfaces sample the map. If not, shaders are compiled without it, since software GL would compute both branches of a condition. */
  get read(): boolean {
    return this.isRead
  }
  set read(on: boolean) {
    if (on === this.isRead) return
    this.isRead = on
    for (const material of this.receivers) this.define(material)
  }

  private define(material: ShaderMaterial): void {
    const { defines } = material.options
    const wanted = DEFINES[this.purpose]
    const at = defines.indexOf(wanted)
    if (this.isRead && at < 0) defines.push(wanted)
    if (!this.isRead && at >= 0) defines.splice(at, 1)
  }

  bindPoses(texture: RawTexture): void {
    this.depths.bodies.setTexture('poses', texture)
  }

  setCasters(what: Caster, meshes: readonly AbstractMesh[]): void {
    this.casters = { ...this.casters, [what]: meshes }
    this.target.renderList = [...this.casters.bodies, ...this.casters.deformables]
    for (const mesh of meshes) this.target.setMaterialForRendering(mesh, this.depths[what])
  }

  /** Bodies have moved, or the covered region has changed: the map is drawn with the next frame. */
  update(content: Sphere, origin: Vec3): void {
    const side = perpendicular(this.light)
    const up = cross(this.light, side)
    const center = sub(content.center, origin)
    const reach = Math.max(content.radius * 1.05, 1e-6)
    const rows = [scale(side, 1 / reach), scale(up, 1 / reach), scale(this.light, -1 / reach)] as const
    Matrix.FromValuesToRef(
      rows[0][0], rows[1][0], rows[2][0], 0,
      rows[0][1], rows[1][1], rows[2][1], 0,
      rows[0][2], rows[1][2], rows[2][2], 0,
      -dot(rows[0], center), -dot(rows[1], center), -dot(rows[2], center), 1, this.matrix)
    this.texel.set(1 / this.size, 2 * reach / this.size)
    for (const depth of Object.values(this.depths)) depth.setMatrix('lightMatrix', this.matrix)
    for (const material of this.receivers) {
      material.setMatrix(`${this.purpose}Matrix`, this.matrix)
      material.setVector2(`${this.purpose}Texel`, this.texel)
    }
    this.target.resetRefreshCounter()
  }

  dispose(): void {
    this.target.dispose()
    for (const depth of Object.values(this.depths)) depth.dispose()
  }
}

export const KEY_LIGHT: Vec3 = normalize([0.38, -0.5, 0.78])
export const SKY_LIGHT: Vec3 = [0, 0, 1]

/** The maps that bodies are drawn into and surfaces sample. */
export interface Lights {
  readonly key: LightMap
  readonly sky: LightMap
  readonly occlusion: OcclusionMap
  /** Samples of the map from above per surface point. */
  readonly taps: number
}

/** Declarations of a shader that samples the maps. */
export function lightDefines({ taps, occlusion }: Lights): { samplers: string[], defines: string[], uniforms: string[] } {
  return {
    samplers: ['shadowMap', 'skyMap', 'occlusionMap'],
    defines: [`#define SKY_TAPS ${taps}`, `#define OCCLUSION_TAPS ${occlusion.taps}`],
    uniforms: ['occlusionRange', 'occlusionRate', 'aroundReach', 'viewport', 'right', 'up', 'shadowMatrix', 'shadowTexel', 'skyMatrix', 'skyTexel', 'skyReach'],
  }
}

export function receiveLights({ key, sky, occlusion }: Lights, material: ShaderMaterial): void {
  key.receive(material)
  sky.receive(material)
  occlusion.receive(material)
}

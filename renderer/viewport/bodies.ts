/** All bodies of one scene on the graphics card: faces, edges, and outlines of bodies that are selected, hovered or have problems. */

import { Constants } from '@babylonjs/core/Engines/constants'
import { Vector2, Vector3 } from '@babylonjs/core/Maths/math.vector'
import type { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../core/math/vector'
import type { BodyPlan, ShapeInstance } from './body-plan'
import { GROUP } from './engine'
import { BodyBatch, type BatchPart, type BodyPass } from './layers/body-batch'
import { PictureArray } from './layers/pictures'
import { PoseTexture } from './layers/pose-texture'
import { KEY_LIGHT, lightDefines, receiveLights, type LightMap, type Lights } from './layers/shadows'
import { drawsBySoftware } from './layers/software'
import type { SharedUniforms } from './layers/uniforms'
import { BODY_ATTRIBUTES, edgeFragment, edgeVertex, outlineFragment, outlineVertex, PICTURE, surfaceFragment, surfaceVertex } from './shaders/body'
import { makeShader } from './shaders/material'
import type { ViewportTheme } from './theme'

export const HIGHLIGHT = { none: 0, hovered: 1, selected: 2, trouble: 3 } as const

/** A geometry with at least this many equal shapes is drawn instanced. Rarer ones, and those with colours of their own, are baked together. */
const INSTANCED_FROM = 6
/** Software GL draws instances one by one, so it bakes geometries up to this many vertices in total (17 MB). */
const BAKED_IN_SOFTWARE = 200_000

export class BodyLayer {
  readonly poses: PoseTexture
  /** Of bodies without and with pictures. */
  private readonly surfaces: readonly [plain: ShaderMaterial, pictured: ShaderMaterial]
  private readonly pictures: PictureArray
  private readonly edges: ShaderMaterial
  private readonly outlines: ShaderMaterial[] = []
  /** Of bodies without and with pictures. */
  private readonly passes: readonly [plain: BodyPass[], pictured: BodyPass[]]
  private batches: BodyBatch[] = []
  private edgesShown = true
  private outlined = false

  /** @param onPictures is called when pictures have been decoded */
  constructor(
    private readonly scene: Scene, private readonly uniforms: SharedUniforms, private readonly lights: Lights, onPictures: () => void,
  ) {
    const reads = lightDefines(lights)
    const attributes = BODY_ATTRIBUTES
    const samplers = ['poses']
    const surface = (name: string, pictured: boolean) => uniforms.add(makeShader(scene, {
      name, vertex: surfaceVertex, fragment: surfaceFragment, attributes: pictured ? [...attributes, PICTURE] : attributes, offset: 1,
      samplers: [...samplers, ...reads.samplers, ...pictured ? ['pictures'] : []], defines: [...reads.defines, ...pictured ? ['#define PICTURES'] : []],
      uniforms: [...reads.uniforms, 'eye', 'forward', 'pixelScale', 'keyDirection', 'sky', 'ground', 'key', 'accent', 'warning', 'stale', 'hatchSize'],
    }))
    this.surfaces = [surface('surface', false), surface('pictured', true)]
    this.edges = uniforms.add(makeShader(scene, {
      name: 'edges', vertex: edgeVertex, fragment: edgeFragment, attributes: attributes.filter(name => name !== 'normal'), samplers,
      uniforms: ['ink', 'inkWeight', 'stale', 'opacity'], lines: true, blended: true,
    }))
    for (const material of this.surfaces) {
      material.setVector3('keyDirection', new Vector3(...KEY_LIGHT))
      receiveLights(lights, material)
    }
    this.pictures = new PictureArray(scene, texture => {
      this.surfaces[1].setTexture('pictures', texture)
      onPictures()
    })
    this.edges.setFloat('opacity', 0.55)
    const outlines = this.makeOutlines(samplers)
    const passes = (material: ShaderMaterial): BodyPass[] => [
      { material, group: GROUP.bodies, order: 0, edges: false }, { material: this.edges, group: GROUP.bodies, order: 10, edges: true }, ...outlines,
    ]
    this.passes = [passes(this.surfaces[0]), passes(this.surfaces[1])]
    this.poses = new PoseTexture(scene, texture => this.bindPoses(texture))
    this.setStale(false)
  }

  /** The silhouette is written to the stencil first; then a slightly larger one is drawn around it, also through bodies in front. */
  private makeOutlines(samplers: string[]): BodyPass[] {
    const passes: BodyPass[] = []
    for (const ring of [false, true]) {
      const material = this.uniforms.add(makeShader(this.scene, {
        name: ring ? 'outline' : 'silhouette', vertex: outlineVertex, fragment: outlineFragment, attributes: BODY_ATTRIBUTES, samplers,
        uniforms: ['eye', 'forward', 'pixelScale', 'viewport', 'grow', 'least', 'accent', 'hover', 'warning', 'chosen'],
        blended: true, depth: 'none', cull: 'none',
      }))
      material.disableColorWrite = !ring
      material.stencil.enabled = true
      material.stencil.func = ring ? Constants.NOTEQUAL : Constants.ALWAYS
      material.stencil.funcRef = 1
      material.stencil.opStencilDepthPass = ring ? Constants.KEEP : Constants.REPLACE
      material.setFloat('grow', ring ? 2.5 : 0)
      material.setFloat('least', HIGHLIGHT.hovered)
      material.setVector2('chosen', new Vector2(-1, -1))
      this.outlines.push(material)
      passes.push({ material, group: GROUP.outlines, order: ring ? 1 : 0, edges: false })
    }
    return passes
  }

  private get maps(): readonly LightMap[] {
    return [this.lights.sky, this.lights.key]
  }

  private bindPoses(texture: RawTexture): void {
    for (const material of [...this.surfaces, this.edges, ...this.outlines]) material.setTexture('poses', texture)
    for (const map of this.maps) map.bindPoses(texture)
    this.lights.occlusion.bindPoses(texture)
  }

  setPlan(plan: BodyPlan): void {
    for (const batch of this.batches) batch.dispose()
    this.poses.resize(plan.kinds.length)
    this.pictures.show(plan.pictures)
    const rare: BatchPart[] = []
    const pictured: BatchPart[] = []
    this.batches = []
    for (const instances of plan.groups.values()) {
      const part: BatchPart = [instances[0]!.mesh, instances]
      const baked = drawsBySoftware(this.scene) && instances.length * part[0].positions.length / 3 <= BAKED_IN_SOFTWARE
      if (instances[0]!.picture >= 0) pictured.push(part)
      else if (instances.length < INSTANCED_FROM || baked || part[0].colors) rare.push(part)
      else this.batches.push(new BodyBatch(this.scene, [part], true, this.passes[0]))
    }
    if (rare.length > 0) this.batches.push(new BodyBatch(this.scene, rare, false, this.passes[0]))
    if (pictured.length > 0) this.batches.push(new BodyBatch(this.scene, pictured, false, this.passes[1]))
    const casters = this.batches.flatMap(batch => this.surfaces.flatMap(material => batch.meshesOf(material)))
    for (const map of this.maps) map.setCasters('bodies', casters)
    this.lights.occlusion.setCasters('bodies', casters)
    this.applyVisibility()
  }

  /** Whether all pictures are decoded. */
  get isWhole(): boolean {
    return this.pictures.isWhole
  }

  /** Outlines this shape only, or all shapes of a selected body if null. */
  setChosenShape(shape: Pick<ShapeInstance, 'body' | 'shape'> | null): void {
    for (const material of this.outlines) material.setVector2('chosen', new Vector2(shape?.body ?? -1, shape?.shape ?? -1))
  }

  /** Outlines cost two extra passes over all bodies, so they are drawn only while a body has one. */
  setOutlined(on: boolean): void {
    if (this.outlined === on) return
    this.outlined = on
    this.applyVisibility()
  }

  setEdgesShown(on: boolean): void {
    if (this.edgesShown === on) return
    this.edgesShown = on
    this.applyVisibility()
  }

  private applyVisibility(): void {
    for (const batch of this.batches) {
      batch.show(pass => pass.edges ? this.edgesShown : pass.group === GROUP.outlines ? this.outlined : true)
    }
  }

  setStale(stale: boolean): void {
    for (const material of this.surfaces) material.setFloat('stale', stale ? 1 : 0)
    this.edges.setFloat('stale', stale ? 1 : 0)
  }

  /** m: width of the hatching on fixed bodies. */
  setHatchSize(size: number): void {
    for (const material of this.surfaces) material.setFloat('hatchSize', size)
  }

  setTheme(theme: ViewportTheme): void {
    const vector = (color: Vec3) => new Vector3(color[0], color[1], color[2])
    for (const material of this.surfaces) {
      material.setVector3('sky', vector(theme.sky)).setVector3('ground', vector(theme.ground)).setVector3('key', vector(theme.key))
      material.setVector3('accent', vector(theme.accent)).setVector3('warning', vector(theme.danger))
    }
    this.edges.setVector3('ink', vector(theme.ink)).setFloat('inkWeight', theme.inkWeight)
    for (const material of this.outlines) {
      material.setVector3('accent', vector(theme.accent)).setVector3('hover', vector(theme.focus)).setVector3('warning', vector(theme.danger))
    }
  }

  dispose(): void {
    for (const batch of this.batches) batch.dispose()
    this.poses.dispose()
    this.pictures.dispose()
  }
}

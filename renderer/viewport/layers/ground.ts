/** Planes with grid lines for the ground and half-spaces. Line spacing follows the zoom; lines fade with distance. */

import { Mesh } from '@babylonjs/core/Meshes/mesh'
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData'
import { Vector2, Vector3, Vector4 } from '@babylonjs/core/Maths/math.vector'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'
import { cross, perpendicular, type Vec3 } from '../../../core/math/vector'
import { GROUP } from '../engine'
import { planeFragment, planeVertex } from '../shaders/plane'
import { makeShader } from '../shaders/material'
import { lightDefines, receiveLights, type Lights } from './shadows'
import type { SharedUniforms } from './uniforms'

export interface PlanePlacement {
  /** World, m; the disc's centre, on the plane. */
  readonly center: Vec3
  readonly normal: Vec3
  readonly radius: number
  /** Draws a square with an edge instead of a disc that fades out. */
  readonly plate: boolean
  /** World point where two grid lines cross. */
  readonly anchor: Vec3
}

/** A round piece of a plane that fades out towards its rim. */
export class PlaneDisc {
  readonly material: ShaderMaterial
  private readonly mesh: Mesh
  /** Material that draws solid planes into the depth map; null for grids. */
  private readonly depth: ShaderMaterial | null

  /** `solid` planes are half-spaces; others consist of lines only. */
  constructor(scene: Scene, uniforms: SharedUniforms, solid: boolean, lights: Lights) {
    const reads = lightDefines(lights)
    this.material = uniforms.add(makeShader(scene, {
      name: solid ? 'half-space' : 'grid', vertex: planeVertex, fragment: planeFragment, attributes: ['position'],
      uniforms: [
        'eye', 'forward', 'pixelScale', 'center', 'axisU', 'axisV', 'radius', 'anchorUV', 'spacing', 'lineColor', 'strongColor', 'fill', 'axes',
        'axisColorU', 'axisColorV', 'stale', 'highlight', 'light', 'plate', 'shade', ...reads.uniforms,
      ],
      blended: true, cull: 'none', offset: solid ? 2 : 1, samplers: reads.samplers, defines: solid ? [...reads.defines, '#define SOLID'] : reads.defines,
    }))
    receiveLights(lights, this.material)
    // A solid plane hides objects behind it; grid lines do not.
    this.material.disableDepthWrite = !solid
    this.mesh = new Mesh(solid ? 'half-space' : 'grid', scene)
    const data = new VertexData()
    data.positions = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]
    data.indices = [0, 1, 2, 0, 2, 3]
    data.applyToMesh(this.mesh)
    this.mesh.material = this.material
    this.mesh.alwaysSelectAsActiveMesh = true
    this.mesh.doNotSyncBoundingInfo = true
    this.mesh.isPickable = false
    this.mesh.renderingGroupId = GROUP.bodies
    this.mesh.alphaIndex = solid ? 1 : 2
    this.mesh.freezeWorldMatrix()
    this.depth = solid ? lights.occlusion.addPlane(this.mesh) : null
    this.setAxes(null, null)
    this.setHighlight(0, [0, 0, 0])
    this.material.setFloat('stale', 0).setFloat('light', 1)
  }

  set visible(on: boolean) {
    this.mesh.setEnabled(on)
  }

  place({ center, normal, radius, plate, anchor }: PlanePlacement, origin: Vec3): void {
    const u = Math.abs(normal[2]) > 0.999999 ? [1, 0, 0] as const : horizontalAxis(normal)
    const v = cross(normal, u)
    const offset: Vec3 = [center[0] - anchor[0], center[1] - anchor[1], center[2] - anchor[2]]
    const along = (a: Vec3) => offset[0] * a[0] + offset[1] * a[1] + offset[2] * a[2]
    for (const material of this.depth ? [this.material, this.depth] : [this.material]) material
      .setVector3('center', new Vector3(center[0] - origin[0], center[1] - origin[1], center[2] - origin[2]))
      .setVector3('axisU', new Vector3(u[0], u[1], u[2]))
      .setVector3('axisV', new Vector3(v[0], v[1], v[2]))
      .setFloat('radius', radius)
    this.material
      .setFloat('plate', plate ? 1 : 0)
      .setVector2('anchorUV', new Vector2(along(u), along(v)))
  }

  setLines(spacing: number, line: Vec3, strong: Vec3): void {
    this.material.setFloat('spacing', spacing)
    this.material.setVector3('lineColor', new Vector3(line[0], line[1], line[2]))
    this.material.setVector3('strongColor', new Vector3(strong[0], strong[1], strong[2]))
  }

  /** Fill colour and opacity (0: lines only), brightness, and darkness of shadows on it, 0 … 1. */
  setFill(color: Vec3, opacity: number, light: number, shade = 0): void {
    this.material.setFloat('shade', shade)
    this.material.setVector4('fill', new Vector4(color[0], color[1], color[2], opacity)).setFloat('light', light)
  }

  /** Colours of the grid lines through the anchor along u and v, or null for none. */
  setAxes(u: Vec3 | null, v: Vec3 | null): void {
    this.material.setFloat('axes', u && v ? 1 : 0)
    if (u) this.material.setVector3('axisColorU', new Vector3(u[0], u[1], u[2]))
    if (v) this.material.setVector3('axisColorV', new Vector3(v[0], v[1], v[2]))
  }

  setHighlight(weight: number, color: Vec3): void {
    this.material.setVector4('highlight', new Vector4(color[0], color[1], color[2], weight))
  }

  setStale(stale: boolean): void {
    this.material.setFloat('stale', stale ? 1 : 0)
  }

  dispose(): void {
    this.mesh.dispose()
    this.material.dispose()
  }
}

/** A horizontal unit vector in the plane with this normal, so that grids on inclines have level lines. */
function horizontalAxis(normal: Vec3): Vec3 {
  const u = cross([0, 0, 1], normal)
  const l = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
  return l > 1e-9 ? [u[0] / l, u[1] / l, u[2] / l] : perpendicular(normal)
}

/** The four primitives of all glyphs. Fill them between `begin` and `end`; memory is allocated only when a layer grows. */

import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import type { Scene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import { GROUP } from '../engine'
import {
  ARROW_LAYOUT, arrowFragment, arrowVertex, CONE_LAYOUT, coneFragment, coneVertex, POINT_LAYOUT, pointFragment, pointVertex, SEGMENT_LAYOUT,
  segmentFragment, segmentVertex,
} from '../shaders/glyph'
import { makeShader } from '../shaders/material'
import { InstancedLayer, type BaseMesh, type InstanceLayout } from './instanced'
import { drawsBySoftware } from './software'
import type { SharedUniforms } from './uniforms'

/** Opacity of glyphs hidden by bodies. It decreases with their number, so that those in front remain legible. */
const behindOpacity = (count: number) => 0.34 / Math.max(1, Math.sqrt(count / 400))

interface GlyphSource {
  readonly name: string
  readonly vertex: string
  readonly fragment: string
  readonly layout: InstanceLayout
  readonly blended: boolean
  readonly order: number
  readonly defines?: readonly string[]
}

/** A layer with one pass for visible glyphs and one for those hidden by bodies. */
abstract class GlyphLayer {
  protected count = 0
  protected readonly layer: InstancedLayer
  private readonly materials: ShaderMaterial[]
  private opacity = 1
  private ox = 0
  private oy = 0
  private oz = 0

  constructor(scene: Scene, uniforms: SharedUniforms, base: BaseMesh, source: GlyphSource) {
    this.materials = [false, true].map(behind => uniforms.add(makeShader(scene, {
      name: `${source.name}${behind ? '-behind' : ''}`, vertex: source.vertex, fragment: source.fragment,
      attributes: ['position', ...Object.keys(source.layout)],
      uniforms: ['viewport', 'eye', 'forward', 'pixelScale', 'palette', 'opacity', 'lengthScale', 'dpr', 'halo'],
      defines: source.defines, blended: source.blended || behind, depth: behind ? 'behind' : 'normal', cull: 'none',
    })))
    this.materials[1]!.disableDepthWrite = true
    this.setOpacity(1)
    this.setLengthScale(1)
    this.layer = new InstancedLayer(scene, base, source.layout, this.materials.map((material, i) => ({
      material, group: GROUP.glyphs, order: source.order - 10 * i,
    })))
  }

  begin(origin: Vec3): void {
    this.count = 0
    this.ox = origin[0]
    this.oy = origin[1]
    this.oz = origin[2]
  }

  end(): void {
    this.layer.upload(this.count)
    this.materials[1]!.setFloat('opacity', this.opacity * behindOpacity(this.count))
  }

  setXray(on: boolean): void {
    this.layer.setPassEnabled(1, on)
  }

  setOpacity(opacity: number): void {
    this.opacity = opacity
    this.materials[0]!.setFloat('opacity', opacity)
  }

  /** Metres per unit of the given vectors, e.g. m/N. */
  setLengthScale(scale: number): void {
    for (const material of this.materials) material.setFloat('lengthScale', scale)
  }

  /** Index of the next instance's data in `layer.data`. */
  protected next(): number {
    this.layer.reserve(this.count + 1)
    return this.count++ * this.layer.stride
  }

  protected putPoint(at: number, x: number, y: number, z: number): void {
    const { data } = this.layer
    data[at] = x - this.ox
    data[at + 1] = y - this.oy
    data[at + 2] = z - this.oz
  }

  dispose(): void {
    this.layer.dispose()
    for (const material of this.materials) material.dispose()
  }
}

const AROUND = 8
/**
 * Layers with more arrows than this draw them flat, facing the eye: seven vertices each instead of forty. Software GL switches earlier, since
 * vertices are slow there.
 */
const FLAT_FROM = 600
const FLAT_FROM_IN_SOFTWARE = 40

class ArrowShapes extends GlyphLayer {
  constructor(scene: Scene, uniforms: SharedUniforms, base: BaseMesh, flat: boolean) {
    super(scene, uniforms, base, {
      name: flat ? 'flat-arrows' : 'arrows', vertex: arrowVertex, fragment: arrowFragment, layout: ARROW_LAYOUT, blended: false, order: 30,
      defines: flat ? ['#define FLAT'] : [],
    })
  }

  get size(): number {
    return this.count
  }

  add(x: number, y: number, z: number, vx: number, vy: number, vz: number, color: number, weight: number): void {
    const at = this.next()
    this.putPoint(at, x, y, z)
    const { data } = this.layer
    data[at + 3] = vx
    data[at + 4] = vy
    data[at + 5] = vz
    data[at + 6] = color
    data[at + 7] = weight
  }
}

export class ArrowLayer {
  private readonly solid: ArrowShapes
  private readonly flat: ArrowShapes
  /** The layer being filled, chosen by the number of arrows in the last frame. */
  private current: ArrowShapes

  private readonly flatFrom: number

  constructor(scene: Scene, uniforms: SharedUniforms) {
    this.flatFrom = drawsBySoftware(scene) ? FLAT_FROM_IN_SOFTWARE : FLAT_FROM
    this.solid = new ArrowShapes(scene, uniforms, arrowBase(), false)
    this.flat = new ArrowShapes(scene, uniforms, flatArrowBase(), true)
    this.current = this.solid
  }

  begin(origin: Vec3): void {
    const chosen = this.current.size > this.flatFrom ? this.flat : this.solid
    for (const shapes of [this.solid, this.flat]) shapes.begin(origin)
    if (chosen !== this.current) this.current.end()
    this.current = chosen
  }

  end(): void {
    this.current.end()
  }

  add(x: number, y: number, z: number, vx: number, vy: number, vz: number, color: number, weight = 1): void {
    this.current.add(x, y, z, vx, vy, vz, color, weight)
  }

  setXray(on: boolean): void {
    for (const shapes of [this.solid, this.flat]) shapes.setXray(on)
  }

  setLengthScale(scale: number): void {
    for (const shapes of [this.solid, this.flat]) shapes.setLengthScale(scale)
  }

  dispose(): void {
    for (const shapes of [this.solid, this.flat]) shapes.dispose()
  }
}

/** Shaft and head in the plane that faces the eye: (±1, 0, ring). */
function flatArrowBase(): BaseMesh {
  return {
    positions: Float32Array.of(-1, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 1, -1, 0, 2, 1, 0, 2, 0, 0, 3),
    indices: Uint32Array.of(0, 1, 3, 0, 3, 2, 4, 5, 6),
  }
}

function arrowBase(): BaseMesh {
  const positions: number[] = []
  const indices: number[] = []
  // Rings: tail, end of the shaft, rim of the head (twice: its side and underside are one smooth surface), tip, centre of the tail.
  for (let ring = 0; ring < 4; ring++) {
    for (let i = 0; i < AROUND; i++) {
      const angle = 2 * Math.PI * i / AROUND
      positions.push(Math.cos(angle), Math.sin(angle), ring)
    }
  }
  positions.push(0, 0, 4)
  const vertex = (ring: number, i: number) => ring * AROUND + i % AROUND
  for (let i = 0; i < AROUND; i++) {
    for (let ring = 0; ring < 3; ring++) {
      indices.push(vertex(ring, i), vertex(ring, i + 1), vertex(ring + 1, i + 1))
      if (ring < 2) indices.push(vertex(ring, i), vertex(ring + 1, i + 1), vertex(ring + 1, i))
    }
    indices.push(4 * AROUND, vertex(0, i + 1), vertex(0, i))
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) }
}

export class SegmentLayer extends GlyphLayer {
  constructor(scene: Scene, uniforms: SharedUniforms) {
    const base = { positions: Float32Array.of(0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }
    super(scene, uniforms, base, { name: 'segments', vertex: segmentVertex, fragment: segmentFragment, layout: SEGMENT_LAYOUT, blended: true, order: 40 })
  }

  /** Width in pixels; `dash` is the length of a dash in pixels, 0 for a solid line. */
  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, color: number, width = 1.5, dash = 0): void {
    const at = this.next()
    this.putPoint(at, ax, ay, az)
    this.putPoint(at + 3, bx, by, bz)
    const { data } = this.layer
    data[at + 6] = color
    data[at + 7] = width
    data[at + 8] = dash
  }

  addVectors(a: Vec3, b: Vec3, color: number, width = 1.5, dash = 0): void {
    this.add(a[0], a[1], a[2], b[0], b[1], b[2], color, width, dash)
  }
}

export class PointLayer extends GlyphLayer {
  constructor(scene: Scene, uniforms: SharedUniforms) {
    const base = { positions: Float32Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) }
    super(scene, uniforms, base, { name: 'points', vertex: pointVertex, fragment: pointFragment, layout: POINT_LAYOUT, blended: true, order: 50 })
  }

  /** Radius in pixels; `ring` draws only the rim. */
  add(x: number, y: number, z: number, color: number, radius: number, ring = false): void {
    const at = this.next()
    this.putPoint(at, x, y, z)
    const { data } = this.layer
    data[at + 3] = color
    data[at + 4] = radius
    data[at + 5] = ring ? 1 : 0
  }
}

export class ConeLayer extends GlyphLayer {
  constructor(scene: Scene, uniforms: SharedUniforms) {
    super(scene, uniforms, coneBase(), { name: 'cones', vertex: coneVertex, fragment: coneFragment, layout: CONE_LAYOUT, blended: true, order: 20 })
  }

  /** `slope` is radius ÷ height, the coefficient of friction. */
  add(x: number, y: number, z: number, vx: number, vy: number, vz: number, slope: number, color: number): void {
    const at = this.next()
    this.putPoint(at, x, y, z)
    const { data } = this.layer
    data[at + 3] = vx
    data[at + 4] = vy
    data[at + 5] = vz
    data[at + 6] = slope
    data[at + 7] = color
  }
}

function coneBase(): BaseMesh {
  const around = 28
  const positions: number[] = []
  const indices: number[] = []
  for (let i = 0; i < around; i++) {
    const angle = 2 * Math.PI * i / around
    for (const height of [0, 1]) positions.push(Math.cos(angle), Math.sin(angle), height)
    indices.push(2 * i, 2 * i + 1, 2 * ((i + 1) % around) + 1)
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) }
}

/**
 * The state of all bodies on the graphics card, in one float texture. A new frame costs one small upload, whatever is drawn of the bodies
 * (faces, edges, outlines, shadows).
 */

import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture'
import { Texture } from '@babylonjs/core/Materials/Textures/texture'
import { Constants } from '@babylonjs/core/Engines/constants'
import type { Scene } from '@babylonjs/core/scene'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import type { Vec3 } from '../../../core/math/vector'
import { POSE_COLUMNS, POSE_TEXELS } from '../shaders/common'

/** Floats per body. */
const STRIDE = 4 * POSE_TEXELS

export class PoseTexture {
  private rows = 0
  private data = new Float32Array(0)
  private current: RawTexture | null = null

  constructor(private readonly scene: Scene, readonly onReplaced: (texture: RawTexture) => void) {}

  /** Room for `count` bodies. */
  resize(count: number): void {
    const rows = Math.max(1, Math.ceil(count / POSE_COLUMNS))
    if (this.current && rows <= this.rows) return
    this.rows = rows
    const data = new Float32Array(rows * POSE_COLUMNS * STRIDE)
    data.set(this.data)
    this.data = data
    this.current?.dispose()
    this.current = new RawTexture(
      data, POSE_COLUMNS * POSE_TEXELS, rows, Constants.TEXTUREFORMAT_RGBA, this.scene, false, false, Texture.NEAREST_SAMPLINGMODE,
      Constants.TEXTURETYPE_FLOAT)
    this.onReplaced(this.current)
  }

  /** From a frame's columns (`BODY_STRIDE` doubles a body), relative to `origin`. */
  setPoses(bodies: Float64Array, count: number, shown: Uint8Array, origin: Vec3): void {
    const { data } = this
    const [ox, oy, oz] = origin
    for (let i = 0; i < count; i++) {
      const from = i * BODY_STRIDE
      const to = i * STRIDE
      const x = bodies[from]!
      data[to] = x - ox
      data[to + 1] = bodies[from + 1]! - oy
      data[to + 2] = bodies[from + 2]! - oz
      // A body is not drawn if it is hidden or if its pose is NaN because it does not exist yet.
      data[to + 3] = shown[i]! > 0 && !Number.isNaN(x) ? 1 : 0
      data[to + 4] = bodies[from + 3]!
      data[to + 5] = bodies[from + 4]!
      data[to + 6] = bodies[from + 5]!
      data[to + 7] = bodies[from + 6]!
    }
  }

  /** highlight: 0 none, 1 hovered, 2 selected, 3 has a problem. kind: 0 dynamic, 1 fixed, 2 kinematic. */
  setState(body: number, highlight: number, kind: number, asleep: boolean): void {
    const to = body * STRIDE + 8
    this.data[to] = highlight
    this.data[to + 1] = kind
    this.data[to + 2] = asleep ? 1 : 0
  }

  /** A colour that replaces the material's by the share `weight`. */
  setPaint(body: number, r: number, g: number, b: number, weight: number): void {
    const to = body * STRIDE + 12
    this.data[to] = r
    this.data[to + 1] = g
    this.data[to + 2] = b
    this.data[to + 3] = weight
  }

  upload(): void {
    this.current?.update(this.data)
  }

  dispose(): void {
    this.current?.dispose()
  }
}

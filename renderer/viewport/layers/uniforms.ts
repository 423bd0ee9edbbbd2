/** Uniforms of every shader, set once a frame: position of the eye, size of a pixel, and the theme's palette. */

import { Vector2, Vector3 } from '@babylonjs/core/Maths/math.vector'
import type { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { halfHeightAt, FIELD_OF_VIEW } from '../camera/camera-state'
import type { Projection } from '../camera/projection'
import type { Vec3 } from '../../../core/math/vector'

export class SharedUniforms {
  private readonly materials: ShaderMaterial[] = []
  private readonly eye = new Vector3()
  private readonly forward = new Vector3()
  private readonly right = new Vector3()
  private readonly up = new Vector3()
  private readonly viewport = new Vector2()
  private readonly pixelScale = new Vector2()

  add(material: ShaderMaterial): ShaderMaterial {
    this.materials.push(material)
    return material
  }

  /** `scale` is device pixels per CSS pixel. */
  set(view: Projection, scale: number): void {
    const { eye, origin, axes: { forward, right, up } } = view
    this.eye.set(eye[0] - origin[0], eye[1] - origin[1], eye[2] - origin[2])
    this.forward.set(forward[0], forward[1], forward[2])
    this.right.set(right[0], right[1], right[2])
    this.up.set(up[0], up[1], up[2])
    this.viewport.set(view.width * scale, view.height * scale)
    const height = view.height * scale
    if (view.camera.orthographic) this.pixelScale.set(1, 2 * halfHeightAt(view.camera) / height)
    else this.pixelScale.set(0, 2 * Math.tan(FIELD_OF_VIEW / 2) / height)
    for (const material of this.materials) {
      material.setVector3('eye', this.eye)
      material.setVector3('forward', this.forward)
      material.setVector3('right', this.right)
      material.setVector3('up', this.up)
      material.setVector2('viewport', this.viewport)
      material.setVector2('pixelScale', this.pixelScale)
    }
  }

  setColor(name: string, color: Vec3): void {
    const value = new Vector3(color[0], color[1], color[2])
    for (const material of this.materials) material.setVector3(name, value)
  }

  setFloat(name: string, value: number): void {
    for (const material of this.materials) material.setFloat(name, value)
  }

  setPalette(colors: Float32Array): void {
    const values = Array.from(colors)
    for (const material of this.materials) material.setArray3('palette', values)
  }
}

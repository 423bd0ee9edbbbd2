/** A Babylon material from two GLSL texts and the render states in which the viewport's passes differ. */

import { Material } from '@babylonjs/core/Materials/material'
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial'
import { Constants } from '@babylonjs/core/Engines/constants'
import type { Scene } from '@babylonjs/core/scene'

export interface ShaderDescription {
  readonly name: string
  readonly vertex: string
  readonly fragment: string
  readonly attributes: readonly string[]
  readonly uniforms?: readonly string[]
  readonly samplers?: readonly string[]
  readonly defines?: readonly string[]
  /** Blended over the existing picture; writes no depth. */
  readonly blended?: boolean
  /** Depth test: `behind` draws only behind nearer surfaces. */
  readonly depth?: 'normal' | 'behind' | 'none'
  readonly lines?: boolean
  readonly cull?: 'back' | 'front' | 'none'
  /** Pushes the surface away from the eye, so that lines on it stay visible. */
  readonly offset?: number
}

export function makeShader(scene: Scene, description: ShaderDescription): ShaderMaterial {
  const material = new ShaderMaterial(description.name, scene, { vertexSource: description.vertex, fragmentSource: description.fragment }, {
    attributes: [...description.attributes],
    uniforms: ['viewProjection', ...(description.uniforms ?? [])],
    samplers: [...(description.samplers ?? [])],
    defines: [...(description.defines ?? [])],
    needAlphaBlending: description.blended ?? false,
  })
  if (description.blended) {
    material.alphaMode = Constants.ALPHA_COMBINE
    material.disableDepthWrite = true
  }
  material.depthFunction = description.depth === 'behind' ? Constants.GREATER : description.depth === 'none' ? Constants.ALWAYS : Constants.LEQUAL
  if (description.depth === 'none') material.disableDepthWrite = true
  if (description.lines) material.fillMode = Material.LineListDrawMode
  // Triangles are anticlockwise seen from outside, as in GL.
  material.sideOrientation = Material.CounterClockWiseSideOrientation
  material.backFaceCulling = (description.cull ?? 'back') !== 'none'
  material.cullBackFaces = description.cull !== 'front'
  if (description.offset) {
    material.zOffset = description.offset
    material.zOffsetUnits = description.offset
  }
  return material
}

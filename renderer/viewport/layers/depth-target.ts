/** A texture for depths, packed into bytes; 1 where nothing was drawn. */

import { Constants } from '@babylonjs/core/Engines/constants'
import { RenderTargetTexture } from '@babylonjs/core/Materials/Textures/renderTargetTexture'
import { Texture } from '@babylonjs/core/Materials/Textures/texture'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import type { Scene } from '@babylonjs/core/scene'
import '@babylonjs/core/Engines/Extensions/engine.renderTarget'
import '@babylonjs/core/Engines/Extensions/engine.renderTargetTexture'

/** @param size texels along an edge */
export function depthTarget(name: string, size: number, scene: Scene): RenderTargetTexture {
  const target = new RenderTargetTexture(name, size, scene, {
    generateMipMaps: false, doNotChangeAspectRatio: true, type: Constants.TEXTURETYPE_UNSIGNED_BYTE, samplingMode: Texture.NEAREST_SAMPLINGMODE,
    generateDepthBuffer: true, generateStencilBuffer: false,
  })
  target.wrapU = target.wrapV = Texture.CLAMP_ADDRESSMODE
  target.clearColor = new Color4(1, 1, 1, 1)
  target.ignoreCameraViewport = true
  target.renderList = []
  return target
}

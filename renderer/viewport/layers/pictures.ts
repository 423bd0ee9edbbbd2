/** Pictures of textures as layers of one array on the graphics card, all of one size, so that textured bodies take one draw call. */

import { Constants } from '@babylonjs/core/Engines/constants'
import { RawTexture2DArray } from '@babylonjs/core/Materials/Textures/rawTexture2DArray'
import { Texture } from '@babylonjs/core/Materials/Textures/texture'
import '@babylonjs/core/Engines/Extensions/engine.rawTexture'
import type { Scene } from '@babylonjs/core/scene'
import { fromBase64 } from '../../../core/math/base64'
import { pictureOf } from '../../../core/scene'
import { useShell } from '../../state/shell'
import { drawsBySoftware } from './software'

/** px: sides of a layer, and all layers together (128 MiB); pictures are scaled to these. */
const MOST_ALONG = 2048
const MOST_ALONG_IN_SOFTWARE = 1024
const MOST_PIXELS = 32 * 1024 * 1024

export class PictureArray {
  texture: RawTexture2DArray
  private shown: readonly string[] = []
  private request = 0
  private decoding = false

  /** @param onReplaced receives each new texture */
  constructor(private readonly scene: Scene, private readonly onReplaced: (texture: RawTexture2DArray) => void) {
    this.texture = this.make(new Uint8Array([255, 255, 255, 255]), 1, 1)
    onReplaced(this.texture)
  }

  /** Whether all pictures are on the graphics card. */
  get isWhole(): boolean {
    return !this.decoding
  }

  /** Shows these pictures, in base64; white until they are decoded. */
  show(pictures: readonly string[]): void {
    if (pictures.length === this.shown.length && pictures.every((picture, k) => picture === this.shown[k])) return
    this.shown = pictures
    const request = ++this.request
    this.replace(new Uint8Array(4 * Math.max(1, pictures.length)).fill(255), 1, Math.max(1, pictures.length))
    this.decoding = pictures.length > 0
    if (this.decoding) void this.decode(pictures, request)
  }

  private async decode(pictures: readonly string[], request: number): Promise<void> {
    const files = pictures.map(picture => fromBase64(picture) ?? new Uint8Array(0))
    const sizes = files.map(pictureOf)
    const largest = Math.max(1, ...sizes.map(size => size === null ? 1 : Math.max(size.columns, size.rows)))
    const most = drawsBySoftware(this.scene) ? MOST_ALONG_IN_SOFTWARE : MOST_ALONG
    const side = Math.min(largest, most, Math.floor(Math.sqrt(MOST_PIXELS / pictures.length)))
    const data = new Uint8Array(4 * side * side * pictures.length).fill(255)
    let unreadable = 0
    for (const [k, file] of files.entries()) {
      const pixels = await pixelsOf(file, side)
      if (request !== this.request) return
      if (pixels === null) unreadable++
      else data.set(pixels, 4 * side * side * k)
    }
    this.decoding = false
    this.replace(data, side, pictures.length)
    // Their headers are valid, but the browser cannot decode them; they are white.
    if (unreadable > 0) useShell().notify(`Textures that cannot be read and are not drawn: ${unreadable}`, { kind: 'error' })
  }

  private replace(data: Uint8Array, side: number, layers: number): void {
    this.texture.dispose()
    this.texture = this.make(data, side, layers)
    this.onReplaced(this.texture)
  }

  private make(data: Uint8Array, side: number, layers: number): RawTexture2DArray {
    const texture = new RawTexture2DArray(data, side, side, layers, Constants.TEXTUREFORMAT_RGBA, this.scene, true, false, Texture.TRILINEAR_SAMPLINGMODE)
    texture.wrapU = texture.wrapV = Texture.WRAP_ADDRESSMODE
    texture.anisotropicFilteringLevel = 4
    return texture
  }

  dispose(): void {
    this.request++
    this.texture.dispose()
  }
}

/** A picture scaled to a square, the lowest row first; null if the browser cannot decode it. */
async function pixelsOf(file: Uint8Array, side: number): Promise<Uint8ClampedArray | null> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(new Blob([file.slice().buffer]), { imageOrientation: 'from-image', premultiplyAlpha: 'none' })
  } catch {
    return null
  }
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true })!
  context.setTransform(1, 0, 0, -1, 0, side)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, side, side)
  bitmap.close()
  return context.getImageData(0, 0, side, side).data
}

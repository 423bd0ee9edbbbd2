/** The picture as a PNG. It is drawn and read in one step, so that the drawing buffer need not be preserved. */

import type { Projection } from './camera/projection'
import type { SceneView } from './scene-view'

/**
 * @param size CSS pixels; absent: as on the page, at the page's resolution
 * @param annotate draws the overlay, in CSS pixels
 */
export async function capturePng(
  view: SceneView, canvas: HTMLCanvasElement, size: { width?: number; height?: number }, annotate: (ctx: CanvasRenderingContext2D, view: Projection) => void,
): Promise<Uint8Array> {
  const { width, height } = { width: size.width ?? canvas.clientWidth, height: size.height ?? canvas.clientHeight }
  const scale = size.width === undefined && size.height === undefined ? view.stage.engine.getRenderWidth() / canvas.clientWidth : 1
  const copy = document.createElement('canvas')
  copy.width = Math.round(width * scale)
  copy.height = Math.round(height * scale)
  const ctx = copy.getContext('2d')
  if (!ctx) throw new Error('This browser cannot create a 2D canvas.')
  view.drawAt(width, height, scale, projection => {
    ctx.drawImage(canvas, 0, 0, copy.width, copy.height)
    ctx.setTransform(scale, 0, 0, scale, 0, 0)
    annotate(ctx, projection)
  })
  const blob = await new Promise<Blob | null>(resolve => copy.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error(`A picture of ${copy.width} × ${copy.height} pixels is too large for this browser.`)
  return new Uint8Array(await blob.arrayBuffer())
}

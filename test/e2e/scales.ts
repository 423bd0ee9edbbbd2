/** Where the scales are drawn in the picture. */

import type { Editor } from './editor'

/** CSS pixels of the page. */
export interface Box { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

/** The box of everything drawn at the lower right of the overlay: the scales. CSS pixels of the page. */
export const scalesIn = (editor: Editor): Promise<Box | null> => editor.page.evaluate(() => {
  const canvas = document.querySelector<HTMLCanvasElement>('canvas.overlay')!
  const { left, top, width, height } = canvas.getBoundingClientRect()
  const share = canvas.width / width
  const from = { x: Math.max(0, Math.round((width - 190) * share)), y: Math.round(height * 0.3 * share) }
  const [columns, rows] = [canvas.width - from.x, canvas.height - from.y]
  const pixels = canvas.getContext('2d')!.getImageData(from.x, from.y, columns, rows).data
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      // Plates are opaque by four fifths; lines of gizmos are thinner than rows of text.
      if (pixels[4 * (y * columns + x) + 3]! < 190) continue
      const at = [left + (from.x + x) / share, top + (from.y + y) / share] as const
      box.left = Math.min(box.left, at[0]); box.right = Math.max(box.right, at[0]); box.top = Math.min(box.top, at[1]); box.bottom = Math.max(box.bottom, at[1])
    }
  }
  return box.left === Infinity ? null : box
})
export const apart = (a: Box, b: Box): boolean => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top

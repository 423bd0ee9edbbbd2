/** Plates beside points of the picture that do not cover each other. */

import { LabelPlaces, type PicturePoint } from '../../../core/analysis/label-places'
import type { Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { drawPlate, plateSize, type Context } from './drawing'

/** Room of the view's name, of the axis cube and of the scales. */
const TITLE = { left: 0, top: 0, right: 190, bottom: 32 }
const [CUBE_WIDTH, CUBE_HEIGHT] = [104, 124]
const [SCALES_WIDTH, SCALES_HEIGHT] = [220, 64]
/** CSS pixels from the picture's edge. */
const EDGE = 4

export function picturePlaces({ width, height }: Projection): LabelPlaces {
  const places = new LabelPlaces({ left: EDGE, top: EDGE, right: width - EDGE, bottom: height - EDGE })
  places.take(TITLE)
  places.take({ left: width - CUBE_WIDTH, top: 0, right: width, bottom: CUBE_HEIGHT })
  places.take({ left: width - SCALES_WIDTH, top: height - SCALES_HEIGHT, right: width, bottom: height })
  return places
}

/** Draws a plate in a free place around `near`; false if there is none. */
export function drawLabel(
  ctx: Context, text: string, near: PicturePoint, towards: PicturePoint, theme: ViewportTheme, places: LabelPlaces, options: { strong?: boolean } = {},
): boolean {
  const { width, height, padding } = plateSize(ctx, text, theme, options.strong)
  const place = places.place(near, towards, width, height)
  if (place === null) return false
  const { box, leader } = place
  if (leader) {
    ctx.strokeStyle = theme.css.muted
    ctx.lineWidth = 1
    ctx.beginPath()
    ctx.moveTo(...leader[0])
    ctx.lineTo(...leader[1])
    ctx.stroke()
  }
  drawPlate(ctx, text, box.left + padding, (box.top + box.bottom) / 2, theme, options)
  return true
}

/** The place of messages in the picture: at its lower right above the scales, beside or above the cards there; at the top of a low picture. */

import type { Covered } from '../state/viewport-api'

interface Size { readonly width: number; readonly height: number }
interface Box { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

/** Styles of the list, which is fixed in the window. */
export type MessagePlace = Readonly<Record<'right' | 'width', string> & Partial<Record<'top' | 'bottom', string>>>

/** px: the usual height of the scales in the picture's corner, and of a tool's bar; messages keep this height, so that they do not jump. */
const ABOVE_SCALES = 84
const MARGIN = 14
/** px: the list's width; a picture narrower or lower than the least shows no messages in it. */
const [MOST_WIDE, LEAST_WIDE, LEAST_HIGH] = [420, 240, 160]
/** px: a picture of at most this height is low. */
const LOW = 300
/** px: least width beside a card, and least height above one, for a message of some words. */
const [BESIDE, ABOVE] = [200, 120]

/**
 * Undefined if the picture is too small for messages.
 * @param picture in the window, CSS pixels @param window its size @param covered the picture's parts under bars and cards
 * @param scales how high the scales reach above the lower edge @param banners how far the banners reach below the upper edge
 */
export function placeOfMessages(picture: Box, window: Size, covered: readonly Covered[], scales = 0, banners = 0): MessagePlace | undefined {
  const [width, height] = [picture.right - picture.left, picture.bottom - picture.top]
  if (width < LEAST_WIDE || height < LEAST_HIGH) return undefined
  const right = `${window.width - picture.right + MARGIN}px`
  const wide = Math.min(MOST_WIDE, width - 2 * MARGIN)
  const atTop = { right, width: `${wide}px`, top: `${picture.top + banners + MARGIN / 2}px`, bottom: 'auto' }
  if (height <= LOW) return atTop
  const overScales = Math.max(ABOVE_SCALES, scales + MARGIN / 2)
  const above = (edge: number, own: number) => ({ right, width: `${own}px`, bottom: `${window.height - picture.bottom + edge}px` })
  const inTheWay = covered.filter(one => one.top > overScales && one.right > width - MARGIN - wide)
  if (inTheWay.length === 0) return height - overScales >= ABOVE ? above(overScales, wide) : atTop
  const beside = width - 2 * MARGIN - Math.max(...inTheWay.map(one => one.right))
  if (beside >= BESIDE) return above(overScales, beside)
  const top = Math.max(overScales, ...inTheWay.map(one => one.top))
  return height - top >= ABOVE ? above(top + MARGIN / 2, wide) : atTop
}

/** A picture without background, from two that differ only in it: the drawing buffer is opaque, and labels and edges are partly so. */

/**
 * @param onBlack pixels drawn on black, RGBA; replaced by the picture, with straight alpha
 * @param onWhite the same on white
 */
export function withoutBackground(onBlack: Uint8ClampedArray, onWhite: Uint8ClampedArray): void {
  for (let i = 0; i < onBlack.length; i += 4) {
    // A pixel of opacity α is α c on black and α c + 255 (1 − α) on white, in each colour.
    const through = (onWhite[i]! + onWhite[i + 1]! + onWhite[i + 2]! - onBlack[i]! - onBlack[i + 1]! - onBlack[i + 2]!) / 3
    const alpha = Math.max(0, Math.min(1, 1 - through / 255))
    for (let k = 0; k < 3; k++) onBlack[i + k] = alpha > 0 ? onBlack[i + k]! / alpha : 0
    onBlack[i + 3] = Math.round(255 * alpha)
  }
}

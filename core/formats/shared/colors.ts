/** Colours of the scene, #rrggbb in sRGB, and of formats with linear colours. */

import { pow } from '../../math/elementary'

/** Red, green and blue in sRGB, 0 to 1, of #rgb or #rrggbb. */
export function srgbOf(color: string): readonly [number, number, number] {
  const hex = color.length === 4 ? [...color.slice(1)].map(digit => digit + digit).join('') : color.slice(1)
  return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as readonly [number, number, number]
}

export function hexOfSrgb(rgb: readonly number[]): string {
  return `#${[0, 1, 2].map(k => Math.round(255 * Math.min(1, Math.max(0, rgb[k] ?? 0))).toString(16).padStart(2, '0')).join('')}`
}

/** [IEC 61966-2-1] */
export function linearOf(color: string): readonly [number, number, number] {
  return srgbOf(color).map(x => x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)) as unknown as readonly [number, number, number]
}

export function hexOfLinear(rgb: readonly number[]): string {
  return hexOfSrgb(rgb.map(x => x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055))
}

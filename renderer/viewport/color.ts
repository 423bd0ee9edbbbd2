import type { Vec3 } from '../../core/math/vector'

/** The n-th of a series of equally light tints of one colour; hues differ by the golden angle. */
export function tint([r, g, b]: Vec3, n: number): Vec3 {
  const light = 0.35 + 0.3 * (0.3 * r + 0.59 * g + 0.11 * b)
  const hue = (n * 0.381966) % 1
  const part = (shift: number) => light * (1 + 0.45 * Math.cos(2 * Math.PI * (hue + shift)))
  return [part(0), part(1 / 3), part(2 / 3)]
}

/** `#rgb`, `#rrggbb` or `rgb(…)` as 0 … 1; middle grey for anything else. */
export function parseColor(text: string): Vec3 {
  const value = text.trim()
  if (value.startsWith('#')) {
    const hex = value.length === 4 ? [...value.slice(1)].map(c => c + c).join('') : value.slice(1, 7)
    const n = Number.parseInt(hex, 16)
    return Number.isNaN(n) ? [0.5, 0.5, 0.5] : [(n >> 16 & 255) / 255, (n >> 8 & 255) / 255, (n & 255) / 255]
  }
  const numbers = value.match(/[\d.]+/g)?.map(Number) ?? []
  return [(numbers[0] ?? 128) / 255, (numbers[1] ?? 128) / 255, (numbers[2] ?? 128) / 255]
}

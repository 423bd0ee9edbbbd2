import type { Vec3 } from '../../core/math/vector'

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

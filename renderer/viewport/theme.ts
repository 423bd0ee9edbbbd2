/** Colours of the viewport: the tokens of the style sheet, read once per theme, and a few colours needed for lighting only. */

import type { Vec3 } from '../../core/math/vector'
import type { Theme } from '../state/view'
import { parseColor } from './color'

/** Colours of glyphs by number, in the order of the shader's palette. */
export const PALETTE = [
  'separating', 'sliding', 'sticking', 'rolling', 'impact', 'accent', 'ink', 'axisX', 'axisY', 'axisZ', 'joint', 'velocity', 'spin',
  'force', 'danger', 'muted',
] as const
export type PaletteColor = (typeof PALETTE)[number]
export const paletteIndex = (color: PaletteColor): number => PALETTE.indexOf(color)

export interface ViewportTheme {
  readonly name: Theme
  readonly background: Vec3
  readonly grid: Vec3
  readonly gridStrong: Vec3
  readonly accent: Vec3
  readonly focus: Vec3
  readonly danger: Vec3
  /** Colour of edges on bodies, and its share when mixed with the body's colour. */
  readonly ink: Vec3
  readonly inkWeight: number
  /** Linear light from above, from below, and of the key light. */
  readonly sky: Vec3
  readonly ground: Vec3
  readonly key: Vec3
  /** 3 a colour, in the order of `PALETTE`. */
  readonly palette: Float32Array
  /** CSS colours for drawing on the overlay. */
  readonly css: Readonly<Record<'text' | 'muted' | 'surface' | 'line' | 'accent' | 'onAccent' | 'danger' | 'warning' | 'warningSoft' | 'font', string>>
}

const own: Record<Theme, { background: string; grid: string; gridStrong: string; ink: string; inkWeight: number; sky: Vec3; ground: Vec3; key: Vec3 }> = {
  dark: {
    background: '#22272e', grid: '#3d4550', gridStrong: '#525c6a', ink: '#0c0e11', inkWeight: 0.62,
    sky: [0.44, 0.47, 0.52], ground: [0.14, 0.14, 0.15], key: [0.66, 0.64, 0.6],
  },
  light: {
    background: '#e9ecf0', grid: '#c9cfd7', gridStrong: '#adb6c1', ink: '#1a1e24', inkWeight: 0.6,
    sky: [0.56, 0.58, 0.62], ground: [0.3, 0.29, 0.28], key: [0.62, 0.6, 0.57],
  },
}

const fallback: Record<Theme, Record<string, string>> = {
  dark: {
    '--sticking': '#56b4e9', '--sliding': '#e69f00', '--separating': '#9aa5b1', '--rolling': '#cc79a7', '--impact': '#f0e442',
    '--accent': '#f0a34a', '--on-accent': '#1a1206', '--focus': '#6cb6ff', '--danger': '#ff8f85', '--warning': '#e8c95a', '--warning-soft': '#38311a',
    '--text': '#e4e8ee', '--muted': '#a3adbb', '--surface': '#1b1f26', '--line': '#303845', '--font': 'sans-serif',
  },
  light: {
    '--sticking': '#0072b2', '--sliding': '#b45f06', '--separating': '#5c6773', '--rolling': '#a3447f', '--impact': '#8a7400',
    '--accent': '#a85d00', '--on-accent': '#ffffff', '--focus': '#0b63c5', '--danger': '#b3261e', '--warning': '#7a5b00', '--warning-soft': '#fdf3d0',
    '--text': '#1b1f26', '--muted': '#525c69', '--surface': '#f7f8fa', '--line': '#cfd6df', '--font': 'sans-serif',
  },
}

/** Axes and quantities without a token. Colours differ in hue and lightness on both backgrounds. */
const special: Record<Theme, Partial<Record<PaletteColor, string>>> = {
  dark: { axisX: '#ff6b6b', axisY: '#7ed957', axisZ: '#5aa9ff', joint: '#b79bff', velocity: '#5ee0c0', spin: '#ff9ff3', force: '#ffd166' },
  light: { axisX: '#c92a2a', axisY: '#2b8a3e', axisZ: '#1864ab', joint: '#5f3dc4', velocity: '#087f6b', spin: '#a61e8c', force: '#8a5a00' },
}

export function readTheme(name: Theme, element: Element): ViewportTheme {
  const style = getComputedStyle(element)
  const token = (variable: string) => style.getPropertyValue(variable).trim() || fallback[name][variable]!
  const palette = new Float32Array(PALETTE.length * 3)
  const tokens: Partial<Record<PaletteColor, string>> = { ink: '--text', danger: '--danger', muted: '--muted', accent: '--accent' }
  PALETTE.forEach((color, i) => {
    const text = special[name][color] ?? token(tokens[color] ?? `--${color}`)
    palette.set(parseColor(text), 3 * i)
  })
  const tones = own[name]
  return {
    name, palette,
    background: parseColor(tones.background), grid: parseColor(tones.grid), gridStrong: parseColor(tones.gridStrong),
    accent: parseColor(token('--accent')), focus: parseColor(token('--focus')), danger: parseColor(token('--danger')),
    ink: parseColor(tones.ink), inkWeight: tones.inkWeight, sky: tones.sky, ground: tones.ground, key: tones.key,
    css: {
      text: token('--text'), muted: token('--muted'), surface: token('--surface'), line: token('--line'), accent: token('--accent'),
      onAccent: token('--on-accent'), danger: token('--danger'), warning: token('--warning'), warningSoft: token('--warning-soft'), font: token('--font'),
    },
  }
}

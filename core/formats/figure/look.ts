/** Appearance of a free-body diagram. */

import type { DiagramForce, DiagramKind, View } from '../../analysis/free-body'
import type { Run } from './drawing'

export interface FreeBodyLook {
  readonly title: string
  readonly view: View
  /** Text below the diagram: "the x–z plane". */
  readonly viewName: string
  readonly labels: 'symbols' | 'numbers' | 'both'
  /** Whether to draw the force polygon beside the diagram. */
  readonly polygon: boolean
  /** Whether to draw the table of components below. */
  readonly table: boolean
  /** Colour of lines and letters, for light paper or dark slides. */
  readonly ink: 'dark' | 'light'
  /** pt */
  readonly width: number
}

export interface Palette {
  readonly ink: string
  readonly faint: string
  readonly body: string
  /** Of m a. */
  readonly result: string
  readonly kinds: Readonly<Record<DiagramKind, string>>
}

/** Okabe and Ito's colours, which colour-blind readers can distinguish, for both backgrounds. */
export const PALETTES: Readonly<Record<FreeBodyLook['ink'], Palette>> = {
  dark: {
    ink: '#1a1a1a', faint: '#6b6b6b', body: '#8a8a8a', result: '#a06a00',
    kinds: { gravity: '#00785a', normal: '#0072b2', friction: '#c24a00', joint: '#6a3fb5', force: '#a3266e', couple: '#6a3fb5' },
  },
  light: {
    ink: '#f2f2f2', faint: '#b0b0b0', body: '#9a9a9a', result: '#f0c040',
    kinds: { gravity: '#2fc79a', normal: '#56b4e9', friction: '#ff8a3d', joint: '#b59bff', force: '#f07ab8', couple: '#b59bff' },
  },
}

/** pt: the size of letters. */
export const TEXT = 9

export const symbolRuns = ({ letter, number }: Pick<DiagramForce, 'letter' | 'number'>): Run[] =>
  [{ text: letter, style: 'italic' }, ...number === '' ? [] : [{ text: number, style: 'sub' as const }]]

export interface Area { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

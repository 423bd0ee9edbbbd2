/** A figure as drawing primitives, for writers of vector formats. Units are points (1/72 inch), y down, with the origin in the top left corner. */

export type Point = readonly [x: number, y: number]

export interface Stroke {
  readonly color: string
  readonly width: number
  readonly dash?: readonly number[]
}

/** A piece of text in one style; sub- and superscripts are smaller and shifted. */
export interface Run {
  readonly text: string
  readonly style?: 'italic' | 'sub' | 'super'
}

export type Mark =
  | { readonly kind: 'path'; readonly points: readonly Point[]; readonly closed: boolean; readonly stroke: Stroke | null; readonly fill: string | null }
  | { readonly kind: 'circle'; readonly center: Point; readonly radius: number; readonly stroke: Stroke | null; readonly fill: string | null }
  /** `at` is on the base line. */
  | { readonly kind: 'text'; readonly at: Point; readonly runs: readonly Run[]; readonly size: number; readonly align: 'left' | 'center' | 'right'; readonly color: string }

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly marks: readonly Mark[]
}

/** Size of sub- and superscripts, × the font size. */
export const SMALL = 0.7
/** Vertical shift, × the font size. */
export const SHIFT = { sub: 0.22, super: -0.36 } as const

export const plain = (text: string): readonly Run[] => [{ text }]

/** A number for a figure with the given number of digits; powers of ten as superscripts. */
export function numberRuns(value: number, digits = 3): readonly Run[] {
  if (value === 0) return plain('0')
  const size = Math.abs(value)
  if (size < 1e-3 || size >= 1e5) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string]
    return [{ text: `${minus(mantissa)} · 10` }, { text: minus(String(Number(exponent))), style: 'super' }]
  }
  const fixed = value.toPrecision(digits)
  return plain(minus(fixed.includes('e') ? String(Number(fixed)) : fixed))
}

const minus = (text: string) => text.replace('-', '−')

/** Scale of the colours that show a quantity on surfaces. */

/** The quantity that the colours show, from −`full` (or 0) to `full`. */
export interface ColourScale {
  readonly label: string
  readonly unit: string
  readonly full: number
  /** Whether values may be negative. */
  readonly signed: boolean
  /** Text at the ends and the middle of a signed scale, if it is not linear. */
  readonly figures?: readonly [string, string, string]
}

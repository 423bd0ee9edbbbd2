/** The time axis: mapping of times to pixels, and the data and colours that are drawn on it. */

import type { ScriptFrame, TrajectoryEvent } from '../../core/trajectory/frame'

export const LABEL_WIDTH = 84
export const AXIS_HEIGHT = 22
/** The strip is hidden if the lanes would not have enough room. */
export const stripHeight = (height: number) => height < 130 ? 0 : 22
export interface Range { readonly from: number; readonly to: number }

/** Maps time to pixels of the axis. */
export interface Axis {
  /** Width of the whole canvas, CSS pixels. */
  readonly width: number
  readonly view: Range
}

export const toX = (axis: Axis, time: number) =>
  LABEL_WIDTH + (time - axis.view.from) / (axis.view.to - axis.view.from) * (axis.width - LABEL_WIDTH - 10)

export const toTime = (axis: Axis, x: number) =>
  axis.view.from + (x - LABEL_WIDTH) / (axis.width - LABEL_WIDTH - 10) * (axis.view.to - axis.view.from)

/** px: where the playhead stands, on whole pixels; null outside the axis. */
export function playheadX(axis: Axis, time: number): number | null {
  const x = Math.round(toX(axis, time))
  return x < LABEL_WIDTH - 1 || x > axis.width ? null : x
}

/** The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const ratio = least / power
  return (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10) * power
}

export interface TimelineData {
  readonly axis: Axis
  readonly height: number
  /** s: time of the run's first frame. */
  readonly from: number
  readonly duration: number
  /** s computed so far. */
  readonly available: number
  readonly stale: boolean
  readonly running: boolean
  /** Ranges in memory, s. */
  readonly cached: readonly Range[]
  readonly events: readonly TrajectoryEvent[]
  readonly loop: Range | null
  /** Number of contacts and penetration over time, for the strip. */
  readonly density: { readonly time: ArrayLike<number>; readonly contacts: ArrayLike<number>; readonly penetration: ArrayLike<number> } | null
  readonly hover: TrajectoryEvent | null
  /** Output of scripts in order of time; shown in a separate lane if there is any. */
  readonly scripts: readonly ScriptFrame[]
}

export interface Palette { readonly get: (name: string) => string; readonly font: string }

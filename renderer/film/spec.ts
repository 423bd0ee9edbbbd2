/** Contents of a film or a picture as plain data, from the editor's dialog or from `cairn render`. */

import type { SeriesRequest } from '../../main/protocol/runs'
import type { Overlays, Theme } from '../state/view'
import type { StandardView } from '../state/viewport-api'

export interface PlotSpec {
  readonly title: string
  readonly requests: readonly SeriesRequest[]
  /** Quantity on the horizontal axis; absent: time. */
  readonly against?: SeriesRequest | null
}

/** Contents of each picture. Absent settings stay as on the screen. */
export interface PictureSpec {
  /** Pixels of the whole picture including plots; even numbers for films. */
  readonly width: number
  readonly height: number
  readonly overlays?: Partial<Overlays>
  readonly theme?: Theme
  /** Frames the whole scene from this side, or from the current direction (`fit`); absent: keeps the camera. */
  readonly view?: StandardView | 'fit'
  /** Draws no background, so that the picture can stand on any page. Only for pictures. */
  readonly transparent?: boolean
  /** Shows the simulated time in a corner. */
  readonly timeCode: boolean
  /** Plots on the right of the picture. */
  readonly plots: readonly PlotSpec[]
}

export interface FilmSpec extends PictureSpec {
  readonly format: 'webm' | 'mp4'
  /** s, simulated. */
  readonly from: number
  readonly to: number
  /** Frames per second of the film. */
  readonly rate: number
  /** Simulated seconds per second of the film. */
  readonly speed: number
}

export interface FilmResult {
  readonly frames: number
  /** s, of the film. */
  readonly duration: number
  readonly codec: string
  /** ms spent on drawing, and on waiting for the encoder. */
  readonly drawing: number
  readonly encoding: number
}

/** Number of frames of a film: at least one, none after `to`. */
export function frameCount({ from, to, rate, speed }: Pick<FilmSpec, 'from' | 'to' | 'rate' | 'speed'>): number {
  return Math.max(1, Math.round((to - from) / speed * rate))
}

/** s, simulated: the exact time of a frame. */
export function timeOfFrame({ from, rate, speed }: Pick<FilmSpec, 'from' | 'rate' | 'speed'>, frame: number): number {
  return from + frame * speed / rate
}

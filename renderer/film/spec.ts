/** What a film or a picture shows, as plain data: from the dialog in the editor, or from `cairn render`. */

import type { SeriesRequest } from '../../main/protocol/runs'
import type { Overlays, Theme } from '../state/view'
import type { StandardView } from '../state/viewport-api'

export interface PlotSpec {
  readonly title: string
  readonly requests: readonly SeriesRequest[]
  /** What they are drawn against; time where left out. */
  readonly against?: SeriesRequest | null
}

/** How each picture looks. What is left out stays as it is on the screen. */
export interface PictureSpec {
  /** Pixels, of the whole picture, plots included; even for films. */
  readonly width: number
  readonly height: number
  readonly overlays?: Partial<Overlays>
  readonly theme?: Theme
  /** All of the scene from this side, or from where the camera is (`fit`); the camera as it is where left out. */
  readonly view?: StandardView | 'fit'
  /** The simulated time in a corner. */
  readonly timeCode: boolean
  /** Beside the picture, on its right. */
  readonly plots: readonly PlotSpec[]
}

export interface FilmSpec extends PictureSpec {
  readonly format: 'webm' | 'mp4'
  /** s, simulated. */
  readonly from: number
  readonly to: number
  /** Pictures a second of the film. */
  readonly rate: number
  /** Simulated seconds in a second of the film. */
  readonly speed: number
}

export interface FilmResult {
  readonly frames: number
  /** s, of the film. */
  readonly duration: number
  readonly codec: string
  /** ms that drawing took, and waiting for the encoder. */
  readonly drawing: number
  readonly encoding: number
}

/** Pictures of a film: one at least, none after `to`. */
export function frameCount({ from, to, rate, speed }: Pick<FilmSpec, 'from' | 'to' | 'rate' | 'speed'>): number {
  return Math.max(1, Math.round((to - from) / speed * rate))
}

/** s, simulated: the exact time that a picture shows. */
export function timeOfFrame({ from, rate, speed }: Pick<FilmSpec, 'from' | 'rate' | 'speed'>, frame: number): number {
  return from + frame * speed / rate
}

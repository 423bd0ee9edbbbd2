/** Frames boxes, and remembers the last one, so that it stays whole when the picture becomes narrower. */

import type { CameraState } from '../../state/view'
import { cornersOf, middleOf, type Box } from '../posed-scene'
import { framePoints } from './camera-state'

/** m: what is framed in an empty scene. */
const EMPTY: Box = { low: [-1, -1, 0], high: [1, 1, 1] }

export class Framing {
  private last: { readonly camera: CameraState; readonly box: Box; readonly part: number | undefined } | null = null

  /** @param aspect width ÷ height of the picture @param part share of the picture */
  frame(camera: CameraState, box: Box | null, aspect: number, part?: number): CameraState {
    const around = box ?? EMPTY
    const framed = framePoints(camera, middleOf(around), cornersOf(around), aspect, part)
    this.last = { camera: framed, box: around, part }
    return framed
  }

  /** The camera that frames the same in a picture of another shape; null if the camera was moved since. */
  again(camera: CameraState, aspect: number): CameraState | null {
    return this.last?.camera === camera ? this.frame(camera, this.last.box, aspect, this.last.part) : null
  }
}

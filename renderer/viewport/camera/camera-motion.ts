/**
 * The camera that is on display. The view store's camera is where it is to be; when something else than the person's hand moves it (frame,
 * standard views), the picture follows over a few frames instead of jumping, unless motion is to be reduced.
 */

import type { CameraState } from '../../state/view'
import { blendCameras } from './camera-state'

const DURATION = 160

export class CameraMotion {
  private from: CameraState | null = null
  private started = 0

  constructor(private goal: CameraState, private readonly show: (camera: CameraState) => void) {}

  /** Goes there at once. */
  jump(camera: CameraState): void {
    this.from = null
    this.goal = camera
    this.show(camera)
  }

  /** Whether this is where the camera stands or is on its way to. */
  isGoal(camera: CameraState): boolean {
    return this.goal === camera
  }

  /** Ends a glide. */
  finish(): void {
    if (this.from) this.jump(this.goal)
  }

  glide(camera: CameraState): void {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.jump(camera)
      return
    }
    const running = this.from !== null
    this.from = this.present(performance.now())
    this.goal = camera
    this.started = performance.now()
    if (!running) requestAnimationFrame(this.tick)
  }

  private present(now: number): CameraState {
    if (!this.from) return this.goal
    const s = Math.min(1, (now - this.started) / DURATION)
    return blendCameras(this.from, this.goal, s * s * (3 - 2 * s))
  }

  private readonly tick = (now: number) => {
    if (!this.from) return
    if (now - this.started >= DURATION) {
      this.jump(this.goal)
      return
    }
    this.show(this.present(now))
    requestAnimationFrame(this.tick)
  }
}

/**
 * The displayed camera. The view store's camera is the goal. If anything other than a drag changes it (framing, standard views), the displayed
 * camera follows over a few frames; with reduced motion it jumps.
 */

import { prefersLessMotion } from '../../state/less-motion'
import type { CameraState } from '../../state/view'
import { blendCameras } from './camera-state'

const DURATION = 160

export class CameraMotion {
  private from: CameraState | null = null
  private started = 0

  constructor(private goal: CameraState, private readonly show: (camera: CameraState) => void) {}

  /** Moves to the goal at once. */
  jump(camera: CameraState): void {
    this.from = null
    this.goal = camera
    this.show(camera)
  }

  /** Whether the camera is at this goal or moving towards it. */
  isGoal(camera: CameraState): boolean {
    return this.goal === camera
  }

  /** Ends the movement at its goal. */
  finish(): void {
    if (this.from) this.jump(this.goal)
  }

  glide(camera: CameraState): void {
    if (prefersLessMotion()) {
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

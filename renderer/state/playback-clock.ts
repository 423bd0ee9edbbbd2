/** The clock of playback: calls back once per animation frame while it runs. */

/** s: longest time that passes in one frame, so that playback does not jump after a pause of the page. */
const MAX_FRAME_TIME = 0.1

export class PlaybackClock {
  private last = 0
  private request = 0

  /** @param advance receives the time since the previous frame, s; may stop the clock */
  constructor(private readonly advance: (elapsed: number) => void) {}

  start(): void {
    this.last = performance.now()
    this.request = requestAnimationFrame(this.tick)
  }

  stop(): void {
    cancelAnimationFrame(this.request)
  }

  private readonly tick = (now: number): void => {
    const elapsed = Math.min(MAX_FRAME_TIME, (now - this.last) / 1000)
    this.last = now
    // Requested first, so that `advance` can cancel it.
    this.request = requestAnimationFrame(this.tick)
    this.advance(elapsed)
  }
}

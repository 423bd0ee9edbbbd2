/** Progress of a run on standard error: a bar on a terminal, otherwise a line from time to time. */
const lineInterval = 1000
const barInterval = 100
const barWidth = 30

export class Progress {
  private readonly started = performance.now()
  private shown = 0
  private drawn = false

  /** @param duration s of simulated time, or a number of items */
  constructor(private readonly duration: number, private readonly out: NodeJS.WriteStream = process.stderr) {}

  /** Shows work before the first frame. */
  prepare(progress: string): void {
    if (!this.isDue()) return
    if (!this.out.isTTY) return void this.out.write(`${progress}\n`)
    this.out.write(`\r\x1b[K${progress}`)
    this.drawn = true
  }

  update(time: number, frames: number): void {
    this.show(time, `${time.toFixed(3)} s of ${this.duration} s, ${frames} frames`)
  }

  /** For counted items instead of seconds. */
  updateCount(done: number, what: string): void {
    this.show(done, `${done} of ${this.duration} ${what}`)
  }

  private show(done: number, what: string): void {
    if (!this.isDue()) return
    const now = performance.now()
    const share = Math.min(1, done / this.duration)
    const left = share > 0 ? (now - this.started) / 1000 * (1 - share) / share : null
    const text = `${(100 * share).toFixed(0).padStart(3)} %  ${what}${left === null ? '' : `, ${left.toFixed(0)} s left`}`
    if (!this.out.isTTY) return void this.out.write(`${text}\n`)
    const filled = Math.round(share * barWidth)
    this.out.write(`\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text}`)
    this.drawn = true
  }

  private isDue(): boolean {
    const now = performance.now()
    if (now - this.shown < (this.out.isTTY ? barInterval : lineInterval)) return false
    this.shown = now
    return true
  }

  /** Clears the bar. */
  end(): void {
    if (this.drawn) this.out.write('\r\x1b[K')
  }
}

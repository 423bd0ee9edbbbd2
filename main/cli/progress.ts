/** Progress of a run on standard error: a bar on a terminal, a line now and then otherwise. */
const lineInterval = 1000
const barInterval = 100
const barWidth = 30

export class Progress {
  private readonly started = performance.now()
  private shown = 0
  private drawn = false

  constructor(private readonly duration: number, private readonly out: NodeJS.WriteStream = process.stderr) {}

  update(time: number, frames: number): void {
    const now = performance.now()
    if (now - this.shown < (this.out.isTTY ? barInterval : lineInterval)) return
    this.shown = now
    const share = Math.min(1, time / this.duration)
    const left = share > 0 ? (now - this.started) / 1000 * (1 - share) / share : null
    const text = `${(100 * share).toFixed(0).padStart(3)} %  ${time.toFixed(3)} s of ${this.duration} s, ${frames} frames${left === null ? '' : `, ${left.toFixed(0)} s left`}`
    if (!this.out.isTTY) return void this.out.write(`${text}\n`)
    const filled = Math.round(share * barWidth)
    this.out.write(`\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text}`)
    this.drawn = true
  }

  /** Clears the bar. */
  end(): void {
    if (this.drawn) this.out.write('\r\x1b[K')
  }
}

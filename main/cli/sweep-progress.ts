/** Progress of a sweep on standard error: a bar on a terminal, otherwise a line from time to time. */
import type { SweepProgress } from '../protocol/sweeps'

const lineInterval = 2000
const barInterval = 100
const barWidth = 30

export class SweepBar {
  private shown = 0
  private drawn = false

  constructor(private readonly out: NodeJS.WriteStream = process.stderr) {}

  update(progress: SweepProgress): void {
    const now = performance.now()
    if (now - this.shown < (this.out.isTTY ? barInterval : lineInterval)) return
    this.shown = now
    const text = progressText(progress)
    if (!this.out.isTTY) return void this.out.write(`${text}\n`)
    const filled = Math.round(progress.done / Math.max(1, progress.total) * barWidth)
    this.out.write(`\r\x1b[K[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${text}`)
    this.drawn = true
  }

  /** Clears the bar. */
  end(): void {
    if (this.drawn) this.out.write('\r\x1b[K')
  }
}

export function progressText({ total, done, failed, running, rate, timeLeft }: SweepProgress): string {
  const parts = [`${done} of ${total} runs`, ...(failed > 0 ? [`${failed} failed`] : []), `${running} running`]
  if (rate !== null) parts.push(rate >= 1 ? `${rate.toFixed(1)} a second` : `${(60 * rate).toFixed(1)} a minute`)
  if (timeLeft !== null && done < total) parts.push(`${timeLeft >= 120 ? `${(timeLeft / 60).toFixed(0)} min` : `${timeLeft.toFixed(0)} s`} left`)
  return parts.join(', ')
}

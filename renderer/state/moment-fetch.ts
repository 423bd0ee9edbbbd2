/** Fetches the recorded data of the displayed time, and of the next moments of playback, from the host. */

import { loadMoment, type RunLayout } from './moment'
import type { RunMessages } from './trajectory'

/** s: playback time of the moments that are requested ahead. */
const AHEAD = 0.5
/** Hz: pictures of playback per second for which data are requested ahead. */
const PICTURES = 60
/** Moments that are requested ahead at a time: more would delay those that are displayed. */
const READS = 2

/** The displayed run, as the store of playback knows it. */
export interface FetchFor {
  layout(): RunLayout
  /** The displayed time, s, and its frame. */
  time(): number
  index(): number
  /** s: time of a frame. */
  timeOf(index: number): number
  /** Frames per second. */
  rate(): number
  /** Whether the recorded data of this run are still wanted. */
  isDisplayed(source: RunMessages): boolean
  /** Shows cached data; false if some are missing. */
  show(source: RunMessages, index: number, time: number): boolean
  /** Data have arrived. */
  arrived(): void
  /** The data of the displayed time are shown. */
  shown(): void
}

export function makeMomentFetch(run: FetchFor) {
  /** The run whose data are being fetched for display. */
  let from: RunMessages | null = null
  let readingAhead = 0

  /**
   * Fetches and shows the displayed time. While the time changes faster than data arrive, each arrival is shown and only the newest time is requested
   * next, so that the picture follows a dragged playhead.
   */
  async function fetch(source: RunMessages) {
    if (from === source) return
    from = source
    try {
      for (;;) {
        const [target, index] = [run.time(), run.index()]
        await loadMoment(source, run.layout(), index, target - run.timeOf(index) > 1e-6 / run.rate())
        if (!run.isDisplayed(source)) return
        run.arrived()
        if (run.show(source, run.index(), run.time())) return run.shown()
        // Data that are not recorded yet are read again when the run reports more frames.
        if (run.time() === target) return
        run.show(source, index, target)
      }
    } finally {
      if (from === source) from = null
    }
  }

  /** Requests the next moments of playback, and no frames between them. @param speed of playback */
  function readAhead(source: RunMessages, speed: number) {
    const perSecond = speed * run.rate()
    const step = Math.max(1, perSecond / PICTURES)
    for (let k = 1; k * step <= AHEAD * perSecond + step; k++) {
      const index = run.index() + Math.ceil(k * step)
      if (index >= run.layout().frames) return
      if (source.frames.get(index)) continue
      if (readingAhead >= READS) return
      readingAhead++
      // A lost connection is reported by the display, which waits for the same data.
      void loadMoment(source, run.layout(), index).then(run.arrived, () => undefined).finally(() => { readingAhead-- })
      return
    }
  }

  return { fetch, readAhead }
}

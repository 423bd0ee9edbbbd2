/** Measures seeks by the pointer, from its move to the picture of the new time, on the page's own timeline. */

/** Name of the measures; their details are `SeekStages`. */
export const SEEK_MEASURE = 'cairn.seek'

/** ms, on the clock of the page. */
export interface SeekStages {
  /** The page received the pointer's move. */
  readonly received: number
  /** The data of the time were there, requested and decoded if they were not cached. */
  readonly shown: number
  /** The scripts of the browser's next frame had ended. The picture was drawn before it or in it. */
  readonly drawn: number
}

export function makeSeekMeasure() {
  /** The seek whose picture is awaited. */
  let awaited: { readonly start: number; readonly received: number } | null = null
  const channel = new MessageChannel()
  const calls: (() => void)[] = []
  channel.port1.onmessage = () => calls.shift()?.()

  return {
    /** @param start ms, time stamp of the pointer's event */
    begin(start: number) {
      awaited = { start, received: performance.now() }
    },
    /** The displayed data are those of the last seek. */
    shown() {
      if (!awaited) return
      const [{ start, received }, shown] = [awaited, performance.now()]
      awaited = null
      // After the viewport's own callback, which was requested before.
      requestAnimationFrame(() => {
        const drawn = performance.now()
        // Received after the frame: the page has taken the picture over.
        calls.push(() => {
          performance.measure(SEEK_MEASURE, { start, end: performance.now(), detail: { received, shown, drawn } satisfies SeekStages })
          performance.clearMeasures(SEEK_MEASURE)
        })
        channel.port2.postMessage(null)
      })
    },
  }
}

/** Bodies of the displayed run at chosen times, drawn over the picture. Kept while the run is displayed. */

import { shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Frame } from '../../core/trajectory/frame'
import { usePlayback } from './playback'

export interface TimeGhost {
  /** s */
  readonly time: number
  readonly frame: Frame
}

/** Number of ghosts that one command distributes over a run. */
const SPREAD = 8

export const useTimeGhosts = defineStore('timeGhosts', () => {
  const playback = usePlayback()
  const list = shallowRef<readonly TimeGhost[]>([])

  const sorted = (ghosts: readonly TimeGhost[]) => [...new Map(ghosts.map(ghost => [ghost.frame.time, ghost])).values()].sort((a, b) => a.time - b.time)

  /** At the displayed time. */
  function add() {
    const { frame } = playback
    if (frame) list.value = sorted([...list.value, { time: frame.time, frame }])
  }

  /** Replaces all ghosts by ghosts at equal intervals from the start of the run to its end. */
  async function spread() {
    const source = playback.messages
    const last = playback.frameCount - 1
    if (!source || last < 1) return
    const frames = await Promise.all(Array.from({ length: SPREAD }, (_, i) => {
      const index = Math.round(last * i / (SPREAD - 1))
      return source.frames.get(index) ?? source.frames.load(index)
    }))
    if (source === playback.messages) list.value = sorted(frames.flatMap(frame => frame ? [{ time: frame.time, frame }] : []))
  }

  const remove = (ghost: TimeGhost) => { list.value = list.value.filter(other => other !== ghost) }
  const clear = () => { list.value = [] }
  watch(() => playback.messages, clear, { flush: 'sync' })

  return { list, add, spread, remove, clear }
})

/** The displayed frame with all solver data, read only while a panel needs it. */

import { shallowRef, watch, type ShallowRef } from 'vue'
import type { RecordedFrame } from '../../core/analysis/force-balance'
import { massesOf } from './body-masses'
import { usePlayback } from './playback'
import { useRuns } from './runs'

/** Between two frames it is the one before: forces are shown as solved, never interpolated. Null while it is being read. */
export function useRecordedFrame(): Readonly<ShallowRef<RecordedFrame | null>> {
  const playback = usePlayback()
  const runs = useRuns()
  const recorded = shallowRef<RecordedFrame | null>(null)
  const sources = () => [playback.frame, playback.contacts, playback.joints, runs.current?.header, runs.scene] as const
  watch(sources, async ([shown, contacts, joints, header, scene]) => {
    const messages = playback.messages
    // A live session has not recorded the displayed frame yet.
    if (playback.live || !shown || !contacts || !joints || !header || !scene || !messages) {
      recorded.value = null
      return
    }
    const { index } = shown
    const forces = messages.forces.get(index) ?? await messages.forces.load(index).catch(() => undefined)
    const frame = messages.frames.get(index)
    if (playback.contacts !== contacts) return
    recorded.value = forces && frame ? { header, masses: massesOf(scene), frame, contacts, joints, forces } : null
  }, { immediate: true })
  return recorded
}

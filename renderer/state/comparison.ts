/** A second run beside the displayed one: its bodies are drawn as ghosts, and differences are listed. */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import type { Frame } from '../../core/trajectory/frame'
import type { Scene } from '../../core/scene'
import type { RunComparison, RunInfo } from '../../main/protocol/runs'
import { useDocument } from './document'
import { useHost } from './host'
import { usePlayback } from './playback'
import { readScene } from './read-scene'
import { useRuns } from './runs'
import { RunMessages } from './trajectory'

export const useComparison = defineStore('comparison', () => {
  const document = useDocument()
  const runs = useRuns()
  const playback = usePlayback()

  /** The run that the displayed one is compared with. */
  const other = shallowRef<RunInfo | null>(null)
  const scene = shallowRef<Scene | null>(null)
  const frame = shallowRef<Frame | null>(null)
  const differences = shallowRef<RunComparison | null>(null)
  const error = ref('')
  const messages = shallowRef<RunMessages | null>(null)
  const active = computed(() => other.value !== null && other.value.id !== runs.current?.id)

  async function compareWith(run: RunInfo | null) {
    other.value = run
    messages.value = run && new RunMessages(run.id, run.header?.bodyIds.length ?? 0)
    scene.value = frame.value = differences.value = null
    if (!run) return
    const read = readScene(await useHost().engine.sceneOf(run.id))
    if (other.value === run) scene.value = read.scene
  }

  // Another document has other runs.
  watch(() => document.generation, () => void compareWith(null))

  /** The recorded frame of the other run at the displayed time, or the one before it. */
  watch(() => [messages.value, playback.time, active.value] as const, async ([source, time]) => {
    const run = other.value
    if (!source || !run?.header || !active.value) {
      frame.value = null
      return
    }
    const index = Math.max(0, Math.min(run.frames - 1, Math.floor(time * run.header.outputRate + 1e-6)))
    const found = source.frames.get(index) ?? await source.frames.load(index).catch(() => undefined)
    if (source === messages.value && time === playback.time) frame.value = found ?? null
  })

  watch(() => [runs.current?.id, runs.current?.status, other.value?.id] as const, async ([shown, status, with_]) => {
    differences.value = null
    error.value = ''
    if (shown === undefined || with_ === undefined || shown === with_ || status === 'running') return
    try {
      const found = await useHost().engine.compareRuns(with_, shown)
      if (runs.current?.id === shown && other.value?.id === with_) differences.value = found
    } catch (reason) {
      error.value = (reason as Error).message
    }
  })

  return { other, scene, frame, differences, error, active, compareWith }
})

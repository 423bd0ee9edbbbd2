/** Drops the selected bodies, deformables and instances until they rest, or puts fixed ones down: computed by the engine, applied as one edit. */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { HostError } from '../../main/protocol/host'
import type { Settled } from '../../main/protocol/settle'
import { formatNumber, formatTime } from '../fields/format'
import { wholeOf } from '../modelling/pieces'
import { applyPoses } from '../modelling/poses-edit'
import { useDocument } from './document'
import { useHost } from './host'
import { withNames } from './id-from-name'
import { problemsOf } from './runs'
import { sceneText } from './scene-text'
import { useShell } from './shell'

export const useSettle = defineStore('settle', () => {
  const document = useDocument()
  const shell = useShell()
  /** The running computation; null if there is none. */
  const job = shallowRef<{ readonly ticket: string; readonly count: number } | null>(null)

  async function drop(ids: readonly string[]) {
    document.commitGesture()
    const before = document.scene
    const wholes = [...new Set(ids.map(id => wholeOf(before, id)))]
    const mine = { ticket: crypto.randomUUID(), count: wholes.length }
    job.value = mine
    try {
      take(before, await useHost().engine.settle(sceneText(before, document.source), wholes, mine.ticket))
    } catch (error) {
      if (error instanceof HostError && error.name === 'Cancelled') return
      // Overlaps are among the problems of the scene already; the rest is about this command alone.
      const found = problemsOf(error)
      const { message, ids: named } = found.find(one => one.severity === 'error') ?? found[0]!
      shell.notify(`Nothing was dropped: ${withNames(message, named, before)}`)
    } finally {
      if (job.value === mine) job.value = null
    }
  }

  function take(before: typeof document.scene, settled: Settled) {
    if (document.scene !== before) return shell.notify('The scene was changed while bodies fell: drop them again')
    const poses = new Map(settled.poses.map(({ id, ...pose }) => [id, pose]))
    const done = document.edit('drop to rest', draft => applyPoses(draft, before, poses))
    if (!done) return
    const lifted = settled.lifted > 0 ? `, lifted by ${formatNumber(settled.lifted, 3)} m out of an overlap first` : ''
    if (settled.lowered !== null) shell.confirm(`Put down by ${formatNumber(settled.lowered, 3)} m${lifted}`)
    else if (settled.resting) shell.confirm(`At rest after ${formatTime(settled.time)}${lifted}`)
    else shell.notify(`Still moving after ${formatTime(settled.time)}: left as it was then`)
  }

  async function cancel() {
    if (job.value) await useHost().engine.cancelSettling(job.value.ticket)
  }

  return { job, drop, cancel }
})

/** Drops the selected bodies, deformables and instances until they rest, or puts fixed ones down: computed by the engine, applied as one edit. */

import { shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { HostError } from '../../main/protocol/host'
import type { Settled } from '../../main/protocol/settle'
import { length, sub } from '../../core/math/vector'
import type { Scene } from '../../core/scene'
import { formatNumber, formatTime } from '../fields/format'
import { boxOf } from '../modelling/extents'
import { wholeOf } from '../modelling/pieces'
import { applyPoses } from '../modelling/poses-edit'
import { useDocument } from './document'
import { useHost } from './host'
import { withNames } from './id-from-name'
import { problemsOf } from './runs'
import { sceneText } from './scene-text'
import { positionOf } from './scene-access'
import { useShell } from './shell'

export const useSettle = defineStore('settle', () => {
  const document = useDocument()
  const shell = useShell()
  /** The running computation; null if there is none. */
  const job = shallowRef<{ readonly ticket: string; readonly count: number } | null>(null)

  /** @param straight whether they are moved straight down instead, until they touch something */
  async function drop(ids: readonly string[], straight = false) {
    document.commitGesture()
    const before = document.scene
    const wholes = [...new Set(ids.map(id => wholeOf(before, id)))]
    const mine = { ticket: crypto.randomUUID(), count: wholes.length }
    job.value = mine
    try {
      take(before, await useHost().engine.settle(sceneText(before, document.source), wholes, mine.ticket, straight), straight)
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

  function take(before: Scene, settled: Settled, straight: boolean) {
    if (document.scene !== before) return shell.notify('The scene was changed while bodies fell: drop them again')
    const poses = new Map(settled.poses.map(({ id, ...pose }) => [id, pose]))
    const done = document.edit(straight ? 'put down' : 'drop to rest', draft => applyPoses(draft, before, poses))
    if (!done) return
    const lifted = settled.lifted > 0 ? `, lifted by ${formatNumber(settled.lifted, 3)} m out of an overlap first` : ''
    if (settled.lowered !== null) shell.confirm(`Put down by ${formatNumber(settled.lowered, 3)} m${lifted}`)
    else if (away(before, settled) > 0) rolledAway(before, settled)
    else if (settled.resting) shell.confirm(`At rest after ${formatTime(settled.time)}${lifted}`)
    else shell.notify(`Still moving after ${formatTime(settled.time)}: left as it was then`)
  }

  /** Offers to put bodies down where they were, if they have rolled or slid away. */
  function rolledAway(before: Scene, settled: Settled) {
    const ids = settled.poses.map(({ id }) => id)
    const made = document.scene
    shell.notify(`${settled.resting ? 'At rest' : 'Still moving'} after ${formatTime(settled.time)}, ${formatNumber(away(before, settled), 3)} m away.`, {
      seconds: 20, action: {
        label: 'Put down instead (Shift+G)',
        run: () => {
          if (document.scene === made) document.undo()
          void drop(ids, true)
        },
      },
    })
  }

  async function cancel() {
    if (job.value) await useHost().engine.cancelSettling(job.value.ticket)
  }

  return { job, drop, cancel }
})

/** m: longest way to the side of a body that moved farther than it is wide; 0 if none did. */
function away(before: Scene, { poses }: Settled): number {
  const bodies = new Map(before.bodies?.map(body => [body.id, body]))
  return Math.max(0, ...poses.map(({ id, position }) => {
    const body = bodies.get(id)
    const box = body && boxOf(body)
    if (!box) return 0
    const [x, y] = sub(position, positionOf(body))
    const way = Math.hypot(x, y)
    return way > length(sub(box.high, box.low)) ? way : 0
  }))
}

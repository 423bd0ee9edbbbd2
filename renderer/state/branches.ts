/** Indeterminate instants of a run, and continuing from one with another solution. */

import type { TrajectoryEvent } from '../../core/trajectory/frame'
import { useComparison } from './comparison'
import { useDocument } from './document'
import { usePlayback } from './playback'
import { useRuns } from './runs'

export const indeterminateEvents = (events: readonly TrajectoryEvent[]): readonly TrajectoryEvent[] =>
  events.filter(event => event.kind === 'indeterminate' && event.solutions.length > 1)

/** Writes the branch into the document as one undoable edit, runs it, and compares the new run with the former one. */
export async function branchAt(event: TrajectoryEvent, solution: number): Promise<void> {
  const runs = useRuns()
  const former = runs.current
  useDocument().edit(`branch at ${event.time} s`, draft => {
    const simulation = draft.simulation ??= {}
    // Later choices of the former run do not apply to the new one.
    simulation.branch = [...(simulation.branch ?? []).filter(branch => branch.event < event.index), { event: event.index, solution }]
  })
  const run = await runs.simulate()
  if (!run) return
  if (former) await useComparison().compareWith(former)
  usePlayback().seek(event.time)
}

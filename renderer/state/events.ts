import type { TrajectoryEvent } from '../../core/trajectory/frame'

/** Events after `from` and up to `to`, of a list in order of time. */
export function eventsWithin(events: readonly TrajectoryEvent[], from: number, to: number): readonly TrajectoryEvent[] {
  const start = firstAfter(events, from)
  let end = start
  while (end < events.length && events[end]!.time <= to) end++
  return events.slice(start, end)
}

/** Index of the first event later than `time`; the length where there is none. */
export function firstAfter(events: readonly TrajectoryEvent[], time: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (events[middle]!.time > time) high = middle
    else low = middle + 1
  }
  return low
}

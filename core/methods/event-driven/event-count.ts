/** Counts the events of a group of bodies, and stops a run that makes no progress. */

import { StopError } from '../method'
import type { RunContext } from './context'

/** Events at one instant after which the run is stuck. */
const MAX_AT_ONE_INSTANT = 100

/** More events in one interval than `maxEventsPerFrame`, or too many at one instant. */
class TooManyEvents extends StopError {
  constructor(count: number, time: number) {
    super('TooManyEvents', `${count} events since the last frame`, time, [])
  }
}

export class EventCount {
  private inFrame = 0
  private atInstant = 0
  private lastTime = -Infinity

  /** The group was formed from groups with these counts. */
  continueFrom(counts: readonly EventCount[]): void {
    this.inFrame = Math.max(...counts.map(({ inFrame }) => inFrame))
  }

  /** A frame has been output. */
  nextFrame(): void {
    this.inFrame = 0
  }

  /** Another method has finished an interval. */
  reset(): void {
    this.inFrame = 0
    this.atInstant = 0
  }

  /** Counts an event at the context's time. @throws TooManyEvents */
  add({ time, tolerances, settings }: RunContext): void {
    this.inFrame++
    const together = Math.abs(time - this.lastTime) <= tolerances.simultaneous * Math.max(1, time)
    this.atInstant = together ? this.atInstant + 1 : 1
    this.lastTime = time
    if (this.inFrame > settings.maxEventsPerFrame || this.atInstant > MAX_AT_ONE_INSTANT) throw new TooManyEvents(this.inFrame, time)
  }
}

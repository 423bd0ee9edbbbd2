/** Long work on the engine's thread, in turns: requests that arrive meanwhile are answered between two of them. */
import { setImmediate } from 'node:timers/promises'

/** ms of a turn: a seek on the timeline waits no longer, and the pauses take a small part of the time. */
const TURN = 4

/** @returns called after each piece of work; waits once a turn is over */
export function inTurns(): () => Promise<void> {
  let end = performance.now() + TURN
  return async () => {
    if (performance.now() < end) return
    await setImmediate()
    end = performance.now() + TURN
  }
}

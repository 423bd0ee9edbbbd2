/** Events that only one of two runs has. Steps and restarts depend on the method, so only events of bodies are compared. */
import type { TrajectoryEvent } from '../../../core/trajectory/frame'
import type { EventKind } from '../../../core/vocabulary'
import type { TrajectoryReader } from '../reader'

const KINDS: ReadonlySet<EventKind> = new Set([
  'impact', 'newContact', 'release', 'stick', 'slip', 'limit', 'spawn', 'remove', 'indeterminate', 'inconsistent', 'stopped',
])
/** Maximum number of unmatched events that are listed; all of them are counted. */
const MAX_LISTED = 1000

export interface UnmatchedEvent {
  readonly time: number
  readonly kind: EventKind
  readonly bodies: readonly string[]
  readonly joint: string | null
}

export interface EventComparison {
  /** s: events of the same kind and bodies match if their times differ by at most this. */
  readonly window: number
  readonly matched: number
  /** s, between matched events. */
  readonly largestShift: number
  /** Number of unmatched events, and the first of them. */
  readonly onlyFirstCount: number
  readonly onlySecondCount: number
  readonly onlyFirst: readonly UnmatchedEvent[]
  readonly onlySecond: readonly UnmatchedEvent[]
}

/** @param until s, simulated by both runs: later events are not compared */
export function compareEvents(first: TrajectoryReader, second: TrajectoryReader, window: number, until: number): EventComparison {
  const [a, b] = [grouped(first, until), grouped(second, until)]
  const [onlyFirst, onlySecond]: [UnmatchedEvent[], UnmatchedEvent[]] = [[], []]
  let [matched, largestShift] = [0, 0]
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [these, those] = [a.get(key) ?? [], b.get(key) ?? []]
    let [i, j] = [0, 0]
    while (i < these.length || j < those.length) {
      const [one, other] = [these[i], those[j]]
      const shift = one && other ? one.time - other.time : one ? -Infinity : Infinity
      if (Math.abs(shift) <= window) {
        matched++
        largestShift = Math.max(largestShift, Math.abs(shift))
        i++
        j++
      } else if (shift < 0) onlyFirst.push(these[i++]!)
      else onlySecond.push(those[j++]!)
    }
  }
  const early = (events: UnmatchedEvent[]) => events.sort((x, y) => x.time - y.time).slice(0, MAX_LISTED)
  return {
    window, matched, largestShift, onlyFirstCount: onlyFirst.length, onlySecondCount: onlySecond.length,
    onlyFirst: early(onlyFirst), onlySecond: early(onlySecond),
  }
}

/** By kind, bodies (in either order) and joint, each group in order of time. */
function grouped(reader: TrajectoryReader, until: number): Map<string, UnmatchedEvent[]> {
  const groups = new Map<string, UnmatchedEvent[]>()
  for (let number = 0; number < reader.count('events'); number++) {
    const event = reader.event(number)
    if (!KINDS.has(event.kind) || event.time > until) continue
    const lone = loneEvent(event, reader)
    const key = JSON.stringify([lone.kind, lone.bodies, lone.joint])
    const group = groups.get(key)
    if (group) group.push(lone)
    else groups.set(key, [lone])
  }
  return groups
}

function loneEvent({ time, kind, bodyA, bodyB, joint }: TrajectoryEvent, { header }: TrajectoryReader): UnmatchedEvent {
  const bodies = [bodyA, bodyB].flatMap(body => header.bodyIds[body] ?? []).sort()
  return { time, kind, bodies, joint: header.jointIds[joint] ?? null }
}

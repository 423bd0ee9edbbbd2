/** How far two runs of one scene are from each other, over the frames that both have. */
import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { RunComparison } from '../protocol/runs'
import type { TrajectoryReader } from './reader'

/** m: positions nearer than this are the same; runs that take other steps differ by rounding, and time-stepping keeps bodies a nanometre apart. */
const SAME_PLACE = 1e-8
/** s, relative to the time itself. */
const SAME_TIME = 1e-12
/** Frames between which other requests are answered. */
const TURN = 256

/** Bodies are the same by id; frames by time. A body that only one of them has, or that exists in one only, is left out there. */
export async function compareRuns(first: TrajectoryReader, second: TrajectoryReader): Promise<RunComparison> {
  const pairs = first.header.bodyIds.flatMap((id, a) => {
    const b = second.header.bodyIds.indexOf(id)
    return b < 0 ? [] : [{ id, a: a * BODY_STRIDE, b: b * BODY_STRIDE, distance: 0, time: 0, since: null as number | null }]
  })
  const both = new Set(pairs.map(({ id }) => id))
  const alone = [...new Set([...first.header.bodyIds, ...second.header.bodyIds])].filter(id => !both.has(id))
  const time: number[] = []
  const distance: number[] = []
  let other = 0
  for (let number = 0; number < first.frames && other < second.frames; number++) {
    const frame = first.frame(number)
    const tolerance = SAME_TIME * Math.max(1, frame.time)
    let twin = second.frame(other)
    while (twin.time < frame.time - tolerance && other + 1 < second.frames) twin = second.frame(++other)
    if (Math.abs(twin.time - frame.time) > tolerance) continue
    let largest = 0
    for (const pair of pairs) {
      const apart = Math.hypot(...[0, 1, 2].map(k => frame.bodies[pair.a + k]! - twin.bodies[pair.b + k]!))
      if (!(apart > SAME_PLACE)) continue
      pair.since ??= frame.time
      largest = Math.max(largest, apart)
      if (apart > pair.distance) Object.assign(pair, { distance: apart, time: frame.time })
    }
    time.push(frame.time)
    distance.push(largest)
    if (number % TURN === TURN - 1) await new Promise(resolve => setImmediate(resolve))
  }
  const differing = pairs.filter(pair => pair.since !== null).sort((x, y) => y.distance - x.distance)
  return {
    common: pairs.length, alone,
    until: time.at(-1) ?? 0, divergence: differing.length === 0 ? null : Math.min(...differing.map(pair => pair.since!)),
    bodies: differing.map(({ id, distance: apart, time: at, since }) => ({ body: id, distance: apart, time: at, since: since! })),
    time: Float64Array.from(time), distance: Float64Array.from(distance),
  }
}

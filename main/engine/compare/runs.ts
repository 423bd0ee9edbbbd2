/** Differences of two runs of one scene over their common frames, as shown beside the picture in the editor. */
import type { RunComparison } from '../../protocol/runs'
import type { TrajectoryReader } from '../reader'
import { distance as distanceOf, pairBodies, pairFrames } from './frames'

/** m: smaller differences of positions count as equal; runs with different steps differ by rounding, and time-stepping keeps bodies a nanometre apart. */
const SAME_PLACE = 1e-8

/** Bodies are matched by id, frames by time. Bodies that only one run has, or that do not exist in both at a time, are ignored there. */
export async function compareRuns(first: TrajectoryReader, second: TrajectoryReader): Promise<RunComparison> {
  const { pairs, alone } = pairBodies(first, second)
  const found = pairs.map(pair => ({ ...pair, distance: 0, time: 0, since: null as number | null }))
  const time: number[] = []
  const distance: number[] = []
  for await (const frames of pairFrames(first, second)) {
    let largest = 0
    for (const pair of found) {
      const apart = distanceOf(frames.a, pair.a, frames.b, pair.b)
      if (!(apart > SAME_PLACE)) continue
      pair.since ??= frames.time
      largest = Math.max(largest, apart)
      if (apart > pair.distance) Object.assign(pair, { distance: apart, time: frames.time })
    }
    time.push(frames.time)
    distance.push(largest)
  }
  const differing = found.filter(pair => pair.since !== null).sort((x, y) => y.distance - x.distance)
  return {
    common: pairs.length, alone,
    until: time.at(-1) ?? 0, divergence: differing.length === 0 ? null : Math.min(...differing.map(pair => pair.since!)),
    bodies: differing.map(({ id, distance: apart, time: at, since }) => ({ body: id, distance: apart, time: at, since: since! })),
    time: Float64Array.from(time), distance: Float64Array.from(distance),
  }
}

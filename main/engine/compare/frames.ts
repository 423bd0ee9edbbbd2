/** Pairs of frames of two runs at the same time, and bodies that both runs have. */
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import type { TrajectoryReader } from '../reader'
import { inTurns } from '../turns'

/** s, relative to the time itself: frames at times this close are paired. */
export const SAME_TIME = 1e-12

export interface BodyPair {
  readonly id: string
  /** Offsets of its states in the frames of the first and the second run. */
  readonly a: number
  readonly b: number
}

export interface FramePair {
  /** s */
  readonly time: number
  /** Indices of the frames. */
  readonly first: number
  readonly second: number
  readonly a: Float64Array
  readonly b: Float64Array
}

/** Bodies are matched by id. */
export function pairBodies(first: TrajectoryReader, second: TrajectoryReader): { readonly pairs: readonly BodyPair[]; readonly alone: readonly string[] } {
  const pairs = first.header.bodyIds.flatMap((id, a) => {
    const b = second.header.bodyIds.indexOf(id)
    return b < 0 ? [] : [{ id, a: a * BODY_STRIDE, b: b * BODY_STRIDE }]
  })
  const both = new Set(pairs.map(({ id }) => id))
  return { pairs, alone: [...new Set([...first.header.bodyIds, ...second.header.bodyIds])].filter(id => !both.has(id)) }
}

/** In order of time; unpaired frames are skipped. */
export async function* pairFrames(first: TrajectoryReader, second: TrajectoryReader): AsyncIterable<FramePair> {
  let other = 0
  const turn = inTurns()
  for (let number = 0; number < first.frames && other < second.frames; number++) {
    const frame = first.frame(number)
    const tolerance = SAME_TIME * Math.max(1, frame.time)
    let twin = second.frame(other)
    while (twin.time < frame.time - tolerance && other + 1 < second.frames) twin = second.frame(++other)
    if (Math.abs(twin.time - frame.time) <= tolerance) yield { time: frame.time, first: number, second: other, a: frame.bodies, b: twin.bodies }
    await turn()
  }
}

/** Distance of two triples in packed arrays. */
export function distance(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return Math.hypot(a[i]! - b[j]!, a[i + 1]! - b[j + 1]!, a[i + 2]! - b[j + 2]!)
}

/** Keeps the times of a motion's keys increasing: an added key comes after the last one, or midway to the next. */

import type * as z from 'zod'
import { shapeOf } from './schema'

/** s: interval between the last key and one added after it. */
const APART = 1

interface Key { readonly time: number }

/** Whether the elements of a list are such keys. Keys of forces may have equal times, since forces may jump. */
export function areMotionKeys(element: z.core.$ZodType | undefined): boolean {
  const shape = (element && shapeOf(element)) ?? {}
  return 'time' in shape && !('torque' in shape) && !('body' in shape)
}

/** The keys with increasing times. @param keys in order; some have just been added as copies of those before them */
export function laterKeys<T>(keys: readonly T[]): T[] {
  let before = 0
  return keys.map((key, i) => {
    const { time } = key as unknown as Key
    if (time > before) {
      before = time
      return key
    }
    const next = (keys.slice(i + 1) as unknown as Key[]).find(other => other.time > before)
    before = next === undefined ? before + APART : (before + next.time) / 2
    return { ...key, time: before }
  })
}

/** Joints that come and go while a run lasts. */

import type { Joint } from '../../core/scene'

/** Whether a joint holds nothing at a time, s: it has not come yet, or has gone. */
export function isAbsent(joint: Joint, time: number): boolean {
  return joint.type !== 'gear' && (time < (joint.spawnTime ?? 0) || time >= (joint.removeTime ?? Infinity))
}

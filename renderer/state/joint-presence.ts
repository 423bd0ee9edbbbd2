/** Joints that are added or removed during a run. */

import type { Joint } from '../../core/scene'

/** Whether a joint does not exist at a time, s: before it is added or after it is removed. */
export function isAbsent(joint: Joint, time: number): boolean {
  return joint.type !== 'gear' && (time < (joint.spawnTime ?? 0) || time >= (joint.removeTime ?? Infinity))
}

/** Names of what columns number: bodies, and deformables behind them. */

import type { TrajectoryHeader } from './frame'

/** Among the ids of forces, by how much gravity differs from that at the start: no id of a scene has a space in it. */
export const GRAVITY_CHANGE = 'change of gravity'

/** Undefined where there is none of that number. */
export function ownerId({ bodyIds, deformableIds }: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, index: number): string | undefined {
  return bodyIds[index] ?? deformableIds[index - bodyIds.length]
}

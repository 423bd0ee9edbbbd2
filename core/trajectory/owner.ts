/** Names of what columns of contacts number: bodies, and deformables behind them. */

import type { TrajectoryHeader } from './frame'

/** Undefined where there is none of that number. */
export function ownerId({ bodyIds, deformableIds }: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, index: number): string | undefined {
  return bodyIds[index] ?? deformableIds[index - bodyIds.length]
}

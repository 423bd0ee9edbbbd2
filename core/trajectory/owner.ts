/** Names for the numbers in columns: bodies, followed by deformables. */

import type { TrajectoryHeader } from './frame'

/** Id of the difference of gravity from its initial value among the ids of forces: scene ids cannot contain a space. */
export const GRAVITY_CHANGE = 'change of gravity'

/** Undefined if the number does not exist. */
export function ownerId({ bodyIds, deformableIds }: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, index: number): string | undefined {
  return bodyIds[index] ?? deformableIds[index - bodyIds.length]
}

/** Names for the numbers in columns: bodies, followed by deformables. */

import type { TrajectoryHeader } from './frame'

/** Id of the difference of gravity from its initial value among the ids of forces: scene ids cannot contain a space. */
export const GRAVITY_CHANGE = 'change of gravity'

/** Undefined if the number does not exist. */
export function ownerId({ bodyIds, deformableIds }: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, index: number): string | undefined {
  return bodyIds[index] ?? deformableIds[index - bodyIds.length]
}

/** Number of a body or deformable in columns; −1 if the run has none with this id. */
export function ownerIndex({ bodyIds, deformableIds }: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>, id: string): number {
  const body = bodyIds.indexOf(id)
  if (body >= 0) return body
  const deformable = deformableIds.indexOf(id)
  return deformable < 0 ? -1 : bodyIds.length + deformable
}

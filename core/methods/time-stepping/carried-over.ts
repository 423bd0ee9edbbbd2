/** The checkpoint state of this method, extended to a world with additional bodies. */

import type { Plain } from '../method-state'
import type { Carried } from './run-steps'

export interface OwnState {
  readonly carried: Carried
  readonly solves: readonly (readonly [string, number])[]
  /** Whether the spawns and removals at the checkpoint's time are still to be done. */
  readonly arrives?: true
}

/** @param bodies present number of bodies */
export function carriedOver(given: Plain, bodies: number): Plain {
  const { carried, solves } = given as unknown as OwnState
  const { slumber, deformables } = carried
  const further = bodies - slumber.still.length
  const own: OwnState = {
    solves, arrives: true,
    carried: {
      ...carried,
      slumber: {
        ...slumber, still: [...slumber.still, ...new Array<number>(further).fill(0)],
        forces: [...slumber.forces, ...new Array<readonly number[]>(further).fill([])],
      },
      // For the additional bodies there is no data; the next step uses the forces present then.
      deformables: deformables && { ...deformables, other: [...deformables.other, ...new Array<number>(6 * further).fill(NaN)] },
    },
  }
  return own as unknown as Plain
}

/** What a checkpoint of this method carries, for a world with further bodies behind those that it had. */

import type { Plain } from '../method-state'
import type { Carried } from './run-steps'

export interface OwnState {
  readonly carried: Carried
  readonly solves: readonly (readonly [string, number])[]
  /** What comes and goes at the checkpoint's time has still to. */
  readonly arrives?: true
}

/** @param bodies how many there are now */
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
      // Of what was not there nothing is known: the next step takes what acts on it then.
      deformables: deformables && { ...deformables, other: [...deformables.other, ...new Array<number>(6 * further).fill(NaN)] },
    },
  }
  return own as unknown as Plain
}

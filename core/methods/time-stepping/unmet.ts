/** The reason of a failed step in words: the conditions violated after the last linearisation, and by how much. */

import { shortNumber } from '../../math/short-number'

/** Result of a linearisation at the end of a step. */
export interface StepEnd {
  /** Whether no contact overlaps. */
  readonly apart: boolean
  /** Whether no joint limit is exceeded. */
  readonly open: boolean
  /** m and rad */
  readonly jointError: number
  /** The solver's residual, relative to the velocity scale of the rows. */
  readonly residual: number
}

/** Residual above which the solver failed, instead of being inaccurate: it is of the size of the motion. */
const NO_SOLUTION = 0.01

/** @param jointAllowed m and rad */
export function unmet({ apart, open, jointError, residual }: StepEnd, contacts: number, passes: number, jointAllowed: number): string {
  const missed = [
    ...apart ? [] : [contacts === 1 ? 'the contact still overlaps' : `some of the ${contacts} contacts still overlap`],
    ...open ? [] : ['a joint still exceeds its limit'],
    ...jointError <= jointAllowed ? [] : [`a joint is still ${shortNumber(jointError, 3)} (m or rad) apart`],
  ]
  const what = missed.length === 0 ? residual < NO_SOLUTION ? 'active contacts are still open' : 'the forces do not fit the motion' : missed.join(', and ')
  const perhaps = residual < NO_SOLUTION ? '' : `; the solver's residual (${shortNumber(residual, 3)} of the largest speed) suggests that no motion meets all of them`
  return `${what} after ${passes} linearisations${perhaps}`
}

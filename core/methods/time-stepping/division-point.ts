/** The first impact of an island in a step. */

import type { MethodEvent } from '../method'
import type { ReportedImpact } from './reported-impact'

/** The effect of an impact at the start of a step. */
export interface IslandImpact {
  /** s */
  readonly time: number
  readonly bodies: readonly number[]
  /** N s and N m s, six doubles for each of these bodies. */
  readonly impulses: Float64Array
  /** J: work of normal impulses, and other works in the order of `WORKS`. */
  readonly impactWork: number
  readonly works: Float64Array
  readonly impacts: readonly ReportedImpact[]
  /** Events of restitution that was scaled. */
  readonly scaled: readonly MethodEvent[]
}

/** The instant at which a step is divided. */
export interface DivisionPoint {
  /** s after the start of the step. */
  readonly after: number
  /** The impacts to apply if that instant is the start of the step. */
  readonly islandImpacts: readonly IslandImpact[]
}

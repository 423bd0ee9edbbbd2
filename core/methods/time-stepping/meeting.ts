/** The first impact of an island in a step. */

import type { MethodEvent } from '../method'
import type { ReportedImpact } from './reported-impact'

/** What an impact at the start of a step does. */
export interface Strike {
  /** s */
  readonly time: number
  readonly bodies: readonly number[]
  /** N s and N m s, six for each of them. */
  readonly impulses: Float64Array
  /** J: of normal impulses, and by other causes in the order of `WORKS`. */
  readonly impactWork: number
  readonly works: Float64Array
  readonly impacts: readonly ReportedImpact[]
  /** Whether its restitution was scaled, as an event. */
  readonly scaled: readonly MethodEvent[]
}

/** Where a step is to be taken in two. */
export interface Meeting {
  /** s after its start. */
  readonly after: number
  /** If that is its start. */
  readonly strikes: readonly Strike[]
}

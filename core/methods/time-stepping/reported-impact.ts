/** A contact that met in a step, as it is told. */

import type { MethodEvent } from '../method'

export interface ReportedImpact {
  /** Of its contact. */
  readonly key: string
  readonly bounces: boolean
  readonly event: MethodEvent
}

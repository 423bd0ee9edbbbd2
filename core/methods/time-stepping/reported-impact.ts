/** An impact of a step, as reported. */

import type { MethodEvent } from '../method'

export interface ReportedImpact {
  /** Of its contact. */
  readonly key: string
  readonly bounces: boolean
  readonly event: MethodEvent
}

/** Gap target in piles. */

import type { LocalScales } from './local-scales'
import type { TimeSteppingSettings } from './settings'
import { GAP_TARGET, PILE_GAP } from './tolerances'

/** m: gap target of the contacts of these bodies, also for position corrections. */
export function pileGap(
  { settings: { tolerance }, scales }: { readonly settings: TimeSteppingSettings, readonly scales: LocalScales }, bodies: readonly number[],
): number {
  return tolerance ?? Math.max(GAP_TARGET, PILE_GAP * scales.least(bodies))
}

/** How far above each other the bodies of a crowd are left. */

import type { LocalScales } from './local-scales'
import { CROWD_GAP, GAP_TARGET, type TimeSteppingSettings } from './settings'

/** m: the gap that contacts of these bodies are solved for, and up to which what overlaps is moved apart. */
export function crowdGap(
  { settings: { tolerance }, scales }: { readonly settings: TimeSteppingSettings, readonly scales: LocalScales }, bodies: readonly number[],
): number {
  return tolerance ?? Math.max(GAP_TARGET, CROWD_GAP * scales.least(bodies))
}

/** State of the event-driven method at a checkpoint: its step size, and the event numbers, to which branches refer. */

import type { MethodState } from '../method-state'
import { commonState } from '../take-over'
import type { RunContext } from './context'

/** @param step s, the step size to try first */
export function handedOver(context: RunContext, frame: number, step: number): MethodState {
  const { events: { count, branched } } = context
  return { ...commonState(context, frame, context.time), own: { step, count, branched: [...branched] } }
}

/** @throws TypeError if the state does not belong to this method */
export function resumed(start: MethodState | undefined): { step: number | null; events: { count: number; branched: Set<number> } } {
  const own = start?.own ?? null
  if (own === null) return { step: null, events: { count: 0, branched: new Set() } }
  const { step, count, branched } = own as { step?: unknown; count?: unknown; branched?: unknown }
  if (typeof step !== 'number' || !(step > 0) || typeof count !== 'number' || !Array.isArray(branched)) throw new TypeError('no state of the event-driven method')
  return { step, events: { count, branched: new Set(branched as number[]) } }
}

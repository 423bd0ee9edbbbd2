/** Instants at which forces, paths or targets have a kink or a jump: integration restarts exactly there. */

import type { World } from './world'

/** s; not sorted. */
export function breakpointsOf({ forces, keyTimes }: World): number[] {
  return [...forces.flatMap(force => force.breakpoints), ...keyTimes]
}

export function isBreakpoint({ forces, keyTimes }: World, time: number): boolean {
  return keyTimes.includes(time) || forces.some(force => force.breakpoints.includes(time))
}

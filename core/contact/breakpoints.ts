/** Instants at which forces, paths or targets have a kink or a jump: integration restarts exactly there. */

import type { World } from './world'

/** s; not sorted. */
export function breakpointsOf({ forces, keyTimes, driven }: World): number[] {
  return [...forces.flatMap(force => force.breakpoints), ...keyTimes, ...driven.flatMap(({ times }) => times)]
}

/** Whether what drives joints changes at this time. */
export function isDrivenAnew({ driven }: World, time: number): boolean {
  return driven.some(({ times }) => times.includes(time))
}

export function isBreakpoint(world: World, time: number): boolean {
  const { forces, keyTimes } = world
  return keyTimes.includes(time) || isDrivenAnew(world, time) || forces.some(force => force.breakpoints.includes(time))
}

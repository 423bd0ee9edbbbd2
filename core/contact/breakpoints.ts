/** Instants at which forces, paths or targets are not smooth: integration restarts exactly there. */

import type { World } from './world'

/** s; not sorted. */
export function breakpointsOf({ forces, keyTimes, driven }: World): number[] {
  return [...forces.flatMap(force => force.breakpoints), ...keyTimes, ...driven.flatMap(({ times }) => times)]
}

/** Whether the drives of joints change at this time. */
export function drivesChangeAt({ driven }: World, time: number): boolean {
  return driven.some(({ times }) => times.includes(time))
}

/** Whether a force, a path or a drive is not smooth at this time, s. */
export function isBreakpoint(world: World, time: number): boolean {
  const { forces, keyTimes } = world
  return keyTimes.includes(time) || drivesChangeAt(world, time) || forces.some(force => force.breakpoints.includes(time))
}

/** Bodies that a force ties to each other although they may not touch. */

import type { World } from './world'

/** Forces that act between their bodies; those of the other types act on each body for itself. */
const BETWEEN: readonly string[] = ['spring', 'ballDamping', 'attractor', 'script']

/** Bodies of each force that acts between them. */
export function coupledByForces(forces: World['forces']): (readonly number[])[] {
  return forces.filter(force => BETWEEN.includes(force.type)).map(force => force.bodies)
}

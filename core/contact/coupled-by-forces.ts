/** Bodies coupled by forces even without contact. */

import type { World } from './world'

/** Forces that act between their bodies; the other types act on each body separately. */
const BETWEEN: readonly string[] = ['spring', 'ballDamping', 'attractor', 'script']

/** Bodies of each force that acts between several. */
export function coupledByForces(forces: World['forces']): (readonly number[])[] {
  return forces.filter(force => BETWEEN.includes(force.type)).map(force => force.bodies)
}

/** Explains why a step cannot be made small enough: the active contacts, and their curvature. */

import { shortNumber } from '../../math/short-number'
import { StopError } from '../method'
import type { RunContext } from './context'
import { holdingByCurvature, isFlat } from './flat-spots'

/** Maximum number of contacts in the message. */
const NAMED = 3

/** Error for a step of `h` seconds that is too short. Names the flattest active contact, or the first few if none is flat. */
export function unresolved(context: RunContext, h: number): StopError {
  const { world, equations: { snapshot }, time, state } = context
  // The last attempted step may have left the snapshot at any state.
  snapshot.update(state)
  const idOf = (body: number): string => world.bodies[body]!.id
  const holding = holdingByCurvature(context)
  const [flattest] = holding
  const flat = isFlat(context, flattest)
  const named = flat ? [flattest] : holding.slice(0, NAMED)
  const contacts = named.map(({ point, curvature: k }) => {
    const { features: { featureA, featureB } } = point
    const bend = k === Infinity ? '' : `, curvature ${k} 1/m`
    return `"${idOf(point.bodyA)}" on "${idOf(point.bodyB)}" (${featureA.kind} ${featureA.index} on ${featureB.kind} ${featureB.index}${bend})`
  })
  const at = contacts.length === 0 ? 'nothing touches' : `contact of ${contacts.join(', ')}`
  const why = flat ? ': on a flat spot the smallest rotation moves the contact point without bound' : ''
  return new StopError(
    'StepSizeUnderflow', `at ${shortNumber(time, 6)} s the step became ${shortNumber(h)} s, and the motion cannot be resolved to the tolerance: ${at}${why}`, time,
    [...new Set(named.flatMap(({ point }) => [idOf(point.bodyA), idOf(point.bodyB)]))])
}

/** Moves bodies of trees onto their joints: after a start, or after a method that uses joint equations only. */

import { worldInertia } from '../dynamics/body'
import { BODY_STATE } from '../dynamics/state'
import { transform } from '../math/matrix'
import { sub } from '../math/vector'
import type { EquationsOfMotion } from './equations'
import { addVelocity } from './impact'

/**
 * Projects bodies of trees onto their joints, to rounding, in place: positions by their coordinates, velocities by the smallest correction in the
 * mass metric, which is P M times the incompatible part.
 *
 * @param takesPart by body, and so for its whole tree: others are unchanged
 */
export function settleTrees(
  { snapshot, coordinates, layout, world: { bodies } }: EquationsOfMotion, state: Float64Array, takesPart: (body: number) => boolean = () => true,
): void {
  const { trees } = snapshot
  if (trees === null || coordinates === null) return
  const kept = trees.forest.nodes.filter(({ body }) => !takesPart(body)).map(({ body }) => {
    const at = layout.offsets[body]!
    return { at, values: state.slice(at, at + BODY_STATE) }
  })
  if (kept.length === trees.forest.nodes.length) return
  const reduced = new Float64Array(coordinates.length)
  const settled = new Float64Array(state.length)
  snapshot.update(state)
  const before = snapshot.motions.slice()
  coordinates.reduce(state, reduced)
  coordinates.expand(reduced, settled)
  snapshot.update(settled)
  const momentum = new Float64Array(6 * bodies.length)
  for (const { body } of trees.forest.nodes) {
    const now = snapshot.motions[body]!
    const lost = sub(before[body]!.velocity, now.velocity)
    const spin = transform(worldInertia(bodies[body]!, now.rotation), sub(before[body]!.angularVelocity, now.angularVelocity))
    for (let k = 0; k < 3; k++) {
      momentum[6 * body + k] = bodies[body]!.mass * lost[k]!
      momentum[6 * body + 3 + k] = spin[k]!
    }
  }
  const change = trees.respondAll(momentum)
  trees.forest.nodes.forEach(({ body, link }, n) => { if (link === null) addVelocity(snapshot, body, change, 6 * n, settled) })
  coordinates.keep(settled, reduced)
  trees.rates.forEach((rate, k) => { reduced[coordinates.velocities + k] = reduced[coordinates.velocities + k]! + rate })
  coordinates.expand(reduced, state)
  for (const { at, values } of kept) state.set(values, at)
}

/** The state that a run hands over, at a checkpoint, to a world with additional bodies and joints after the existing ones. */

import { EquationsOfMotion } from '../contact/equations'
import { WORKS } from '../contact/works'
import type { World } from '../contact/world'
import { initialState, stateLayout } from '../dynamics/state-layout'
import type { MethodState, Plain } from './method-state'
import { takeOver } from './take-over'

/**
 * New bodies and joints are not present yet: they appear at their times. The potential energy of new bodies counts as spawned energy.
 *
 * @param own state of the method, including the new bodies and joints
 */
export function handedOver(before: World, after: World, given: MethodState, own: Plain): MethodState {
  const [former, layout] = [stateLayout(before.bodies, WORKS.length), stateLayout(after.bodies, WORKS.length)]
  const state = initialState(layout)
  state.set(given.state.subarray(0, former.bodyLength))
  state.set(given.state.subarray(former.bodyLength), layout.bodyLength)
  const newJoints = after.joints.slice(before.joints.length)
  const next: MethodState = {
    ...given, state, own, exists: after.bodies.map((_, body) => given.exists[body] ?? false),
    jointPositions: [...given.jointPositions, ...newJoints.map(({ constraint }) => new Float64Array(constraint.coordinates))],
    broken: [...given.broken, ...newJoints.map((_, k) => before.joints.length + k)],
  }
  return { ...next, spawnedEnergy: given.spawnedEnergy + potentialOf(after, next) - potentialOf(before, given) }
}

function potentialOf(world: World, state: MethodState): number {
  const equations = new EquationsOfMotion(world, undefined, undefined, world.forest)
  takeOver(equations, state)
  return equations.potential()
}

/** One time step of a few bodies, for tests: their motions and the state at its end. */

import { Snapshot } from '../../../../../core/contact/snapshot'
import type { RigidBody } from '../../../../../core/dynamics/body'
import { initialState, stateLayout } from '../../../../../core/dynamics/state-layout'
import { BodyMotions } from '../../../../../core/methods/time-stepping/body-motions'

/** @param moving how many of the bodies, from the first, the step moves */
export function oneStep(bodies: readonly RigidBody[], moving: number, h: number) {
  const layout = stateLayout(bodies)
  const state = initialState(layout)
  const snapshot = new Snapshot(layout)
  snapshot.update(state)
  const motions = new BodyMotions(snapshot)
  motions.begin()
  const end = state.slice()
  const drift = (): void => {
    for (let i = 0; i < moving; i++) {
      motions.accelerate(i)
      motions.drift(i, h, state, end)
    }
  }
  return { motions, end, drift }
}

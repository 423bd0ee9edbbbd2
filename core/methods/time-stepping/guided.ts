/**
 * Kinematic bodies on paths. Within a step they move with the constant velocity that reaches the path's position at its end, so that contacts use the
 * actual motion; at the end they get the path's pose and velocity.
 */

import { OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_ORIENTATION, OFFSET_VELOCITY } from '../../dynamics/state'
import { conjugate, multiplyQuaternions, type Quat } from '../../math/quaternion'
import { rotationVector } from '../../math/rotation'
import type { StepContext } from './context'

/** Sets their velocities for a step of h seconds in the context's state. */
export function guide({ world: { bodies }, equations: { layout, snapshot }, state, time }: StepContext, h: number): void {
  for (const { index, path } of bodies) {
    if (path === null || !snapshot.exists[index]) continue
    const o = layout.offsets[index]!
    const { position, orientation } = path.at(time + h)
    const q = state.subarray(o + OFFSET_ORIENTATION, o + OFFSET_ORIENTATION + 4)
    const turn = rotationVector(multiplyQuaternions(orientation, conjugate([q[0]!, q[1]!, q[2]!, q[3]!] satisfies Quat)))
    for (let k = 0; k < 3; k++) {
      state[o + OFFSET_VELOCITY + k] = (position[k]! - state[o + OFFSET_CENTER + k]!) / h
      state[o + OFFSET_MOMENTUM + k] = turn[k]! / h
    }
  }
}

/** The state with the path velocities instead of those of the step; unchanged if no body is on a path. */
export function withPathVelocities({ world: { bodies }, equations: { layout, snapshot }, state, time }: StepContext): Float64Array {
  let found = state
  for (const { index, path } of bodies) {
    if (path === null || !snapshot.exists[index]) continue
    if (found === state) found = state.slice()
    const o = layout.offsets[index]!
    const { velocity, angularVelocity } = path.at(time)
    found.set(velocity, o + OFFSET_VELOCITY)
    found.set(angularVelocity, o + OFFSET_MOMENTUM)
  }
  return found
}

/** Their poses and velocities at the end of a step, at `time`, s. */
export function arrive({ world: { bodies }, equations: { layout, snapshot } }: StepContext, time: number, end: Float64Array): void {
  for (const { index, path } of bodies) {
    if (path === null || !snapshot.exists[index]) continue
    const o = layout.offsets[index]!
    const { position, orientation, velocity, angularVelocity } = path.at(time)
    end.set(position, o + OFFSET_CENTER)
    end.set(orientation, o + OFFSET_ORIENTATION)
    end.set(velocity, o + OFFSET_VELOCITY)
    end.set(angularVelocity, o + OFFSET_MOMENTUM)
  }
}

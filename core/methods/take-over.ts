/** A method's beginning at a state that another has handed over. */

import type { EquationsOfMotion } from '../contact/equations'
import type { MethodState } from './method-state'

/** Who exists, how often joints have turned, and which have parted or are not there; positions and velocities are in the state vector. */
export function takeOver(equations: EquationsOfMotion, { state, exists, jointPositions, broken }: MethodState): void {
  exists.forEach((there, body) => { equations.snapshot.exists[body] = there })
  jointPositions.forEach((positions, joint) => equations.jointPositions[joint]!.set(positions))
  equations.world.joints.forEach((element, joint) => { element.broken = broken.includes(joint) })
  equations.snapshot.update(state)
}

/** What every method hands over alike. */
export function commonState(
  context: {
    readonly time: number, readonly state: Float64Array, readonly equations: EquationsOfMotion, readonly impactWork: number,
    readonly kinematicImpactWork: number, readonly spawnedEnergy: number, readonly counts: MethodState['counts'], readonly warnings: readonly string[],
  },
  frame: number, time: number, particles?: Float64Array,
): Omit<MethodState, 'own'> {
  const { state, equations: { snapshot, jointPositions, world }, impactWork, kinematicImpactWork, spawnedEnergy, counts, warnings } = context
  return {
    time, frame, state: state.slice(), exists: [...snapshot.exists], jointPositions: jointPositions.map(positions => positions.slice()), impactWork,
    broken: world.joints.flatMap(({ broken }, joint) => broken ? [joint] : []),
    particles: particles ?? new Float64Array(0), kinematicImpactWork, spawnedEnergy, counts: { ...counts }, warnings: [...warnings],
  }
}

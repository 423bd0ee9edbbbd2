/** Starts a method from a state that another method has handed over. */

import type { EquationsOfMotion } from '../contact/equations'
import type { MethodState } from './method-state'

/** Restores existence of bodies, turns of joints, and broken or absent joints; positions and velocities are in the state vector. */
export function takeOver(equations: EquationsOfMotion, { state, exists, jointPositions, broken }: MethodState): void {
  exists.forEach((there, body) => { equations.snapshot.exists[body] = there })
  jointPositions.forEach((positions, joint) => equations.jointPositions[joint]!.set(positions))
  equations.world.joints.forEach((element, joint) => { element.broken = broken.includes(joint) })
  equations.snapshot.update(state)
}

/** The part of the state that all methods have in common. */
export function commonState(
  context: {
    readonly time: number, readonly state: Float64Array, readonly equations: EquationsOfMotion, readonly impactWork: number,
    readonly kinematicImpactWork: number, readonly spawnedEnergy: number, readonly numericalWork: number, readonly counts: MethodState['counts'], readonly warnings: readonly string[],
  },
  frame: number, time: number, particles?: Float64Array,
): Omit<MethodState, 'own'> {
  const { state, equations: { snapshot, jointPositions, world }, impactWork, kinematicImpactWork, spawnedEnergy, numericalWork, counts, warnings } = context
  return {
    time, frame, state: state.slice(), exists: [...snapshot.exists], jointPositions: jointPositions.map(positions => positions.slice()), impactWork,
    broken: world.joints.flatMap(({ broken }, joint) => broken ? [joint] : []),
    particles: particles ?? new Float64Array(0), kinematicImpactWork, spawnedEnergy, numericalWork, counts: { ...counts }, warnings: [...warnings],
  }
}

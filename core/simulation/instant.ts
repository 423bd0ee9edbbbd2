/** A run that starts at a recorded instant: bodies as in a frame, everything else as at the start of a run. */

import { BODY_STRIDE } from '../trajectory/frame'
import { WORKS } from '../contact/works'
import type { World } from '../contact/world'
import { initialState, stateLayout, writeMotion } from '../dynamics/state-layout'
import { motionAt } from '../dynamics/body'
import type { Vec3 } from '../math/vector'
import { noCounts } from '../methods/method'
import type { MethodState } from '../methods/method-state'

export interface RecordedInstant {
  /** s */
  readonly time: number
  /** By id: `BODY_STRIDE` doubles as in `Frame.bodies`; NaN if it did not exist. */
  readonly bodies: ReadonlyMap<string, Float64Array>
  /** By id of the deformable: recorded positions and velocities, 3 + 3 per particle. */
  readonly particles: ReadonlyMap<string, Float64Array>
  /** By id: m or rad, position near which the angle of a joint is unwrapped. */
  readonly joints: ReadonlyMap<string, number>
  /** Ids of the broken joints. */
  readonly broken: readonly string[]
  /** State of controllers, as `ControlFrame.held`; absent if there were none. */
  readonly controls?: string
}

/** Tolerated deviation of a time from a frame of the run's output rate, in frames: the rounding of one. */
const OFF_GRID = 1e-6

/**
 * The initial state. Bodies missing from the recording start as in the scene.
 *
 * @throws RangeError if no frame of this output rate is at the time, or the run ends before it
 */
export function instantState(world: World, { time, bodies, joints, particles, broken }: RecordedInstant, duration: number, outputRate: number): MethodState {
  const frame = Math.round(time * outputRate)
  if (Math.abs(time * outputRate - frame) > OFF_GRID) throw new RangeError(`there is no frame at ${time} s with ${outputRate} frames a second`)
  const at = frame / outputRate
  if (!(at < duration)) throw new RangeError(`the run ends at ${duration} s, before its start at ${at} s`)
  const layout = stateLayout(world.bodies, WORKS.length)
  const state = initialState(layout)
  const exists = world.bodies.map(({ spawnTime, removeTime }) => spawnTime <= at && at < removeTime)
  world.bodies.forEach((body, i) => {
    const recorded = bodies.get(body.id)
    if (recorded === undefined || recorded.length !== BODY_STRIDE || Number.isNaN(recorded[0]!) || !exists[i]) return
    const three = (k: number): Vec3 => [recorded[k]!, recorded[k + 1]!, recorded[k + 2]!]
    writeMotion(layout, i, motionAt(body.centerOfMass, three(0), [recorded[3]!, recorded[4]!, recorded[5]!, recorded[6]!], three(7), three(10)), state)
  })
  const jointPositions = world.joints.map(({ constraint }) => {
    const positions = new Float64Array(constraint.coordinates)
    const recorded = joints.get(constraint.id)
    if (positions.length > 0 && recorded !== undefined && !Number.isNaN(recorded)) positions[0] = recorded
    return positions
  })
  return {
    time: at, frame, state, particles: particlesOf(world, particles), exists, jointPositions,
    broken: world.joints.flatMap(({ constraint: { id }, spawnTime, removeTime }, joint) =>
      broken.includes(id) || at < spawnTime || at >= removeTime ? [joint] : []),
    impactWork: 0, kinematicImpactWork: 0, spawnedEnergy: 0, numericalWork: 0,
    counts: noCounts(), warnings: [], own: null,
  }
}

/**
 * All positions, then all velocities. Deformables that are missing from the recording, or have another number of particles there, start as in the
 * scene.
 */
function particlesOf({ deformables }: World, recorded: RecordedInstant['particles']): Float64Array {
  if (deformables === null) return new Float64Array(0)
  const { list, position, velocity } = deformables
  const out = new Float64Array(2 * position.length)
  out.set(position)
  out.set(velocity, position.length)
  for (const { id, first, count } of list) {
    const found = recorded.get(id)
    if (found?.length !== 6 * count) continue
    out.set(found.subarray(0, 3 * count), 3 * first)
    out.set(found.subarray(3 * count), position.length + 3 * first)
  }
  return out
}

/** A recorded frame as the initial state of another run. */
import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { RecordedInstant } from '../../core/simulation'
import type { TrajectoryReader } from './reader'

/** All recorded data of frame `number` that a run can start with. */
export function instantOf(reader: TrajectoryReader, number: number): RecordedInstant {
  const { header } = reader
  const frame = reader.frame(number)
  const { position, broken } = reader.joints(number)
  const controls = reader.held(number)
  return {
    time: frame.time, bodies: new Map(header.bodyIds.map((id, k) => [id, frame.bodies.slice(BODY_STRIDE * k, BODY_STRIDE * (k + 1))])),
    particles: particlesOf(reader, number),
    joints: new Map(header.jointIds.map((id, k) => [id, position[k]!])),
    broken: [...broken].map(joint => header.jointIds[joint]!),
    ...(controls === undefined ? {} : { controls }),
  }
}

/** Positions and velocities of each deformable in a frame. */
function particlesOf(reader: TrajectoryReader, number: number): Map<string, Float64Array> {
  const { deformableIds, deformableParticles } = reader.header
  if (deformableIds.length === 0) return new Map()
  const { position, velocity } = reader.deformables(number)
  let first = 0
  return new Map(deformableIds.map((id, k) => {
    const [from, to] = [3 * first, 3 * (first += deformableParticles[k]!)]
    const state = new Float64Array(2 * (to - from))
    state.set(position.subarray(from, to))
    state.set(velocity.subarray(from, to), to - from)
    return [id, state]
  }))
}

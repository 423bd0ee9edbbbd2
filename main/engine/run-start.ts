/** Initial states of runs that start from another run's file. */
import { decodeCheckpointFrame } from '../../core/trajectory/codec'
import type { RecordedInstant } from '../../core/simulation'
import { HostError } from '../protocol/host'
import type { RunStart } from '../run/job'
import type { TrajectoryReader } from './reader'
import { instantOf } from './recorded-instant'

/** How far a frame may be after the requested time, in frames: rounding. */
const OFF_FRAME = 1e-6

/** The frame at a time, s, or the one before. @throws HostError if there is none */
export function instantAt(reader: TrajectoryReader, time: number): RecordedInstant {
  const number = reader.lastAt('frames', time + OFF_FRAME / reader.header.outputRate)
  if (number < 0) throw new HostError('NoFrame', `The run has no frame at ${time} s or before.`)
  return instantOf(reader, number)
}

/** The end of a live session that was handed over. @throws HostError if it did not end at a checkpoint */
export function endOf(reader: TrajectoryReader, path: string): RunStart {
  const last = reader.count('checkpoints') - 1
  const checkpoint = last < 0 ? null : decodeCheckpointFrame(reader.message('checkpoints', last))
  if (checkpoint?.index !== reader.frames - 1) throw new HostError('NoCheckpoint', 'The session has not ended at a checkpoint.')
  return { kind: 'further', of: path, state: checkpoint.state }
}

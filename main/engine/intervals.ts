/** Force intervals of one frame of a run, computed on demand from its file. */
import { parseScene } from '../../core/scene'
import { frameIntervals } from '../../core/simulation'
import type { ContactIntervals } from '../protocol/runs'
import { TrajectoryFileError, type TrajectoryReader } from './reader'

export function intervalsAt(reader: TrajectoryReader, frame: number): ContactIntervals {
  const parsed = parseScene(reader.scene)
  if (!parsed.ok) throw new TrajectoryFileError('The scene inside the file is not valid.')
  const contacts = reader.contacts(frame)
  const { intervals, reasons } = frameIntervals(parsed.resolved, {
    frame: reader.frame(frame), contacts, joints: reader.joints(frame), forces: reader.forces(frame),
  })
  const ends = new Float64Array(2 * contacts.count).fill(NaN)
  intervals.forEach((interval, k) => { if (interval !== null) ends.set(interval, 2 * k) })
  return { ends, reasons }
}

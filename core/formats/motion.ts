/** The data of a run for a motion exporter. */

import type { Pose } from '../math/pose'

export interface TrajectoryFrame {
  /** s */
  readonly time: number
  /** Pose of each body's frame in the world, in document order; null before the body exists. */
  readonly poses: readonly (Pose | null)[]
  /** Positions of the particles of all deformables, in document order, m: 3 a particle. Absent if the run has not recorded them. */
  readonly particles?: Float64Array
}

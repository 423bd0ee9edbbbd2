/** What a motion exporter gets of a run. */

import type { Pose } from '../math/pose'

export interface TrajectoryFrame {
  /** s */
  readonly time: number
  /** Of each body's frame in the world, in the order of the document; null before the body exists. */
  readonly poses: readonly (Pose | null)[]
  /** Of the particles of all deformables, in the order of the document, m: 3 a particle. Absent where the run has not recorded them. */
  readonly particles?: Float64Array
}

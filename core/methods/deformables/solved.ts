/** Results for deformables at the end of a step. */

import type { ParticleBlock } from '../../dynamics/blocks'
import type { LossSums } from './losses'

export interface SolvedDeformables {
  readonly particles: ParticleBlock
  /** By spring, segment and triangle, in the order of the deformables: change of length ÷ length; for a triangle the larger of warp and weft. */
  readonly strain: Float64Array
  /** N: for springs and segments; NaN for triangles, which have no single tension. */
  readonly tension: Float64Array
  /** N on particles by their supports, 3 each: for each deformable in the order of `holdsOf` [core/analysis/deformable-state.ts]. */
  readonly reactions: Float64Array
  /** J, 3 per deformable: kinetic, stretching and shearing, bending. */
  readonly energy: Float64Array
  /** J: potential of weight and other conservative forces on particles. */
  readonly potential: number
  /** J since t = 0: see `LossSums`; and the work on bodies. */
  readonly works: LossSums & { readonly bodies: number }
  /** Of the last step: implicit steps, Newton iterations, iterations of linear solvers, residual of the equation of motion ÷ the largest force. */
  readonly steps: number
  readonly iterations: number
  readonly linearIterations: number
  readonly residual: number
}

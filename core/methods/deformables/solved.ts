/** What is solved for deformables at the end of a step. */

import type { ParticleBlock } from '../../dynamics/blocks'
import type { LossSums } from './losses'

export interface SolvedDeformables {
  readonly particles: ParticleBlock
  /** By spring, segment and triangle, in the order of the deformables: change of length ÷ length; of a triangle the larger of warp and weft. */
  readonly strain: Float64Array
  /** N: of springs and segments; NaN of triangles, which have no one tension. */
  readonly tension: Float64Array
  /** N on particles by what holds them, 3 a pin or attachment: of each deformable first its pins, then its attachments. */
  readonly reactions: Float64Array
  /** J, 3 a deformable: kinetic, of stretching and shearing, of bending. */
  readonly energy: Float64Array
  /** J: of weight and other forces on particles that have a potential. */
  readonly potential: number
  /** J since t = 0: as in `LossSums`; done on bodies. */
  readonly works: LossSums & { readonly bodies: number }
  /** Of the last step: implicit steps that it took, Newton iterations, iterations of linear solvers, residual of the equation of motion ÷ the largest force. */
  readonly steps: number
  readonly iterations: number
  readonly linearIterations: number
  readonly residual: number
}

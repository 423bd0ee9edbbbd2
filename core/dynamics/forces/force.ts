/** Interface of every external force: adds wrenches to bodies, with their account in the energy balance. */

import type { BodyMotion } from '../../geometry/motion'
import type { Vec3 } from '../../math/vector'

/** In which entry of the energy audit a force's work belongs; `potential` for those that have one. */
export type WorkAccount = 'potential' | 'friction' | 'drag' | 'scripts'

/** Collects wrenches of one evaluation. Implementations add to flat arrays; forces never see them. */
export interface WrenchSink {
  /** N at a world point, on body `index`. */
  force(index: number, force: Vec3, point: Vec3, account: WorkAccount): void
  /** N m, world frame. */
  torque(index: number, torque: Vec3, account: WorkAccount): void
}

export interface ForceElement {
  readonly id: string
  readonly type: string
  /** Indices of the bodies it may act on. */
  readonly bodies: readonly number[]
  /**
   * Times at which it jumps or has a kink, sorted, s: integration restarts exactly there. At a jump the value is the one from then on; a step
   * that ends there has to ask for the instant before.
   */
  readonly breakpoints: readonly number[]
  /** Potential energy at these motions, J; 0 for forces without one. */
  potential(motions: readonly BodyMotion[]): number
  /** Adds its wrenches at `time`. `motions[i]` is body i's; bodies that do not exist yet (`exists[i]` false) neither act nor are acted upon. */
  apply(time: number, motions: readonly BodyMotion[], exists: readonly boolean[], sink: WrenchSink): void
}

/** Interface of every external force: adds wrenches to bodies, with their account in the energy balance. */

import type { BodyMotion } from '../../geometry/motion'
import type { Vec3 } from '../../math/vector'

/** Entry of the energy balance in which a force's work is counted; `potential` for conservative forces. */
export type WorkAccount = 'potential' | 'friction' | 'drag' | 'scripts'

/** Collects the wrenches of one evaluation. Implementations add to flat arrays, which forces do not see. */
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
   * Times at which it jumps or has a kink, sorted, s: integration restarts exactly there. At a jump the value is the one after it; a step that ends
   * there has to evaluate the force at the instant before.
   */
  readonly breakpoints: readonly number[]
  /** Potential energy at these motions, J; 0 for forces without one, and for forces between bodies of which one does not exist. */
  potential(motions: readonly BodyMotion[], exists: readonly boolean[]): number
  /** Adds its wrenches at `time`. `motions[i]` is that of body i; bodies that do not exist yet (`exists[i]` false) exert no force and get none. */
  apply(time: number, motions: readonly BodyMotion[], exists: readonly boolean[], sink: WrenchSink): void
}

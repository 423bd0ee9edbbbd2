/** Load of a deformable on bodies, as a force of the world: constant over the step for which the implicit stage computed it. */

import type { ForceElement } from './force'

export interface DeformableReaction extends ForceElement {
  readonly type: 'deformable'
  /** Wrenches about the centres of mass, N and N m, 6 a body. */
  readonly wrenches: Float64Array
}

/** @param bodies number of bodies of the world; `on` indices of those that it may act on */
export function deformableReaction(id: string, bodies: number, on: readonly number[]): DeformableReaction {
  const wrenches = new Float64Array(6 * bodies)
  return {
    id, type: 'deformable', bodies: on, breakpoints: [], wrenches,
    potential: () => 0,
    apply(_time, motions, exists, sink) {
      for (const body of on) {
        if (!exists[body]) continue
        const at = 6 * body
        const [fx, fy, fz, tx, ty, tz] = [wrenches[at]!, wrenches[at + 1]!, wrenches[at + 2]!, wrenches[at + 3]!, wrenches[at + 4]!, wrenches[at + 5]!]
        if (fx !== 0 || fy !== 0 || fz !== 0) sink.force(body, [fx, fy, fz], motions[body]!.center, 'potential')
        if (tx !== 0 || ty !== 0 || tz !== 0) sink.torque(body, [tx, ty, tz], 'potential')
      }
    },
  }
}

/** Contacts of a surface with zero relative curvature: the smallest rotation moves the contact point without bound [Baraff92 §6.7]. */

import type { TouchingPoint } from '../../contact/constraints'
import type { RunContext } from './context'
import { FLAT } from './tolerances'

export interface HoldingContact {
  readonly point: TouchingPoint
  /** Smallest curvature of one surface relative to the other, 1/m; Infinity for a feature without curvature. */
  readonly curvature: number
}

/** Contacts that hold at the snapshot, in order of increasing curvature. */
export function holdingByCurvature({ points, equations: { snapshot: { motions } } }: RunContext): HoldingContact[] {
  return points.filter(point => point.normal === 'holding').map(point => ({
    point, curvature: point.features.curvature?.(motions[point.bodyA]!.pose, motions[point.bodyB]!.pose) ?? Infinity,
  })).sort((p, q) => p.curvature - q.curvature)
}

/** Whether a contact lies on a flat spot. */
export function isFlat({ world }: RunContext, contact: HoldingContact | undefined): contact is HoldingContact {
  return contact !== undefined && contact.curvature * world.scales.size < FLAT
}

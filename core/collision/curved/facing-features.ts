/** Two features of convex solids, a direction out of the second towards the first, and their points with that outward normal. */

import { FlatFeature } from './flat-feature'

export class FacingFeatures {
  /** Unit direction. */
  nx = 0
  ny = 0
  nz = 0
  /**
   * Lower bound of the loss of separation by a turn away from n̂, m: the least curvature of the difference there, or the distance of the points inside the
   * ends of straight features. If the overlap is much smaller, no direction near n̂ separates better.
   */
  firmness = 0
  readonly one = new FlatFeature()
  readonly two = new FlatFeature()
}

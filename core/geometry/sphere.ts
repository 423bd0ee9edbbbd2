import { addMatrices, diagonal, IDENTITY, outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { normalize, scale, type Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties } from './shape'
import type { SmoothPrimitive } from './smooth'

/** A ball around the frame's origin. */
export class Sphere implements SmoothPrimitive {
  readonly kind = 'sphere'
  readonly bounds: Bounds
  readonly coreRadius = 0
  readonly massProperties: MassProperties

  /** m */
  constructor(readonly radius: number) {
    requirePositive('sphere', 'radius', radius)
    this.bounds = { min: [-radius, -radius, -radius], max: [radius, radius, radius] }
    const volume = 4 / 3 * Math.PI * radius * radius * radius
    const moment = 0.4 * volume * radius * radius
    this.massProperties = { volume, centroid: [0, 0, 0], inertia: diagonal(moment, moment, moment) }
  }

  support(direction: Vec3): Vec3 {
    return scale(normalize(direction), this.radius)
  }

  supportHessian(direction: Vec3): Mat3 {
    return scaleMatrix(addMatrices(IDENTITY, scaleMatrix(outer(direction, direction), -1)), this.radius)
  }
}

/**
 * Ellipsoids, and spheres as their special case: x²/a² + y²/b² + z²/c² = 1, h(m) = √(a²m_x² + b²m_y² + c²m_z²).
 */

import { addMatrices, diagonal, outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { length, type Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties } from './shape'
import type { SmoothPrimitive } from './smooth'

export class Ellipsoid implements SmoothPrimitive {
  readonly kind = 'ellipsoid'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties

  /** Semi-axes along x, y, z, m. */
  constructor(readonly radii: Vec3) {
    radii.forEach((r, axis) => requirePositive('ellipsoid', `radius ${'xyz'[axis]}`, r))
    const [a, b, c] = radii
    this.bounds = { min: [-a, -b, -c], max: [a, b, c] }
    this.radius = Math.max(a, b, c)
    // A ball of the smallest radius of curvature fits inside at every point of the surface.
    const least = Math.min(a, b, c)
    this.coreRadius = this.radius - least * least / this.radius
    const volume = 4 / 3 * Math.PI * a * b * c
    const moment = (p: number, q: number): number => volume * (p * p + q * q) / 5
    this.massProperties = { volume, centroid: [0, 0, 0], inertia: diagonal(moment(b, c), moment(c, a), moment(a, b)) }
  }

  support(m: Vec3): Vec3 {
    const [a, b, c] = this.radii
    const h = length([a * m[0], b * m[1], c * m[2]])
    return [a * (a * m[0] / h), b * (b * m[1] / h), c * (c * m[2] / h)]
  }

  supportHessian(m: Vec3): Mat3 {
    const [a, b, c] = this.radii
    const h = length([a * m[0], b * m[1], c * m[2]])
    const p = this.support(m)
    return scaleMatrix(addMatrices(diagonal(a * a, b * b, c * c), scaleMatrix(outer(p, p), -1)), 1 / h)
  }
}

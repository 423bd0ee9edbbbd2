/**
 * Ellipsoids, and spheres as their special case: F = x²/a² + y²/b² + z²/c² − 1, S = (a cos u cos v, −b cos u sin v, c sin u),
 * h(m) = √(a²m_x² + b²m_y² + c²m_z²).
 */

import { atan2, cos, hypot, sin } from '../math/elementary'
import { addMatrices, diagonal, outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { length, type Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties } from './shape'
import type { SmoothPrimitive } from './smooth'
import type { ImplicitSurface, ParametricSurface } from './surface'

export class Ellipsoid implements SmoothPrimitive {
  readonly kind = 'ellipsoid'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties
  readonly implicit: ImplicitSurface
  readonly parametric: ParametricSurface

  /** Semi-axes along x, y, z, m. */
  constructor(readonly radii: Vec3) {
    radii.forEach((r, axis) => requirePositive('ellipsoid', `radius ${'xyz'[axis]}`, r))
    const [a, b, c] = radii
    this.bounds = { min: [-a, -b, -c], max: [a, b, c] }
    this.radius = Math.max(a, b, c)
    // A ball of the smallest radius of curvature rolls inside all the way round.
    const least = Math.min(a, b, c)
    this.coreRadius = this.radius - least * least / this.radius
    const volume = 4 / 3 * Math.PI * a * b * c
    const moment = (p: number, q: number): number => volume * (p * p + q * q) / 5
    this.massProperties = { volume, centroid: [0, 0, 0], inertia: diagonal(moment(b, c), moment(c, a), moment(a, b)) }
    this.implicit = ellipsoidImplicit(radii)
    this.parametric = ellipsoidParametric(radii)
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

export function ellipsoidImplicit([a, b, c]: Vec3): ImplicitSurface {
  const hessian = diagonal(2 / (a * a), 2 / (b * b), 2 / (c * c))
  return {
    value: ([x, y, z]) => (x / a) * (x / a) + (y / b) * (y / b) + (z / c) * (z / c) - 1,
    gradient: ([x, y, z]) => [2 * x / (a * a), 2 * y / (b * b), 2 * z / (c * c)],
    hessian: () => hessian,
  }
}

export function ellipsoidParametric([a, b, c]: Vec3): ParametricSurface {
  return {
    // u from the south pole to the north, v around; u before v turns the normal inwards, so v runs clockwise.
    domain: { u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI] },
    at: (u, v) => {
      const [cu, su, cv, sv] = [cos(u), sin(u), cos(v), -sin(v)]
      return {
        point: [a * cu * cv, b * cu * sv, c * su],
        u: [-a * su * cv, -b * su * sv, c * cu],
        v: [a * cu * sv, -b * cu * cv, 0],
        uu: [-a * cu * cv, -b * cu * sv, -c * su],
        uv: [-a * su * sv, b * su * cv, 0],
        vv: [-a * cu * cv, -b * cu * sv, 0],
      }
    },
    parameters: ([x, y, z]) => [atan2(z / c, hypot(x / a, y / b)), atan2(-y / b, x / a)],
  }
}

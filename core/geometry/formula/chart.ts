/** Common part of both representations of a surface: points found by their normal. */

import { hypot } from '../../math/elementary'
import { addMatrices, outer, scaleMatrix, type Mat3 } from '../../math/matrix'
import { cross, dot, perpendicular, type Vec3 } from '../../math/vector'
import type { MassProperties } from '../shape'

/** A point of a surface in its chart's coordinates: the point itself, or its parameters (u, v, 0). */
export type Place = readonly [number, number, number]

export interface Found {
  readonly place: Place
  readonly point: Vec3
  /** Residual of the conditions: angle between the normal and the requested one, rad, and the distance from the surface, × size. */
  readonly residual: number
  /** ∇²h at the requested direction, m; null if the surface is not strictly convex there. */
  readonly hessian: Mat3 | null
}

/** Conditions of an extremal point [Baraff92 §5.2, eq. 5-2; app. A, eq. A-4], for one surface and a given direction. */
export interface Chart {
  readonly massProperties: MassProperties
  /** Sample points over the whole surface. @throws ShapeError if the formulas give no closed surface */
  readonly samples: readonly Place[]
  pointAt(place: Place): Vec3
  /** Unit, outwards. */
  normalAt(place: Place): Vec3
  /** The point with outward unit normal m, by Newton's method from a nearby point. */
  extremal(m: Vec3, near: Place): Found
}

/** Limits: steps of Newton's method, and halvings of a step that increases the residual. */
export const NEWTON_STEPS = 40
export const HALVINGS = 8
/** Residuals below which steps are no longer halved, and below which the search ends. */
export const NEAR = 1e-8
export const ROUNDING = 2 * Number.EPSILON

/** Two unit vectors that form a right-handed frame with the unit vector m. */
export function tangentsOf(m: Vec3): readonly [Vec3, Vec3] {
  const a = perpendicular(m)
  return [a, cross(m, a)]
}

/** Below this × its squared trace, the determinant of a symmetric 2 × 2 matrix does not prove that it is positive definite. */
const MIN_DETERMINANT = 1e-12

/** The inverse of [[xx, xy], [xy, yy]] in the plane of a and b; null if it is not positive definite. */
export function inverseInPlane(xx: number, xy: number, yy: number, a: Vec3, b: Vec3): Mat3 | null {
  const determinant = xx * yy - xy * xy
  const trace = xx + yy
  if (!(trace > 0) || !(determinant > MIN_DETERMINANT * trace * trace)) return null
  return addMatrices(
    addMatrices(scaleMatrix(outer(a, a), yy / determinant), scaleMatrix(outer(b, b), xx / determinant)),
    scaleMatrix(addMatrices(outer(a, b), outer(b, a)), -xy / determinant))
}

/** Deviation of a gradient from m: the sine of the angle, and 1 or more if it points back. */
export function turnedFrom(m: Vec3, gradient: Vec3): number {
  const along = dot(gradient, m)
  const [a, b] = tangentsOf(m)
  const across = hypot(dot(gradient, a), dot(gradient, b))
  return along > 0 ? across / hypot(along, across) : 1 + Math.abs(along)
}

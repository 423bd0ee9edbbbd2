import type { Mat3 } from '../math/matrix'
import type { Vec3 } from '../math/vector'
import type { Primitive } from './shape'

/**
 * A strictly convex solid with a smooth surface. Its support function h(m) = max m·x contains everything that contact needs: ∇h(m) is the point with outward
 * normal m. ∇²h(m), for unit m, is the derivative of that point by the normal: the inverse of the curvature.
 */
export interface SmoothPrimitive extends Primitive {
  readonly kind: 'sphere' | 'ellipsoid' | 'superquadric' | 'formula'
  /** ∇²h at a unit direction, m: symmetric, m itself in its null space; very large where the surface is flat. */
  supportHessian(direction: Vec3): Mat3
}

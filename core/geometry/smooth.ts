import type { Mat3 } from '../math/matrix'
import type { Vec3 } from '../math/vector'
import type { Primitive } from './shape'

/**
 * A strictly convex solid with a smooth surface. Its support function h(m) = max m·x holds everything that contact needs: ∇h(m) is the point where
 * the outward normal is m, and ∇²h(m) on unit m says how that point moves as the normal turns, the inverse of the curvature.
 */
export interface SmoothPrimitive extends Primitive {
  readonly kind: 'sphere' | 'ellipsoid' | 'superquadric' | 'formula'
  /** ∇²h at a unit direction, m: symmetric, m itself in its null space; very large where the surface is flat. */
  supportHessian(direction: Vec3): Mat3
}

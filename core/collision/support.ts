/** Convex bodies by their support functions, for the search of extremal points. */

import type { SmoothPrimitive } from '../geometry/smooth'
import { addMatrices, IDENTITY, multiply, outer, scaleMatrix, transform, transformTransposed, transpose, type Mat3 } from '../math/matrix'
import { composePoses, type Pose } from '../math/pose'
import { rotate, toMatrix } from '../math/quaternion'
import { add, addScaled, sub, type Vec3 } from '../math/vector'

/** One body at one instant, in axes parallel to the world's, relative to a common reference point. */
export interface Facing {
  /** The point with outward unit normal m. */
  support(m: Vec3): Vec3
  /** Derivative of that point by m: ∇²h(m). */
  hessian(m: Vec3): Mat3
}

/** A convex body at any pose. */
export interface SupportMap {
  at(body: Pose, reference: Vec3): Facing
}

/** A smooth solid in its body frame. */
export class SmoothSupport implements SupportMap {
  constructor(readonly shape: SmoothPrimitive, readonly pose: Pose) {}

  at(body: Pose, reference: Vec3): Facing {
    const placed = composePoses({ position: sub(body.position, reference), orientation: body.orientation }, this.pose)
    const rotation = toMatrix(placed.orientation)
    const back = transpose(rotation)
    const { shape } = this
    return {
      support: m => add(placed.position, transform(rotation, shape.support(transformTransposed(rotation, m)))),
      hessian: m => multiply(multiply(rotation, shape.supportHessian(transformTransposed(rotation, m))), back),
    }
  }
}

/** A ball around a point of a body: a vertex, a capsule's end, or any point of an edge with unused direction. */
export class PointSupport implements SupportMap {
  /** `radius`: of the ball, m. */
  constructor(private readonly point: Vec3, private readonly radius = 0) {}

  at(body: Pose, reference: Vec3): Facing {
    const here = add(sub(body.position, reference), rotate(body.orientation, this.point))
    const { radius } = this
    return {
      support: m => addScaled(here, m, radius),
      hessian: m => scaleMatrix(addMatrices(IDENTITY, scaleMatrix(outer(m, m), -1)), radius),
    }
  }
}

/** The reciprocal of the greatest eigenvalue of a Hessian of support functions, 1/m; of the three eigenvalues that of the normal is zero. */
export function leastCurvature(hessian: Mat3): number {
  const trace = hessian[0] + hessian[4] + hessian[8]
  // A flat spot is stored as the largest number; its square would overflow.
  const unit = hessian.map(value => value / trace)
  const product = Math.max(0, (1 - unit.reduce((sum, value) => sum + value * value, 0)) / 2)
  return trace > 0 ? 2 / (trace * (1 + Math.sqrt(Math.max(0, 1 - 4 * product)))) : Infinity
}

/** Rigid shapes as seen by particles: distance of a point, and outward normal. */

import { createCollider } from '../../collision/collider'
import type { HalfSpace } from '../../geometry/half-space'
import type { Primitive } from '../../geometry/shape'
import { Sphere } from '../../geometry/sphere'
import { IDENTITY_POSE, type Pose } from '../../math/pose'
import { IDENTITY_ROTATION } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { boxOf, distanceToBox } from './shape-box'

/** × the distance at which a point counts as far from the box: more than the rounding of support points. */
const FURTHER = 1 + 1e-6

export interface Surface {
  /**
   * Signed distance of the point (x, y, z) of its carrier's frame, m, negative inside; writes the outward unit normal of the nearest point to `normal`.
   * Exact up to `near`; beyond, a lower bound suffices, and the normal may be left out.
   */
  distance(x: number, y: number, z: number, near: number, normal: Float64Array): number
  /** Centre in the carrier's frame, if the shape is a sphere. */
  readonly ball?: Vec3
}

/**
 * A primitive as a surface in its body's frame. Half-spaces and spheres have closed formulas. Every other shape uses its collider with a sphere, so
 * that a particle has exactly the contacts of a small sphere.
 *
 * @param pose of the primitive in the body's frame
 * @param radius of the query spheres, m; distances are still those of their centres
 */
export function rigidSurface(primitive: Primitive, pose: Pose, radius: number): Surface {
  const [cx, cy, cz] = pose.position
  if (primitive.kind === 'halfSpace') {
    const { normal: [nx, ny, nz], offset } = (primitive as HalfSpace).placed(pose)
    return {
      distance(x, y, z, _near, normal) {
        normal[0] = nx
        normal[1] = ny
        normal[2] = nz
        return nx * x + ny * y + nz * z - offset
      },
    }
  }
  if (primitive.kind === 'sphere') {
    return {
      ball: pose.position,
      distance(x, y, z, _near, normal) {
        const dx = x - cx
        const dy = y - cy
        const dz = z - cz
        const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
        normal[0] = l > 0 ? dx / l : 0
        normal[1] = l > 0 ? dy / l : 0
        normal[2] = l > 0 ? dz / l : 1
        return l - primitive.radius
      },
    }
  }
  const box = boxOf(primitive, pose)
  const collider = createCollider({ primitive: new Sphere(radius), pose: IDENTITY_POSE }, { primitive, pose })!
  return {
    distance(x, y, z, near, normal) {
      // Outside its bounding sphere, the distance to that sphere is a lower bound.
      const dx = x - cx
      const dy = y - cy
      const dz = z - cz
      const bound = Math.sqrt(dx * dx + dy * dy + dz * dz) - primitive.radius
      if (bound > near) return bound
      // The box around it is nearer to a flat or long shape.
      const beyond = distanceToBox(box, 0, x, y, z)
      if (beyond > FURTHER * near) return beyond
      const { separation, normal: out } = collider.separating({ position: [x, y, z], orientation: IDENTITY_ROTATION }, IDENTITY_POSE)
      normal[0] = out[0]
      normal[1] = out[1]
      normal[2] = out[2]
      return separation + radius
    },
  }
}

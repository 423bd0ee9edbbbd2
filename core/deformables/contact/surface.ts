/** What a rigid shape is to particles: how far a point is from it, which way is out, and how its material moves. */

import { createCollider } from '../../collision/collider'
import type { HalfSpace } from '../../geometry/half-space'
import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Primitive } from '../../geometry/shape'
import { Sphere } from '../../geometry/sphere'
import { composePoses, IDENTITY_POSE, type Pose } from '../../math/pose'
import { IDENTITY_ROTATION } from '../../math/quaternion'

export interface Surface {
  /**
   * Signed distance of the point (x, y, z) of the world, m, negative inside; writes the outward unit normal of the nearest point to `normal`. Exact up to
   * `near`; beyond, a lower bound will do, and the normal may be left out.
   */
  distance(x: number, y: number, z: number, near: number, normal: Float64Array): number
  /** Writes the velocity of its material at a point, m/s. */
  velocity(x: number, y: number, z: number, out: Float64Array): void
  /** Coulomb coefficient with these particles. */
  readonly friction: number
}

/**
 * A primitive of a body as a surface. Half-spaces and spheres have their own formulas; every other shape answers by the collider that it has with a sphere,
 * so that a particle touches exactly what a small ball would touch.
 *
 * @param pose of the primitive in the body's frame
 * @param radius of the balls that ask, m: distances are those of centres all the same
 */
export function rigidSurface(primitive: Primitive, pose: Pose, motion: BodyMotion, friction: number, radius: number): Surface {
  const world = composePoses(motion.pose, pose)
  return { distance: distanceOf(primitive, world, radius), friction, velocity: velocityOf(motion) }
}

function velocityOf(motion: BodyMotion): Surface['velocity'] {
  return (x, y, z, out) => {
    const v = velocityAt(motion, [x, y, z])
    out[0] = v[0]
    out[1] = v[1]
    out[2] = v[2]
  }
}

function distanceOf(primitive: Primitive, world: Pose, radius: number): Surface['distance'] {
  const [cx, cy, cz] = world.position
  if (primitive.kind === 'halfSpace') {
    const { normal: [nx, ny, nz], offset } = (primitive as HalfSpace).placed(world)
    return (x, y, z, _near, normal) => {
      normal[0] = nx
      normal[1] = ny
      normal[2] = nz
      return nx * x + ny * y + nz * z - offset
    }
  }
  if (primitive.kind === 'sphere') {
    return (x, y, z, _near, normal) => {
      const [dx, dy, dz] = [x - cx, y - cy, z - cz]
      const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
      normal[0] = l > 0 ? dx / l : 0
      normal[1] = l > 0 ? dy / l : 0
      normal[2] = l > 0 ? dz / l : 1
      return l - primitive.radius
    }
  }
  const ball = new Sphere(radius)
  const collider = createCollider({ primitive: ball, pose: IDENTITY_POSE }, { primitive, pose: IDENTITY_POSE })!
  return (x, y, z, near, normal) => {
    // Beyond its bounding sphere nothing of it is nearer than that sphere.
    const [dx, dy, dz] = [x - cx, y - cy, z - cz]
    const bound = Math.sqrt(dx * dx + dy * dy + dz * dz) - primitive.radius
    if (bound > near) return bound
    const { separation, normal: out } = collider.separating({ position: [x, y, z], orientation: IDENTITY_ROTATION }, world)
    normal[0] = out[0]
    normal[1] = out[1]
    normal[2] = out[2]
    return separation + radius
  }
}

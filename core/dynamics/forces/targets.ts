import type { BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { add, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'

/** The dynamic ones of the listed bodies, or all dynamic bodies if none are listed: forces do not move the others. */
export function dynamicTargets(bodies: readonly RigidBody[], listed?: readonly number[]): readonly RigidBody[] {
  const chosen = listed === undefined ? bodies : listed.map(index => bodies[index]!)
  return chosen.filter(body => body.type === 'dynamic')
}

/** World position of a point given in the body frame. */
export function bodyPoint(motion: BodyMotion, point: Vec3): Vec3 {
  return add(motion.pose.position, transform(motion.rotation, point))
}

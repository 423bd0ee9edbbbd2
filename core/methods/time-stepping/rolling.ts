/**
 * Slip at the middle of a step. Friction acts along the rows of the step's start, but the contact of a rolling body moves along the body. So a body without
 * slip in these rows slips at the middle of the step, in proportion to its length, and the friction of this slip dissipates energy. With the targets of the
 * rows corrected by the difference,
 *
 *   a = J u − b',   b' = b − (v_t(q_{n+1/2}, u) − J u),
 *
 * a sticking contact has no slip at the middle of the step: an implicit midpoint rule for the constraint of rolling, of second order and reversible.
 */

import { transform } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { multiplyQuaternions, normalizeQuaternion, rotate } from '../../math/quaternion'
import { rotationQuaternion } from '../../math/rotation'
import { add, addScaled, cross, dot, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import type { StepIsland } from './step-island'

interface MiddleMotion {
  readonly pose: Pose
  readonly center: Vec3
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
}

/** In a step of h seconds that has moved the body. */
function inTheMiddle(motions: BodyMotions, body: number, h: number): MiddleMotion {
  const { snapshot: { motions: start, bodies }, turns } = motions
  const { pose, center, rotation } = start[body]!
  if (bodies[body]!.type === 'fixed') return { pose, center, velocity: ZERO, angularVelocity: ZERO }
  const velocity = motions.meanVelocity(body, h)
  const middle = addScaled(center, velocity, h / 2)
  const orientation = normalizeQuaternion(multiplyQuaternions(pose.orientation, rotationQuaternion(turns[body]!, 0.5)))
  return {
    pose: { position: sub(middle, rotate(orientation, bodies[body]!.centerOfMass)), orientation }, center: middle, velocity,
    // The rotation within the step is about one axis.
    angularVelocity: scale(transform(rotation, turns[body]!), 1 / h),
  }
}

/** m/s: v_A − v_B at the contact point, both at the middle of the step. */
function slipInTheMiddle({ constraint: { pair: { bodyA, bodyB }, candidates }, choice }: ActiveConstraint, motions: BodyMotions, h: number): Vec3 {
  const a = inTheMiddle(motions, bodyA, h)
  const b = inTheMiddle(motions, bodyB, h)
  const { point } = candidates[choice]!.locate(a.pose, b.pose)
  return sub(velocityAt(a, point), velocityAt(b, point))
}

function velocityAt({ center, velocity, angularVelocity }: MiddleMotion, point: Vec3): Vec3 {
  return add(velocity, cross(angularVelocity, sub(point, center)))
}

/**
 * Corrects the targets of the friction rows of contacts with an impulse.
 *
 * @returns m/s: the largest change of a target
 */
export function correctRolling(island: StepIsland, motions: BodyMotions, h: number): number {
  const { rows, b, p } = island.problem!
  let most = 0
  for (const active of island.constraints) {
    const { row, friction } = active
    if (!(friction > 0) || p[row] === 0) continue
    const slip = slipInTheMiddle(active, motions, h)
    for (const [k, tangent] of [active.tangent1, active.tangent2].entries()) {
      const i = row + 1 + k
      const target = rows.along(i, motions.velocity) - dot(slip, tangent) - island.free[i]!
      most = Math.max(most, Math.abs(target - b[i]!))
      b[i] = target
    }
  }
  return most
}

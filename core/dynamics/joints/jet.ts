/**
 * Quantities with their first and second time derivatives, where bodies have velocities but no accelerations: the second derivative of a
 * joint's equation along such a motion is its velocity-product term J̇ u.
 */

import type { BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { add, addScaled, cross, dot, scale, sub, type Vec3 } from '../../math/vector'

export interface ScalarJet {
  readonly x: number
  readonly v: number
  readonly a: number
}

export interface VectorJet {
  readonly x: Vec3
  readonly v: Vec3
  readonly a: Vec3
}

/** A direction fixed in a body, given in body axes. */
export function directionJet(motion: BodyMotion, local: Vec3): VectorJet {
  const x = transform(motion.rotation, local)
  const v = cross(motion.angularVelocity, x)
  return { x, v, a: cross(motion.angularVelocity, v) }
}

/** A point fixed in a body, given in body axes from the centre of mass. */
export function pointJet(motion: BodyMotion, local: Vec3): VectorJet {
  const arm = directionJet(motion, local)
  return { x: add(motion.center, arm.x), v: add(motion.velocity, arm.v), a: arm.a }
}

/** p − q. */
export function subJets(p: VectorJet, q: VectorJet): VectorJet {
  return { x: sub(p.x, q.x), v: sub(p.v, q.v), a: sub(p.a, q.a) }
}

/** p·q. */
export function dotJets(p: VectorJet, q: VectorJet): ScalarJet {
  return { x: dot(p.x, q.x), v: dot(p.v, q.x) + dot(p.x, q.v), a: dot(p.a, q.x) + 2 * dot(p.v, q.v) + dot(p.x, q.a) }
}

/** p × q. */
export function crossJets(p: VectorJet, q: VectorJet): VectorJet {
  return {
    x: cross(p.x, q.x),
    v: add(cross(p.v, q.x), cross(p.x, q.v)),
    a: add(addScaled(cross(p.a, q.x), cross(p.v, q.v), 2), cross(p.x, q.a)),
  }
}

/** p q. */
export function multiplyJets(p: ScalarJet, q: ScalarJet): ScalarJet {
  return { x: p.x * q.x, v: p.v * q.x + p.x * q.v, a: p.a * q.x + 2 * p.v * q.v + p.x * q.a }
}

/** f(p) from f, f′ and f″ at p.x. */
export function composeJet(p: ScalarJet, f: number, first: number, second: number): ScalarJet {
  return { x: f, v: first * p.v, a: second * p.v * p.v + first * p.a }
}

/** p/|p|. */
export function unitJet(p: VectorJet): VectorJet {
  const l2 = dotJets(p, p)
  const l = Math.sqrt(l2.x)
  const inverse = composeJet(l2, 1 / l, -0.5 / (l2.x * l), 0.75 / (l2.x * l2.x * l))
  return {
    x: scale(p.x, inverse.x),
    v: addScaled(scale(p.v, inverse.x), p.x, inverse.v),
    a: addScaled(addScaled(scale(p.a, inverse.x), p.v, 2 * inverse.v), p.x, inverse.a),
  }
}

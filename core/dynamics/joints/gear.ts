/**
 * Gear: the coordinates of two hinges or sliders keep a fixed ratio.
 *
 *   C = θ_A − ratio θ_B = 0 (1 row, in θ_A's unit)
 *
 * θ is A relative to B in each joint, so that the carriers of both joints may move independently: a planet on its carrier, a rack on a cart, a wheel
 * on the output of another gear. The row acts on the bodies of both joints.
 */

import { noCoordinate, JACOBIAN_WIDTH, type JointConstraint, type JointPair } from './joint'

export interface GearSpec {
  readonly id: string
  readonly type: 'gear'
  /** Joints with a coordinate 0. */
  readonly jointA: JointConstraint
  readonly jointB: JointConstraint
  /** position of A = ratio × position of B; not 0. */
  readonly ratio: number
}

/**
 * Stores the last coordinates, near which angles are unwrapped: turns are counted correctly if successive calls are less than half a turn apart.
 *
 * @throws RangeError if a joint has no coordinate or the ratio is 0
 */
export function gearJoint({ id, jointA, jointB, ratio }: GearSpec): JointConstraint {
  for (const joint of [jointA, jointB]) {
    if (joint.coordinates === 0) throw new RangeError(`gear "${id}": joint "${joint.id}" has no coordinate to couple`)
  }
  if (ratio === 0) throw new RangeError(`gear "${id}": its ratio is 0`)
  return {
    id, type: 'gear', rows: 1, coordinates: 0, ...weighted(jointA, 1), second: weighted(jointB, -ratio), coordinate: noCoordinate(id),
    anchor: (a, b) => jointA.anchor(a, b),
  }
}

/** One joint's share of the row. */
function weighted(joint: JointConstraint, weight: number): JointPair {
  let last = 0
  return {
    bodyA: joint.bodyA, bodyB: joint.bodyB,
    evaluate(a, b, out) {
      const { position, jacobian, bias } = joint.coordinate(0, a, b, last)
      last = position
      out.error[0] = weight * position
      out.bias[0] = weight * bias
      for (let k = 0; k < JACOBIAN_WIDTH; k++) out.jacobian[k] = weight * jacobian[k]!
    },
  }
}

/**
 * Gear: the coordinates of two hinges or sliders keep a fixed ratio.
 *
 *   C = θ_A − ratio θ_B = 0 (1 row, in θ_A's unit)
 *
 * A row couples two moving bodies; the gear's frame (whatever else its joints hold on to) is the world or fixed bodies. Wheels on a frame that
 * moves are those of `meshed-gear.ts`.
 */

import type { BodyMotion } from '../../geometry/motion'
import { WORLD_MOTION } from './frame'
import { noCoordinate, JACOBIAN_WIDTH, type JointConstraint } from './joint'

export interface GearSpec {
  readonly id: string
  readonly type: 'gear'
  /** Joints with a coordinate 0. */
  readonly jointA: JointConstraint
  readonly jointB: JointConstraint
  /** position of A = ratio × position of B; not 0. */
  readonly ratio: number
  /** The motion of a body that never moves; null for the others. */
  readonly fixedMotion: (body: number) => BodyMotion | null
}

/**
 * Between calls it keeps the last coordinates, near which angles are unwrapped: successive calls less than half a turn apart count turns.
 *
 * @throws RangeError where a joint has no coordinate, the ratio is 0, or not exactly two bodies move
 */
export function gearJoint({ id, jointA, jointB, ratio, fixedMotion }: GearSpec): JointConstraint {
  for (const joint of [jointA, jointB]) {
    if (joint.coordinates === 0) throw new RangeError(`gear "${id}": joint "${joint.id}" has no coordinate to couple`)
  }
  if (ratio === 0) throw new RangeError(`gear "${id}": its ratio is 0`)
  const joined = [jointA.bodyA, jointA.bodyB, jointB.bodyA, jointB.bodyB]
  const moving = [...new Set(joined.filter(body => body >= 0 && fixedMotion(body) === null))]
  if (moving.length !== 2) {
    throw new RangeError(`gear "${id}": ${moving.length} moving bodies are in its joints, and it couples exactly 2 on a fixed frame`)
  }
  const [bodyA, bodyB] = moving as [number, number]
  const motionOf = (body: number, a: BodyMotion, b: BodyMotion) =>
    (body === bodyA ? a : body === bodyB ? b : body < 0 ? WORLD_MOTION : fixedMotion(body)!)
  const last = [0, 0]
  return {
    id, type: 'gear', bodyA, bodyB, rows: 1, coordinates: 0,
    evaluate(a, b, out) {
      out.jacobian.fill(0, 0, JACOBIAN_WIDTH)
      let error = 0
      let bias = 0
      ;[jointA, jointB].forEach((joint, k) => {
        const weight = k === 0 ? 1 : -ratio
        const at = joint.coordinate(0, motionOf(joint.bodyA, a, b), motionOf(joint.bodyB, a, b), last[k]!)
        last[k] = at.position
        error += weight * at.position
        bias += weight * at.bias
        addHalf(out.jacobian, joint.bodyA, at.jacobian, 0, weight)
        addHalf(out.jacobian, joint.bodyB, at.jacobian, 6, weight)
      })
      out.error[0] = error
      out.bias[0] = bias
    },
    coordinate: noCoordinate(id),
    anchor: (a, b) => jointA.anchor(motionOf(jointA.bodyA, a, b), motionOf(jointA.bodyB, a, b)),
  }

  function addHalf(out: Float64Array, body: number, jacobian: Float64Array, from: number, weight: number): void {
    if (body !== bodyA && body !== bodyB) return
    const to = body === bodyA ? 0 : 6
    for (let k = 0; k < 6; k++) out[to + k] = out[to + k]! + weight * jacobian[from + k]!
  }
}

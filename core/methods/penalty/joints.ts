/**
 * Joints as springs [Baraff92 ch. 7]: each equation of a joint pulls its bodies back,
 *
 *   f = −K C − D Ċ,   wrenches Jᵀ f,   Ċ = J u
 *
 * so that −Jᵀ K C has the potential ½ K C². The error of a joint is f/K: N over N/m in rows of displacement, N m over N m/rad in rows of rotation.
 */

import type { Snapshot } from '../../contact/snapshot'
import type { JointElement } from '../../contact/world'
import { bodiesOfJoint, evaluateJoint, JACOBIAN_WIDTH, jointEquations, WORLD_MOTION, type JointConstraint, type JointEquations } from '../../dynamics/joints'
import type { ForceElement, WrenchSink } from '../../dynamics/forces/force'
import type { BodyMotion } from '../../geometry/motion'
import { add, cross, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { SolvedJoint } from '../method'

export interface PenaltyJointLaw {
  /** K, N/m and N m/rad, of each equation. */
  readonly stiffness: number
  /** D, N s/m and N m s/rad. */
  readonly damping: number
}

interface Pull {
  readonly body: number
  /** Wrenches of the springs, and of their damping, on the body about its centre of mass. */
  readonly spring: Wrench
  readonly damping: Wrench
}

/** A body in the rows of a joint: in their first or second pair of bodies, from this column on. */
interface Side {
  readonly body: number
  readonly isSecond: boolean
  readonly column: number
}

interface Wrench {
  readonly force: Vec3
  readonly torque: Vec3
}

export class PenaltyJoints implements ForceElement {
  readonly id = 'penalty joints'
  readonly type = 'penalty joints'
  readonly bodies: readonly number[]
  readonly breakpoints: readonly number[] = []
  private readonly equations: readonly JointEquations[]
  /** By joint: the movable bodies that its rows act on. */
  private readonly sides: readonly (readonly Side[])[]
  /** Ċ of one joint. */
  private readonly rates: Float64Array

  constructor(private readonly joints: readonly JointConstraint[], private readonly law: PenaltyJointLaw) {
    this.bodies = [...new Set(joints.flatMap(bodiesOfJoint))]
    this.equations = joints.map(jointEquations)
    this.sides = joints.map(sidesOf)
    this.rates = new Float64Array(joints.reduce((most, { rows }) => Math.max(most, rows), 0))
  }

  potential(motions: readonly BodyMotion[], exists: readonly boolean[]): number {
    const { joints, law } = this
    return joints.reduce((sum, joint, index) => bodiesOfJoint(joint).some(body => !exists[body]) ? sum
      : sum + this.evaluate(index, motions).error.reduce((part, C) => part + 0.5 * law.stiffness * C * C, 0), 0)
  }

  apply(_time: number, motions: readonly BodyMotion[], exists: readonly boolean[], sink: WrenchSink): void {
    this.joints.forEach((_, index) => {
      for (const { body, spring, damping } of this.pulls(index, motions, exists)) {
        for (const [wrench, account] of [[spring, 'potential'], [damping, 'drag']] as const) {
          sink.force(body, wrench.force, motions[body]!.center, account)
          sink.torque(body, wrench.torque, account)
        }
      }
    })
  }

  /** A joint in the form of a frame, with the wrench of its springs on A and its error. */
  solved(joint: SolvedJoint, index: number, { motions, exists }: Pick<Snapshot, 'motions' | 'exists'>): SolvedJoint {
    const { bodyA, bodyB } = this.joints[index]!
    const held = bodyA >= 0 ? bodyA : bodyB
    const pull = this.pulls(index, motions, exists).find(({ body }) => body === held)
    if (pull === undefined) return joint
    const sign = bodyA >= 0 ? 1 : -1
    const force = scale(add(pull.spring.force, pull.damping.force), sign)
    const about = cross(sub(motions[held]!.center, joint.anchor), force)
    const torque = add(scale(add(pull.spring.torque, pull.damping.torque), sign), about)
    return {
      ...joint, force: add(joint.force, force), torque: add(joint.torque, torque),
      error: this.evaluate(index, motions).error.reduce((most, C) => Math.max(most, Math.abs(C)), 0),
    }
  }

  private evaluate(index: number, motions: readonly BodyMotion[]): JointEquations {
    const out = this.equations[index]!
    evaluateJoint(this.joints[index]!, body => body < 0 ? WORLD_MOTION : motions[body]!, out)
    return out
  }

  /** At every stage of every step, so without closures and with few allocations. */
  private pulls(index: number, motions: readonly BodyMotion[], exists: readonly boolean[]): Pull[] {
    const { law: { stiffness, damping }, rates } = this
    const sides = this.sides[index]!
    for (const { body } of sides) if (!exists[body]) return []
    const { error, jacobian, second } = this.evaluate(index, motions)
    const { rows } = this.joints[index]!
    for (let row = 0; row < rows; row++) {
      let rate = 0
      for (const { body, isSecond, column } of sides) {
        const J = isSecond ? second!.jacobian : jacobian
        const o = JACOBIAN_WIDTH * row + column
        const { velocity: v, angularVelocity: w } = motions[body]!
        rate = rate + J[o]! * v[0] + J[o + 1]! * v[1] + J[o + 2]! * v[2] + J[o + 3]! * w[0] + J[o + 4]! * w[1] + J[o + 5]! * w[2]
      }
      rates[row] = rate
    }
    return sides.map(({ body, isSecond, column }) => {
      const J = isSecond ? second!.jacobian : jacobian
      return { body, spring: wrenchOf(J, column, rows, -stiffness, error), damping: wrenchOf(J, column, rows, -damping, rates) }
    })
  }
}

function sidesOf({ bodyA, bodyB, second }: JointConstraint): Side[] {
  const pairs = second === undefined ? [[bodyA, bodyB]] : [[bodyA, bodyB], [second.bodyA, second.bodyB]]
  return pairs.flatMap((pair, part) => pair.map((body, side) => ({ body, isSecond: part === 1, column: 6 * side }))).filter(({ body }) => body >= 0)
}

/** Sum of Jᵀ × factor × value over the rows, on one side of a joint. */
function wrenchOf(J: Float64Array, column: number, rows: number, factor: number, values: Float64Array): Wrench {
  let [x, y, z] = ZERO
  let [a, b, c] = ZERO
  for (let row = 0; row < rows; row++) {
    const o = JACOBIAN_WIDTH * row + column
    const f = factor * values[row]!
    x += J[o]! * f
    y += J[o + 1]! * f
    z += J[o + 2]! * f
    a += J[o + 3]! * f
    b += J[o + 4]! * f
    c += J[o + 5]! * f
  }
  return { force: [x, y, z], torque: [a, b, c] }
}

/** The joint with its coordinates only, for limits and drives. */
export function withoutEquations(joint: JointElement): JointElement {
  const { second: _, mobility: __, ...constraint } = joint.constraint
  return { ...joint, constraint: { ...constraint, rows: 0, evaluate: () => {} } }
}

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

  constructor(private readonly joints: readonly JointConstraint[], private readonly law: PenaltyJointLaw) {
    this.bodies = [...new Set(joints.flatMap(bodiesOfJoint))]
    this.equations = joints.map(jointEquations)
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

  private pulls(index: number, motions: readonly BodyMotion[], exists: readonly boolean[]): Pull[] {
    const { joints, law } = this
    const { bodyA, bodyB, second, rows } = joints[index]!
    const pairs = second === undefined ? [[bodyA, bodyB]] : [[bodyA, bodyB], [second.bodyA, second.bodyB]]
    const places = pairs.flatMap((pair, part) => pair.map((body, side) => ({ body, part, column: 6 * side }))).filter(({ body }) => body >= 0)
    if (places.some(({ body }) => !exists[body])) return []
    const { error, jacobian, second: rest } = this.evaluate(index, motions)
    const jacobianOf = (part: number): Float64Array => part === 0 ? jacobian : rest!.jacobian
    const rowOf = (part: number, row: number, column: number): readonly [Vec3, Vec3] => {
      const J = jacobianOf(part)
      const o = JACOBIAN_WIDTH * row + column
      return [[J[o]!, J[o + 1]!, J[o + 2]!], [J[o + 3]!, J[o + 4]!, J[o + 5]!]]
    }
    const rates = Array.from({ length: rows }, (_, row) => places.reduce((sum, { body, part, column }) => {
      const [along, about] = rowOf(part, row, column)
      const { velocity: v, angularVelocity: w } = motions[body]!
      return sum + along[0] * v[0] + along[1] * v[1] + along[2] * v[2] + about[0] * w[0] + about[1] * w[1] + about[2] * w[2]
    }, 0))
    const wrench = (part: number, column: number, f: (row: number) => number): Wrench => rates.reduce<Wrench>((sum, _, row) => {
      const [along, about] = rowOf(part, row, column)
      return { force: add(sum.force, scale(along, f(row))), torque: add(sum.torque, scale(about, f(row))) }
    }, { force: ZERO, torque: ZERO })
    return places.map(({ body, part, column }) => ({
      body, spring: wrench(part, column, row => -law.stiffness * error[row]!), damping: wrench(part, column, row => -law.damping * rates[row]!),
    }))
  }
}

/** The joint with its coordinates only, for limits and drives. */
export function withoutEquations(joint: JointElement): JointElement {
  const { second: _, mobility: __, ...constraint } = joint.constraint
  return { ...joint, constraint: { ...constraint, rows: 0, evaluate: () => {} } }
}

/** Response of gaps, joints and limits at the end of a step to an impulse at its start, against their differences. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { rigidBody } from '../../../../../core/dynamics/body'
import { evaluateJoint, jointConstraint, jointEquations, type JointEquations } from '../../../../../core/dynamics/joints'
import { readMotion } from '../../../../../core/dynamics/state-layout'
import { diagonal } from '../../../../../core/math/matrix'
import { rotate } from '../../../../../core/math/quaternion'
import { add, dot, sub, type Vec3 } from '../../../../../core/math/vector'
import { EndGradients } from '../../../../../core/methods/time-stepping/end-gradients'
import type { StepJoint, StepLimit } from '../../../../../core/methods/time-stepping/joint-rows'
import type { StepArrays } from '../../../../../core/methods/time-stepping/step-arrays'
import { StepIsland } from '../../../../../core/methods/time-stepping/step-island'
import { oneStep } from './one-step'

const h = 1 / 60
const value = fc.double({ min: -1, max: 1, noNaN: true })
const vector = fc.tuple(value, value, value)
const moments = fc.tuple(fc.double({ min: 1, max: 1.9, noNaN: true }), fc.double({ min: 1, max: 1.9, noNaN: true }))

/** Two free bodies after a step in which each was pushed, and the gap of a point of A over a plane of B. */
function steppedPair(turns: readonly [Vec3, Vec3], [y, z]: readonly [number, number], arm: Vec3) {
  const bodies = turns.map((angularVelocity, index) => rigidBody({
    index, id: `b${index}`, type: 'dynamic', mass: 1 + index, inertia: diagonal(1, y, z), position: [0, 0, 2 * index], orientation: [0, 0, 0, 1],
    angularVelocity, boundingRadius: 1,
  }))
  const { motions, end, drift } = oneStep(bodies, bodies.length, h)
  const step = (push: Float64Array): { gap: number, point: Vec3, normal: Vec3, velocity: Float64Array } => {
    motions.push.set(push)
    drift()
    const [a, b] = [motions.poses[0]!, motions.poses[1]!]
    const point = add(a.position, rotate(a.orientation, arm))
    const normal = rotate(b.orientation, [0.6, 0, 0.8])
    return { gap: dot(normal, sub(point, b.position)), point, normal, velocity: motions.velocity.slice() }
  }
  return { motions, end, step }
}

it('is the change of the gap to second order in the rotation, and much more accurate than the row at the start', () => {
  fc.assert(fc.property(vector, vector, moments, vector, fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 12, maxLength: 12 }), (wa, wb, inertia, arm, change) => {
    // A third of a radian a step at most.
    const fast = ([x, y, z]: Vec3): Vec3 => [12 * x, 12 * y, 12 * z]
    const { motions, end, step } = steppedPair([fast(wa), fast(wb)], inertia, arm)
    const small = 1e-5
    const at = (share: number) => step(Float64Array.from(change, part => share * small * part / 9))
    const [less, more] = [at(-1), at(1)]
    const { point, normal } = at(0)
    const island = new StepIsland()
    island.bodies.push(0, 1)
    const gradient = new EndGradients(island, { motions, end } as unknown as StepArrays)
      .along({ bodyA: 0, bodyB: 1 } as PrimitivePair, point, normal, new Float64Array(12))
    let predicted = 0
    let size = 0
    for (let k = 0; k < 12; k++) {
      predicted += h * gradient[k]! * (more.velocity[k]! - less.velocity[k]!)
      size = Math.max(size, h * Math.abs(more.velocity[k]! - less.velocity[k]!))
    }
    expect(Math.abs(more.gap - less.gap - predicted)).toBeLessThanOrEqual(0.03 * size)
  }))
})

it('is exactly the change of the gap without rotation', () => {
  const { motions, end, step } = steppedPair([[0, 0, 0], [0, 0, 0]], [1.5, 1.2], [0.3, -0.4, 0.5])
  const at = (share: number) => step(Float64Array.from({ length: 12 }, (_, k) => share * 1e-5 * (k - 5)))
  const [less, more] = [at(-1), at(1)]
  const { point, normal } = at(0)
  const island = new StepIsland()
  island.bodies.push(0, 1)
  const gradient = new EndGradients(island, { motions, end } as unknown as StepArrays)
    .along({ bodyA: 0, bodyB: 1 } as PrimitivePair, point, normal, new Float64Array(12))
  const predicted = gradient.reduce((sum, part, k) => sum + h * part * (more.velocity[k]! - less.velocity[k]!), 0)
  expect(Math.abs(more.gap - less.gap - predicted)).toBeLessThanOrEqual(1e-9 * Math.abs(predicted))
})

it('is the change of the equations of a hinge, and of its limits, to second order in the rotation', () => {
  fc.assert(fc.property(vector, vector, moments, fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 12, maxLength: 12 }), (wa, wb, inertia, change) => {
    const fast = ([x, y, z]: Vec3): Vec3 => [12 * x, 12 * y, 12 * z]
    const { motions, end, step } = steppedPair([fast(wa), fast(wb)], inertia, [0, 0, 0])
    const { layout } = motions.snapshot
    const [initialA, initialB] = [motions.snapshot.motions[0]!, motions.snapshot.motions[1]!]
    const constraint = jointConstraint({ type: 'hinge', id: 'hinge', bodyA: 0, bodyB: 1, initialA, initialB, anchor: [0.2, -0.1, 1], axis: [0.6, 0.8, 0] })
    const equations = (): JointEquations => {
      const out = jointEquations(constraint)
      evaluateJoint(constraint, body => readMotion(layout, body, end), out)
      return out
    }
    const coordinate = () => constraint.coordinate(0, readMotion(layout, 0, end), readMotion(layout, 1, end), 0)
    const small = 1e-5
    const at = (share: number) => {
      const { velocity } = step(Float64Array.from(change, part => share * small * part / 9))
      return { velocity, error: equations().error, position: coordinate().position }
    }
    const [less, more] = [at(-1), at(1)]
    at(0)
    const joint = { element: { constraint }, atEnd: equations(), gradient: null } as unknown as StepJoint
    const limit = { element: { constraint }, side: -1, atEnd: coordinate().jacobian, gradient: null } as unknown as StepLimit
    const island = new StepIsland()
    island.bodies.push(0, 1)
    island.joints.push(joint)
    island.limits.push(limit)
    new EndGradients(island, { motions, end } as unknown as StepArrays).findAll()
    const size = h * Math.max(...more.velocity.map((value, k) => Math.abs(value - less.velocity[k]!)))
    const predicted = (gradient: Float64Array, row: number): number =>
      more.velocity.reduce((sum, value, k) => sum + h * gradient[12 * row + k]! * (value - less.velocity[k]!), 0)
    for (let row = 0; row < constraint.rows; row++) {
      expect(Math.abs(more.error[row]! - less.error[row]! - predicted(joint.gradient!, row))).toBeLessThanOrEqual(0.03 * size)
    }
    expect(Math.abs(less.position - more.position - predicted(limit.gradient!, 0))).toBeLessThanOrEqual(0.03 * size)
  }))
})

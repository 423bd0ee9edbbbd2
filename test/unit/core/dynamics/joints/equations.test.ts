import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jointConstraint, jointEquations, WORLD_MOTION, type JointConstraint, type JointSpec } from '../../../../../core/dynamics/joints'
import type { BodyMotion } from '../../../../../core/geometry/motion'
import { rotate, type Quat } from '../../../../../core/math/quaternion'
import { add, cross, length, normalize, perpendicular, scale, type Vec3 } from '../../../../../core/math/vector'
import { applyRow, derivatives, directions, drift, motions, orientations, seenFrom, vectors } from './motions'
import { sampled } from '../../../../sampled'

const TYPES = ['ball', 'hinge', 'slider', 'fixed', 'universal', 'cylindrical', 'planar', 'distance'] as const

function specOf(type: (typeof TYPES)[number], initialA: BodyMotion, initialB: BodyMotion, anchor: Vec3, axis: Vec3, bodyB = 1): JointSpec {
  const joined = { id: type, bodyA: 0, bodyB, initialA, initialB, anchor }
  switch (type) {
    case 'universal': return { ...joined, type, axisA: axis, axisB: perpendicular(normalize(axis)) }
    case 'planar': return { ...joined, type, normal: axis }
    case 'distance': return { ...joined, type, anchorB: add(anchor, axis) }
    case 'hinge': case 'slider': case 'cylindrical': return { ...joined, type, axis }
    case 'ball': case 'fixed': return { ...joined, type }
  }
}

function errors(joint: JointConstraint, a: BodyMotion, b: BodyMotion) {
  const out = jointEquations(joint)
  joint.evaluate(a, b, out)
  return out
}

const close = (value: number, expected: number, tolerance: number) =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))

/** Away from relative rotations by half a turn, where a rotation vector jumps, from arms in line and from rods of no length. */
function regular(joint: JointConstraint, a: BodyMotion, b: BodyMotion): boolean {
  const { error } = errors(joint, a, b)
  switch (joint.type) {
    case 'ball': return true
    case 'distance': return error[0]! > 0.2
    case 'universal': return Math.abs(error[3]!) < 1.2
    case 'slider': return Math.hypot(...error.subarray(0, 3)) < 2.4
    case 'cylindrical': case 'planar': return Math.hypot(...error.subarray(0, 2)) < 2.4
    default: return Math.hypot(...error.subarray(3)) < 2.4
  }
}

// No shrinking: it takes minutes, and smaller poses do not help to find the fault.
describe.each(TYPES)('a %s joint', type => {
  const scene = fc.record({ a0: motions, b0: motions, a: motions, b: motions, anchor: vectors(2), axis: directions })

  it('is satisfied at the initial pose, with as many rows as it says', () => {
    fc.assert(fc.property(scene, ({ a0, b0, anchor, axis }) => {
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      const { error, jacobian, bias } = errors(joint, a0, b0)
      expect(error.length).toBe(joint.rows)
      expect(jacobian.length).toBe(12 * joint.rows)
      expect(bias.length).toBe(joint.rows)
      for (const value of error) expect(Math.abs(value)).toBeLessThan(1e-14)
    }))
  })

  sampled('has the Jacobian and the velocity-product term of its equation, however large the error', { few: 40, all: 200 }, cases => {
    fc.assert(fc.property(scene, ({ a0, b0, a, b, anchor, axis }) => {
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      fc.pre(regular(joint, a, b))
      const { jacobian, bias } = errors(joint, a, b)
      for (let row = 0; row < joint.rows; row++) {
        const { first, second } = derivatives(t => errors(joint, drift(a, t), drift(b, t)).error[row]!)
        close(applyRow(jacobian, row, a, b), first, 1e-7)
        close(bias[row]!, second, 1e-6)
      }
    }), { numRuns: cases })
  })

  sampled('has coordinates with the Jacobian and bias of their position', { few: 20, all: 100 }, cases => {
    fc.assert(fc.property(scene, fc.double({ min: -20, max: 20, noNaN: true }), ({ a0, b0, anchor, axis, a: wild }, near) => {
      // From the initial pose, so that the angles are well defined; velocities are wild.
      const a: BodyMotion = { ...a0, velocity: wild.velocity, angularVelocity: wild.angularVelocity }
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      for (let k = 0; k < joint.coordinates; k++) {
        const here = joint.coordinate(k, a, b0, 0)
        expect(Math.abs(here.position)).toBeLessThan(1e-14)
        const { first, second } = derivatives(t => joint.coordinate(k, drift(a, t), drift(b0, t), 0).position)
        close(here.velocity, first, 1e-7)
        close(applyRow(here.jacobian, 0, a, b0), here.velocity, 1e-12)
        close(here.bias, second, 1e-6)
        const far = joint.coordinate(k, a, b0, near).position
        if (type !== 'slider' && !(type === 'cylindrical' && k === 1)) expect(Math.abs(far - near)).toBeLessThanOrEqual(Math.PI + 1e-12)
      }
    }), { numRuns: cases })
  })

  sampled('has such coordinates away from the initial pose, with or without joint errors', { few: 20, all: 100 }, cases => {
    fc.assert(fc.property(scene, ({ a0, b0, a, b, anchor, axis }) => {
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      fc.pre(regular(joint, a, b))
      const { error } = errors(joint, a, b)
      // An angle about two axes is undefined if they are perpendicular.
      if (type === 'hinge') fc.pre(Math.hypot(error[3]!, error[4]!) < 1)
      if (type === 'cylindrical') fc.pre(Math.hypot(error[0]!, error[1]!) < 1)
      if (type === 'universal') fc.pre(Math.abs(error[3]!) < 0.8)
      for (let k = 0; k < joint.coordinates; k++) {
        const here = joint.coordinate(k, a, b, 0)
        const { first, second } = derivatives(t => joint.coordinate(k, drift(a, t), drift(b, t), here.position).position)
        close(here.velocity, first, 1e-6)
        close(applyRow(here.jacobian, 0, a, b), here.velocity, 1e-11)
        close(here.bias, second, 1e-5)
      }
    }), { numRuns: cases })
  })

  it('does not depend on the position in the world, or on its orientation', () => {
    fc.assert(fc.property(scene, orientations, vectors(3), ({ a0, b0, a, b, anchor, axis }, q: Quat, shift) => {
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      fc.pre(regular(joint, a, b))
      const move = (m: BodyMotion) => seenFrom(m, q, shift)
      const spec = specOf(type, a0, b0, anchor, axis)
      const vectorKeys = Object.fromEntries(
        Object.entries(spec).filter(([key]) => ['axis', 'axisA', 'axisB', 'normal'].includes(key)).map(([key, v]) => [key, rotate(q, v as Vec3)]))
      const pointKeys = Object.fromEntries(
        Object.entries(spec).filter(([key]) => key.startsWith('anchor')).map(([key, v]) => [key, add(shift, rotate(q, v as Vec3))]))
      const moved = jointConstraint({ ...spec, ...vectorKeys, ...pointKeys, initialA: move(a0), initialB: move(b0) } as JointSpec)
      const norm = (v: Float64Array) => Math.hypot(...v)
      // The basis about an axis is arbitrary, so only invariant quantities are compared.
      close(norm(errors(moved, move(a), move(b)).error), norm(errors(joint, a, b).error), 1e-11)
      for (let k = 0; k < joint.coordinates; k++) {
        close(moved.coordinate(k, move(a0), move(b0), 0).velocity, joint.coordinate(k, a0, b0, 0).velocity, 1e-11)
      }
    }))
  })

  it('treats the world as a body at rest', () => {
    fc.assert(fc.property(scene, ({ a0, a, anchor, axis }) => {
      const joint = jointConstraint(specOf(type, a0, WORLD_MOTION, anchor, axis, -1))
      fc.pre(regular(joint, a, WORLD_MOTION))
      const { jacobian, error } = errors(joint, a, WORLD_MOTION)
      for (let row = 0; row < joint.rows; row++) {
        const { first } = derivatives(t => errors(joint, drift(a, t), WORLD_MOTION).error[row]!)
        close(applyRow(jacobian, row, a, WORLD_MOTION), first, 1e-7)
      }
      expect(error.every(Number.isFinite)).toBe(true)
    }))
  })

  it('conserves momentum: forces on A and B are opposite and act along the same line', () => {
    fc.assert(fc.property(scene, ({ a0, b0, a, b, anchor, axis }) => {
      const joint = jointConstraint(specOf(type, a0, b0, anchor, axis))
      fc.pre(regular(joint, a, b))
      const { jacobian } = errors(joint, a, b)
      for (let row = 0; row < joint.rows; row++) {
        const part = (k: number): Vec3 => [jacobian[12 * row + k]!, jacobian[12 * row + k + 1]!, jacobian[12 * row + k + 2]!]
        expect(length(add(part(0), part(6)))).toBeLessThan(1e-14)
        const about = add(add(cross(a.center, part(0)), part(3)), add(cross(b.center, part(6)), part(9)))
        // A ball or fixed joint that is torn open is the exception: its points differ.
        const open = joint.type === 'ball' || joint.type === 'hinge' || joint.type === 'fixed' || joint.type === 'universal'
        if (!open) expect(length(about)).toBeLessThan(1e-12)
      }
    }))
  })
})

describe('coordinates', () => {
  const still = (q: Quat, center: Vec3): BodyMotion => seenFrom({ ...WORLD_MOTION, center: [0, 0, 0] }, q, center)
  const turn = (axis: Vec3, angle: number): Quat => {
    const s = scale(normalize(axis), Math.sin(angle / 2))
    return [s[0], s[1], s[2], Math.cos(angle / 2)]
  }

  it('a hinge turns right-handed about its axis and counts turns', () => {
    fc.assert(fc.property(directions, fc.double({ min: -50, max: 50, noNaN: true }), (axis, angle) => {
      const joint = jointConstraint({
        id: 'h', type: 'hinge', bodyA: 0, bodyB: -1, initialA: WORLD_MOTION, initialB: WORLD_MOTION, anchor: [0, 0, 0], axis,
      })
      close(joint.coordinate(0, still(turn(axis, angle), [0, 0, 0]), WORLD_MOTION, angle + 1).position, angle, 1e-13)
    }))
  })

  it('a slider measures along its axis in B', () => {
    const joint = jointConstraint({
      id: 's', type: 'slider', bodyA: 0, bodyB: -1, initialA: WORLD_MOTION, initialB: WORLD_MOTION, anchor: [1, 2, 3], axis: [0, 0, 2],
    })
    expect(joint.coordinate(0, still([0, 0, 0, 1], [0, 0, -0.25]), WORLD_MOTION, 0).position).toBe(-0.25)
  })

  it('a universal joint turned about both axes reads both angles', () => {
    fc.assert(fc.property(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true }), (alpha, beta) => {
      const joint = jointConstraint({
        id: 'u', type: 'universal', bodyA: 0, bodyB: -1, initialA: WORLD_MOTION, initialB: WORLD_MOTION,
        anchor: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0],
      })
      // The cross turns by β about y of B, then A by α about the x axis that has come along.
      const b = turn([0, 1, 0], beta)
      const a = turn([1, 0, 0], alpha)
      const q: Quat = [
        b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1],
        b[3] * a[1] - b[0] * a[2] + b[1] * a[3] + b[2] * a[0],
        b[3] * a[2] + b[0] * a[1] - b[1] * a[0] + b[2] * a[3],
        b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2],
      ]
      const motion = still(q, [0, 0, 0])
      expect(Math.abs(errors(joint, motion, WORLD_MOTION).error[3]!)).toBeLessThan(1e-14)
      close(joint.coordinate(0, motion, WORLD_MOTION, 0).position, alpha, 1e-13)
      close(joint.coordinate(1, motion, WORLD_MOTION, 0).position, beta, 1e-13)
    }))
  })

  it('an alignment error is the angle itself, up to nearly half a turn', () => {
    const joint = jointConstraint({
      id: 'h', type: 'hinge', bodyA: 0, bodyB: -1, initialA: WORLD_MOTION, initialB: WORLD_MOTION, anchor: [0, 0, 0], axis: [0, 0, 1],
    })
    for (const angle of [1e-9, 1e-3, 0.3, 0.46, 1, 2, 3, 3.1]) {
      const { error } = errors(joint, still(turn([1, 2, 0], angle), [0, 0, 0]), WORLD_MOTION)
      close(Math.hypot(error[3]!, error[4]!) / angle, 1, 1e-13)
    }
  })
})

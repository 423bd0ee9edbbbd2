/** Response of the gap at the end of a step to an impulse at its start, against differences of the gap. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { rigidBody } from '../../../../../core/dynamics/body'
import { diagonal } from '../../../../../core/math/matrix'
import { rotate } from '../../../../../core/math/quaternion'
import { add, dot, sub, type Vec3 } from '../../../../../core/math/vector'
import { GapGradients } from '../../../../../core/methods/time-stepping/gap-gradients'
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
    const gradient = new GapGradients(island, { motions, end } as unknown as StepArrays)
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
  const gradient = new GapGradients(island, { motions, end } as unknown as StepArrays)
    .along({ bodyA: 0, bodyB: 1 } as PrimitivePair, point, normal, new Float64Array(12))
  const predicted = gradient.reduce((sum, part, k) => sum + h * part * (more.velocity[k]! - less.velocity[k]!), 0)
  expect(Math.abs(more.gap - less.gap - predicted)).toBeLessThanOrEqual(1e-9 * Math.abs(predicted))
})

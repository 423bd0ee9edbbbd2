import { expect, it } from 'vitest'
import { bodyAt, box, recorded, sceneOf, worst } from './support'

const g = 9.81

it('a hinge carries a hanging body', () => {
  const run = recorded(sceneOf([box('sign', [1, 0.1, 0.5], [0.5, 0, -0.25])], 0, { duration: 0.5, outputRate: 20 }, {
    joints: [
      { id: 'left', type: 'ball', bodyA: 'sign', bodyB: null, anchor: [0, 0, 0] },
      { id: 'right', type: 'ball', bodyA: 'sign', bodyB: null, anchor: [1, 0, 0] },
    ],
  }))
  const weight = 50 * g
  for (const { force } of run.joints) {
    expect(Math.abs(force[2]! / (weight / 2) - 1)).toBeLessThanOrEqual(1e-9)
    expect(Math.abs(force[5]! / (weight / 2) - 1)).toBeLessThanOrEqual(1e-9)
  }
})

it('a motor accelerates a wheel to its target with full torque, and then needs none', () => {
  const run = recorded(sceneOf([box('wheel', [1, 1, 0.2], [0, 0, 0])], 0, { duration: 2, outputRate: 50 }, {
    gravity: [0, 0, 0],
    joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [0, 0, 0], axis: [0, 0, 1], motor: { targetVelocity: 3, maxForce: 100 } }],
  }))
  const inertia = 200 * 2 / 12
  const reached = 3 * inertia / 100
  for (let k = 0; k < run.frames.length; k++) {
    const { time } = run.frames[k]!
    const { angularVelocity } = bodyAt(run.frames[k]!, 0)
    if (Math.abs(time - reached) < 1e-9) continue
    expect(Math.abs(angularVelocity[2]! - Math.min(3, 100 / inertia * time))).toBeLessThanOrEqual(1e-9)
    expect(Math.abs(run.joints[k]!.motorForce[0]! - (time < reached ? 100 : 0))).toBeLessThanOrEqual(1e-7)
  }
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
})

it('a slider stops at its limit, and the limit carries the weight', () => {
  const run = recorded(sceneOf([box('lift', [1, 1, 1], [0, 0, 0])], 0, { duration: 1, outputRate: 20 }, {
    joints: [{ id: 'rail', type: 'slider', bodyA: 'lift', bodyB: null, anchor: [0, 0, 0], axis: [0, 0, 1], limits: { lower: -0.5 } }],
  }))
  const last = run.joints.at(-1)!
  expect(Math.abs(last.position[0]! + 0.5)).toBeLessThanOrEqual(1e-12)
  expect(Math.abs(last.limitForce[0]! / (1000 * g) - 1)).toBeLessThanOrEqual(1e-9)
  expect(run.events.some(event => event.kind === 'limit' && Math.abs(event.time - Math.sqrt(1 / g)) < 1e-9)).toBe(true)
})

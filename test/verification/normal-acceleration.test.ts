/** Recorded accelerations at contacts are those that the recorded forces cause. */

import { expect, it } from 'vitest'
import { ball, bodyIn, floor, recorded, sceneOf } from './support'

it('a ball that comes down is stopped by its mass times the change of its speed, in the step of the impact and after it', () => {
  const mass = 1000 * 4 / 3 * Math.PI * 0.1 ** 3
  const run = recorded(sceneOf([floor, ball('ball', 0.1, [0, 0, 0.125], { linearVelocity: [0, 0, -1] })], 0.5, {
    method: 'time-stepping', duration: 0.1, outputRate: 100, timeStepping: { step: 0.01 },
  }, { gravity: [0, 0, 0] }))
  expect(run.end.status).toBe('completed')
  let pushed = 0
  run.frames.forEach((frame, k) => {
    const contacts = run.contacts[k]!
    if (k === 0 || contacts.count === 0 || contacts.normalForce[0] === 0) return
    pushed++
    const change = (bodyIn(run, 'ball', frame).linearVelocity[2]! - bodyIn(run, 'ball', run.frames[k - 1]).linearVelocity[2]!) / 0.01
    expect(change).toBeGreaterThan(1)
    expect(contacts.normalAcceleration[0]!).toBeCloseTo(change, 8)
    expect(contacts.normalForce[0]!).toBeCloseTo(mass * change, 7)
  })
  expect(pushed).toBeGreaterThan(0)
})

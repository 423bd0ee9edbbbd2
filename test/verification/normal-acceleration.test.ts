/** Recorded accelerations at contacts are those that the recorded forces cause. */

import { expect, it } from 'vitest'
import { bodyIn, floor, recorded, sceneOf } from './support'

it('a disc that comes down flat is stopped by its mass times the change of its speed, in the step of the impact and after it', () => {
  const mass = 1000 * Math.PI * 0.1 ** 2 * 0.2
  const run = recorded(sceneOf([floor, { id: 'disc', shapes: [{ type: 'cylinder', radius: 0.1, height: 0.2, material: 'stone' }], position: [0, 0, 0.125], linearVelocity: [0, 0, -1] }], 0.5, {
    method: 'time-stepping', duration: 0.1, outputRate: 100, timeStepping: { step: 0.01 },
  }, { gravity: [0, 0, 0] }))
  expect(run.end.status).toBe('completed')
  let pushed = 0
  run.frames.forEach((frame, k) => {
    const contacts = run.contacts[k]!
    if (k === 0 || contacts.count === 0 || contacts.normalForce.every(force => force === 0)) return
    pushed++
    const change = (bodyIn(run, 'disc', frame).linearVelocity[2]! - bodyIn(run, 'disc', run.frames[k - 1]).linearVelocity[2]!) / 0.01
    expect(change).toBeGreaterThan(1)
    for (let i = 0; i < contacts.count; i++) expect(contacts.normalAcceleration[i]!).toBeCloseTo(change, 8)
    expect(contacts.normalForce.reduce((sum, force) => sum + force, 0)).toBeCloseTo(mass * change, 6)
  })
  expect(pushed).toBeGreaterThan(0)
})

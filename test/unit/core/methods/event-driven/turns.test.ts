import { expect, it } from 'vitest'
import { bodyIn, box, floor, recorded, sceneOf, size } from '../../../../verification/support'

it('a puck led round by a spring slides in a circle without events, with friction always opposite to its velocity', () => {
  const [omega, radius] = [10, 0.5]
  const mass = 0.2 * 0.2 * 0.1 * 1000
  const made = recorded(sceneOf(
    [floor, box('puck', [0.2, 0.2, 0.1], [radius, 0, 0.05], { linearVelocity: [0, omega * radius, 0] })], 0.02,
    { method: 'event-driven', duration: 0.4, outputRate: 50 },
    { forces: [{ id: 's', type: 'spring', bodyA: 'puck', pointA: [0, 0, 0], bodyB: null, pointB: [0, 0, 0.05], stiffness: mass * omega * omega, damping: 0, restLength: 0 }] },
  ))
  expect(made.end.status).toBe('completed')
  expect(made.events.filter(({ kind }) => ['stick', 'slip', 'reversal', 'release', 'touch'].includes(kind))).toEqual([])
  const { position } = bodyIn(made, 'puck')
  expect(Math.atan2(position[1]!, position[0]!)).toBeLessThan(0) // it has rotated by more than half a turn
  made.contacts.forEach((contacts, k) => {
    const { linearVelocity: v } = bodyIn(made, 'puck', made.frames[k])
    const force = [0, 1].map(axis => Array.from({ length: contacts.count }, (_, i) => contacts.frictionForce[3 * i + axis]!).reduce((sum, f) => sum + f, 0))
    expect((force[0]! * v[0]! + force[1]! * v[1]!) / (size(force) * size(v))).toBeLessThan(-0.999)
  })
})

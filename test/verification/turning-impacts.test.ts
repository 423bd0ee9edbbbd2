/** Impacts that only the rotation of a body causes, in time steps with sequential impacts. */

import { expect, it } from 'vitest'
import { ball, bodyIn, box, recorded, size } from './support'

const RADIUS = 0.05
const ARM = 0.45
const RATE = 20
const BALL = 1000 * 4 / 3 * Math.PI * RADIUS ** 3
const BAR = 2.5
const INERTIA = BAR * (1 + 0.05 * 0.05) / 12

it('a bar that turns about its resting centre strikes the first of two touching balls, which passes the impulse on, and strikes it again', () => {
  const near = 0.025 + RADIUS + 1e-3
  const made = recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stone', density: 1000, friction: { static: 0, dynamic: 0 }, restitution: 1 }], gravity: [0, 0, 0],
    bodies: [
      box('bar', [1, 0.05, 0.05], [0, 0, 0], { angularVelocity: [0, 0, RATE] }), ball('first', RADIUS, [ARM, near, 0]), ball('second', RADIUS, [ARM, near + 2 * RADIUS, 0]),
    ],
    simulation: { method: 'time-stepping', duration: 0.004, outputRate: 500, eventDriven: { impact: 'sequential' }, timeStepping: { step: 0.001 } },
  })
  expect(made.end.status).toBe('completed')
  expect(made.events.map(({ kind }) => kind)).toEqual(['impact', 'impact', 'impact'])
  // An impact within a step is resolved at its start, before the bar has turned. Expected: the effective mass of the bar at the ball's lever arm, and the speed after an elastic impact.
  const mass = 1 / (1 / BAR + ARM * ARM / INERTIA)
  const struck = 2 * mass / (mass + BALL) * RATE * ARM
  const left = (mass - BALL) / (mass + BALL)
  const [bar, first, second] = ['bar', 'first', 'second'].map(id => bodyIn(made, id))
  expect(Math.abs(size(second!.linearVelocity) / struck - 1)).toBeLessThanOrEqual(1e-9)
  expect(Math.abs(size(first!.linearVelocity) / (left * struck) - 1)).toBeLessThanOrEqual(1e-9)
  const energy = BAR * size(bar!.linearVelocity) ** 2 + INERTIA * bar!.angularVelocity[2]! ** 2 + BALL * (size(first!.linearVelocity) ** 2 + size(second!.linearVelocity) ** 2)
  expect(Math.abs(energy / (INERTIA * RATE * RATE) - 1)).toBeLessThanOrEqual(1e-9)
})

/** Two balls that touch hit three that touch, elastically and without gravity: the last two leave with the velocity of the first two, which then rest. */

import { expect, it } from 'vitest'
import { bodyAt, recorded } from './support'

const RADIUS = 0.1

it.each(['event-driven', 'time-stepping'])('two elastic balls hit three: velocities are exchanged, by %s', method => {
  const balls = [-0.25, -0.05, 0.4, 0.6, 0.8].map((x, k) => ({
    id: `b${k}`, type: 'dynamic', position: [x, 0, 0], shapes: [{ type: 'sphere', radius: RADIUS, material: 'm' }], ...k < 2 ? { linearVelocity: [1, 0, 0] } : {},
  }))
  const run = recorded({
    format: 'cairn-scene', version: 1, gravity: [0, 0, 0], bodies: balls,
    materials: [{ id: 'm', density: 1000, friction: { static: 0, dynamic: 0 }, restitution: 1 }],
    simulation: { method, duration: 2, outputRate: 240, eventDriven: { impact: 'sequential' }, timeStepping: { step: 1 / 240 } },
  })
  expect(run.end.status).toBe('completed')
  expect(run.certificates.reduce((sum, { degraded }) => sum + degraded, 0)).toBe(0)
  const last = run.frames.at(-1)!
  for (const [k, speed] of [0, 0, 0, 1, 1].entries()) {
    const { linearVelocity: [x, y, z] } = bodyAt(last, k)
    // What is left of a residual of 1e-9 m, the gap tolerance, in a step.
    expect(Math.max(Math.abs(x! - speed), Math.abs(y!), Math.abs(z!))).toBeLessThanOrEqual(1e-9)
  }
})

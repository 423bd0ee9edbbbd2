import { expect, it } from 'vitest'
import { ball, bodyIn, box, floor, recorded, sceneOf } from '../../../verification/support'

it('by Lötstedt\'s law a block held down by a heavy ball slides once the ball has rolled off', () => {
  // Gravity is tilted by 20°: alone the block slides with μ = 0.3 (tan 20° = 0.36), with the ball's weight on it as well it does not.
  const tilt = 20 * Math.PI / 180
  const made = recorded({
    ...sceneOf([
      floor, box('block', [1, 1, 0.2], [0, 0, 0.1]), ball('clock', 0.1, [0, 5, 1]), ball('ball', 0.1, [0.2, 0, 0.3], { shapes: [{ type: 'sphere', radius: 0.1, material: 'slippery' }] }),
    ], 0.3, { method: 'event-driven', duration: 0.6, outputRate: 20, eventDriven: { staticFriction: 'lotstedt' } }),
    gravity: [9.81 * Math.sin(tilt), 0, -9.81 * Math.cos(tilt)],
    materials: [
      { id: 'stone', density: 1000, friction: { static: 0.3, dynamic: 0.3 }, restitution: 0 },
      { id: 'slippery', density: 20000, friction: { static: 0, dynamic: 0 }, restitution: 0 },
    ],
    // The friction bounds are those of the previous step; an oscillating body keeps the steps short.
    forces: [{ id: 'swing', type: 'spring', bodyA: 'clock', pointA: [0, 0, 0], bodyB: null, pointB: [0, 5, 2], stiffness: 1e3, damping: 0, restLength: 0.5 }],
  })
  expect(made.end.status).toBe('completed')
  const left = Math.sqrt(2 * 0.3 / (9.81 * Math.sin(tilt)))
  for (const frame of made.frames) if (frame.time < left) expect(bodyIn(made, 'block', frame).position[0]).toBeCloseTo(0, 9)
  const speed = 9.81 * (Math.sin(tilt) - 0.3 * Math.cos(tilt)) * (0.6 - left)
  expect(Math.abs(bodyIn(made, 'block').linearVelocity[0]! / speed - 1)).toBeLessThan(0.2)
})

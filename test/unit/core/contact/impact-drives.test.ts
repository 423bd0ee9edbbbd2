/** Motors in an impact: a bounded force has no impulse in zero time, whatever its bound. */

import { describe, expect, it } from 'vitest'
import { bodyIn, recorded } from '../../../verification/support'

/** m/s along x of a block on a rail and of a ball of the same mass after the ball struck it, centrally and elastically, at 2 m/s. */
function struck(motor: object | undefined): { block: number; ball: number } {
  const mass = { mass: { mass: 1, centerOfMass: [0, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }
  const run = recorded({
    format: 'cairn-scene', version: 1, gravity: [0, 0, 0], materials: [{ id: 'm', density: 1000, friction: { static: 0, dynamic: 0 }, restitution: 1 }],
    bodies: [
      { id: 'block', position: [0, 0, 0], ...mass, shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'm' }] },
      { id: 'ball', position: [-0.3, 0, 0], linearVelocity: [2, 0, 0], ...mass, shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] },
    ],
    joints: [{ id: 'rail', type: 'slider', bodyA: 'block', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0], ...motor && { motor } }],
    // The ball hits the block at 0.05 s; a motor of 1 mN changes its speed by 1e-5 m/s in the remaining time.
    simulation: { duration: 0.06, outputRate: 100, method: 'event-driven' },
  })
  expect(run.end.status).toBe('completed')
  expect(run.events.filter(({ kind }) => kind === 'impact')).toHaveLength(1)
  return { block: bodyIn(run, 'block').linearVelocity[0]!, ball: bodyIn(run, 'ball').linearVelocity[0]! }
}

describe('a block on a rail that a ball strikes', () => {
  it('takes over the ball\'s speed without a motor, and with one of bounded force', () => {
    const free = struck(undefined)
    expect(free.block).toBeCloseTo(2, 9)
    expect(free.ball).toBeCloseTo(0, 9)
    const bounded = struck({ targetVelocity: 0, maxForce: 1e-3 })
    expect(bounded.block).toBeCloseTo(2 - 1e-3 * 0.01, 7)
    expect(bounded.ball).toBeCloseTo(0, 9)
  })
})

/**
 * A plate comes down on the round tip of a rod on a hinge. Friction holds the tip, and the plate can turn the rod out of the way only if the push has
 * the longer lever arm: L sin θ > μ (L cos θ + r) + ρ, with the rolling friction ρ of the tip. Otherwise nothing can move while the plate continues:
 * no motion satisfies both hinge and contact.
 */

import { describe, expect, it } from 'vitest'
import { noScripts, recorded } from '../../../../verification/support'

const L = 1
const r = 0.05
const mu = 0.5

function rod(theta: number, rolling: number) {
  const centre = [L * Math.sin(theta), 0, L * Math.cos(theta)] as const
  return {
    format: 'cairn-scene', version: 1, gravity: [0, 0, 0],
    materials: [{ id: 'm', density: 1000, friction: { static: mu, dynamic: mu, rolling }, restitution: 0 }],
    bodies: [
      { id: 'rod', type: 'dynamic', position: centre, shapes: [{ type: 'sphere', radius: r, material: 'm' }] },
      {
        id: 'plate', type: 'kinematic', position: [0, 0, centre[2] + r + 0.1 + 0.0105], linearVelocity: [0, 0, -1],
        shapes: [{ type: 'box', size: [8, 1, 0.2], material: 'm' }],
      },
    ],
    joints: [{ id: 'hinge', type: 'hinge', bodyA: 'rod', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0] }],
    simulation: { duration: 0.05, outputRate: 100, method: 'time-stepping', timeStepping: { step: 0.005 } },
  }
}

/** θ at which both lever arms are equal. */
function balance(rolling: number): number {
  // L sin θ − μ L cos θ = μ r + ρ, with sin θ − μ cos θ = √(1 + μ²) sin(θ − atan μ).
  return Math.atan(mu) + Math.asin((mu * r + rolling) / (L * Math.sqrt(1 + mu * mu)))
}

describe.each([0, 0.02])('a plate on a leaning rod, rolling friction %d m', rolling => {
  it('turns the rod away if the push has the longer lever arm', () => {
    const run = recorded(rod(balance(rolling) + 0.01, rolling), noScripts)
    expect(run.end.status).toBe('completed')
  })

  it('is reported to jam otherwise, quickly', { tags: 'long' }, () => {
    const run = recorded(rod(balance(rolling) - 0.01, rolling), noScripts)
    expect(run.end).toMatchObject({ status: 'stopped', reason: 'StepSizeUnderflow', ids: ['rod'] })
    expect(run.end.message).toMatch(/no impulses of contacts, drives and limits were found that hold together with the joints \(residual /)
  })
})

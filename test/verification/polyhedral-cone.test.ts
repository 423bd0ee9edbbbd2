/**
 * Friction with a pyramid instead of the round cone, by Lemke's algorithm: a block pushed from rest over a floor. Friction is the point of the polygon of radius
 * μ m g nearest to minus the push: all of it along one of its d directions, cos(π/d) of it midway between two.
 */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, size } from './support'

const g = 9.81
const mu = 0.3
const push = 6

/** m/s²: of a block pushed with 6 m/s² at an angle to the first direction. */
function acceleration(angle: number, timeStepping: object): number {
  const force = [1000 * push * Math.cos(angle), 1000 * push * Math.sin(angle), 0]
  const run = recorded(sceneOf([floor, box('block', [1, 1, 1], [0, 0, 0.5])], mu, { method: 'time-stepping', duration: 0.05, outputRate: 60, timeStepping }, {
    forces: [{ id: 'push', type: 'uniform', bodies: ['block'], force }],
  }))
  expect(run.end.status).toBe('completed')
  return size(bodyAt(run.frames.at(-1)!, 1).linearVelocity) / 0.05
}

const pyramid = (frictionDirections: number): object => ({ solver: 'lemke', frictionCone: 'polyhedral', frictionDirections })

describe.each([4, 8, 16, 32])('a pyramid of %i directions', directions => {
  it('holds with all of its friction along a direction', () => {
    expect(Math.abs(acceleration(0, pyramid(directions)) - (push - mu * g))).toBeLessThanOrEqual(1e-8)
  })

  it('holds with cos(π/d) of it midway between two', () => {
    expect(Math.abs(acceleration(Math.PI / directions, pyramid(directions)) - (push - mu * g * Math.cos(Math.PI / directions)))).toBeLessThanOrEqual(1e-8)
  })
})

it('comes to the round cone with the square of the number of directions', () => {
  const exact = acceleration(Math.PI / 8, { solver: 'lemke' })
  expect(Math.abs(exact - (push - mu * g))).toBeLessThanOrEqual(1e-8)
  const error = (directions: number): number => acceleration(Math.PI / directions, pyramid(directions)) - exact
  expect(Math.log2(error(16) / error(32))).toBeGreaterThanOrEqual(1.95)
})

it('is solved alike by sweeps', () => {
  const angle = Math.PI / 12
  expect(Math.abs(acceleration(angle, pyramid(8)) - acceleration(angle, { ...pyramid(8), solver: 'accelerated' }))).toBeLessThanOrEqual(1e-4)
})

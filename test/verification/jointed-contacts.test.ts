/** Bodies with joints and contacts, stepped, beside the event-driven method: motion and energy are of second order in the step. */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, type Recorded } from './support'

const event = { method: 'event-driven', eventDriven: { tolerance: 1e-12 } }
const stepped = (step: number): object => ({ method: 'time-stepping', timeStepping: { step } })
const run = (bodies: readonly object[], joints: readonly object[], friction: number, restitution: number, duration: number, simulation: object): Recorded =>
  recorded(sceneOf([floor, ...bodies], friction, { duration, outputRate: 20, ...simulation }, { joints }, restitution))

/** A box that slides on the floor, with a bar that swings from level on its side. */
const cart = (simulation: object): Recorded => run(
  [box('cart', [1, 0.5, 0.3], [0, 0, 0.15]), box('bar', [0.8, 0.05, 0.05], [0.4, 0.35, 1.2])],
  [{ id: 'hinge', type: 'hinge', bodyA: 'cart', bodyB: 'bar', anchor: [0, 0.35, 1.2], axis: [0, 1, 0] }], 0.02, 0, 1, simulation)

/** A wheel that rolls under a bar, which swings from its axle. */
const wheel = (simulation: object): Recorded => run(
  [
    { id: 'wheel', position: [0, 0, 0.3], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.3, height: 0.2, material: 'stone' }] },
    box('bar', [0.28, 0.05, 0.05], [0.14, 0.2, 0.3]),
  ],
  [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: 'bar', anchor: [0, 0.2, 0.3], axis: [0, 1, 0] }], 0.9, 0, 1, simulation)

/** The end of a bar falls on the floor and rebounds; the limit of its hinge is far away. */
const flail = (simulation: object): Recorded => run(
  [box('block', [1, 0.5, 0.5], [0, 0, 0.25]), box('bar', [0.8, 0.05, 0.05], [0.4, 0.35, 0.5])],
  [{ id: 'hinge', type: 'hinge', bodyA: 'block', bodyB: 'bar', anchor: [0, 0.35, 0.5], axis: [0, 1, 0], limits: { lower: -2, upper: 2 } }], 0.5, 0.5, 0.5, simulation)

/** m: largest distance of a body between frames of two runs. */
function distance(one: Recorded, other: Recorded, body: number): number {
  expect([one.end.status, one.end.message, other.end.status]).toEqual(['completed', '', 'completed'])
  return Math.max(...one.frames.map((frame, k) => Math.hypot(...bodyAt(frame, body).position.map((x, i) => x - bodyAt(other.frames[k]!, body).position[i]!))))
}

const residual = ({ certificates }: Recorded): number => Math.max(...certificates.map(({ energy }) => Math.abs(energy.residual)))

describe.each([
  { name: 'a cart with a swinging bar', of: cart, error: 1.2e-3, energy: 2e-3 },
  { name: 'a wheel with a swinging bar', of: wheel, error: 2.5e-3, energy: 2e-2 },
])('$name', ({ of, error, energy }) => {
  const exact = of(event)
  const [coarse, fine] = [of(stepped(1 / 60)), of(stepped(1 / 240))]

  it('moves as by the event-driven method, with an error that shrinks by the square of the step', () => {
    const [one, other] = [distance(coarse, exact, 2), distance(fine, exact, 2)]
    expect(one).toBeLessThan(error)
    expect(other).toBeLessThan(one / 12)
  })

  it('keeps its energy balance to second order too', () => {
    expect(residual(coarse)).toBeLessThan(energy)
    expect(residual(fine)).toBeLessThan(residual(coarse) / 12)
    for (const { certificates } of [coarse, fine]) {
      for (const { maxPenetration, maxJointError } of certificates) {
        expect(maxPenetration).toBe(0)
        expect(maxJointError).toBeLessThan(1e-10)
      }
    }
  })
})

it('a bar on a hinge rebounds from the floor at its instant, whatever the step', () => {
  const exact = flail(event)
  for (const step of [1 / 60, 1 / 100, 1 / 240]) {
    const found = flail(stepped(step))
    expect(distance(found, exact, 2)).toBeLessThan(40 * step * step)
    expect(residual(found)).toBeLessThan(0.02)
  }
})

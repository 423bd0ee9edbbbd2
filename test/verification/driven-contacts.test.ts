/** Bodies with contacts whose joints have motors, servos or friction, stepped, beside the event-driven method: motion and energy are of second order. */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, type Recorded } from './support'

const event = { method: 'event-driven', eventDriven: { tolerance: 1e-12 } }
const stepped = (step: number): object => ({ method: 'time-stepping', timeStepping: { step } })
type Scene = (simulation: object) => Recorded

const run = (bodies: readonly object[], joints: readonly object[], friction: number | { static: number, dynamic: number }, simulation: object): Recorded =>
  recorded(sceneOf([floor, ...bodies], friction, { duration: 1, outputRate: 20, ...simulation }, { joints }, 0))

const wheel = (id: string, x: number): object => (
  { id, position: [x, 0, 0.2], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.2, material: 'stone' }] })

/** Two wheels on a chassis; the rear one is driven. */
const car = (motor: object): Scene => simulation => run(
  [box('chassis', [1, 0.2, 0.1], [0, 0.3, 0.3]), wheel('rear', -0.4), wheel('front', 0.4)],
  [
    { id: 'rear-axle', type: 'hinge', bodyA: 'chassis', bodyB: 'rear', anchor: [-0.4, 0, 0.2], axis: [0, 1, 0], motor },
    { id: 'front-axle', type: 'hinge', bodyA: 'chassis', bodyB: 'front', anchor: [0.4, 0, 0.2], axis: [0, 1, 0] },
  ], 0.9, simulation)

/** A box that slides on the floor, with a bar on its side. */
const bar = (joint: object, motion: object = {}): Scene => simulation => run(
  [box('cart', [1, 0.5, 0.3], [0, 0, 0.15]), { ...box('bar', [0.8, 0.05, 0.05], [0.4, 0.35, 1.2]), ...motion }],
  [{ id: 'shoulder', bodyA: 'cart', bodyB: 'bar', anchor: [0, 0.35, 1.2], ...joint }], 0.02, simulation)
const hinge = { type: 'hinge', axis: [0, 1, 0] }

/** m: largest distance of a body between frames of two runs. */
function distance(one: Recorded, other: Recorded): number {
  expect([one.end.status, one.end.message, other.end.status]).toEqual(['completed', '', 'completed'])
  const bodies = Array.from(one.header.bodyIds.keys())
  return Math.max(...one.frames.flatMap((frame, k) => bodies.map(body =>
    Math.hypot(...bodyAt(frame, body).position.map((x, i) => x - bodyAt(other.frames[k]!, body).position[i]!)))))
}

const residual = ({ certificates }: Recorded): number => Math.max(...certificates.map(({ energy }) => Math.abs(energy.residual)))

describe.each([
  { name: 'a car with a limited torque', of: car({ targetVelocity: -1000, maxForce: 60 }), error: 1e-7, energy: 1e-8 },
  { name: 'a car that reaches its speed', of: car({ targetVelocity: -5, maxForce: 60 }), error: 1e-5, energy: 1e-8 },
  { name: 'a car at its speed from the start, on slipping wheels', of: car({ targetVelocity: -0.5, maxForce: 1e6 }), error: 2e-5, energy: 1e-4 },
])('$name', ({ of, error, energy }) => {
  it('moves as by the event-driven method, with its energy, whatever the step', () => {
    const exact = of(event)
    for (const step of [1 / 60, 1 / 240]) {
      const found = of(stepped(step))
      expect(distance(found, exact)).toBeLessThan(error)
      expect(residual(found)).toBeLessThan(energy)
    }
  })
})

describe.each([
  { name: 'a motor', of: bar({ ...hinge, motor: { targetVelocity: 3, maxForce: 20 } }), error: 5e-4, energy: 2e-3 },
  { name: 'a servo', of: bar({ ...hinge, servo: { stiffness: 40, damping: 4, target: 1 } }), error: 2e-2, energy: 6e-2 },
  { name: 'friction', of: bar({ ...hinge, friction: 3 }), error: 4e-3, energy: 2e-3 },
])('a bar on a sliding cart, with $name in its hinge', ({ of, error, energy }) => {
  const exact = of(event)
  const [coarse, fine] = [of(stepped(1 / 60)), of(stepped(1 / 240))]

  it('moves as by the event-driven method, with an error that shrinks by the square of the step', () => {
    expect(distance(coarse, exact)).toBeLessThan(error)
    expect(distance(fine, exact)).toBeLessThan(error / 16)
  })

  it('keeps its energy balance to second order too', () => {
    expect(residual(coarse)).toBeLessThan(energy)
    expect(residual(fine)).toBeLessThan(energy / 16)
  })
})

it('a bar on a ball joint with friction moves as by the event-driven method', { tags: 'long' }, () => {
  const of = bar({ type: 'ball', friction: 3 }, { angularVelocity: [2, 0, 3] })
  const found = of(stepped(1 / 60))
  expect(distance(found, of(event))).toBeLessThan(5e-3)
  expect(residual(found)).toBeLessThan(0.01)
})

describe('a turning cart with a bar', () => {
  const of = (kind: 'torsional' | 'rolling'): Scene => simulation => run(
    [{ ...box('cart', [1, 0.5, 0.3], [0, 0, 0.15]), linearVelocity: [1, 0, 0], angularVelocity: [0, 0, 2] }, box('bar', [0.8, 0.05, 0.05], [0.4, 0.35, 1.2])],
    [{ id: 'shoulder', bodyA: 'cart', bodyB: 'bar', anchor: [0, 0.35, 1.2], ...hinge }], { static: 0.3, dynamic: 0.3, [kind]: 0.02 }, { duration: 0.3, ...simulation })

  it('moves as by the event-driven method with torsional friction', () => {
    const exact = of('torsional')(event)
    expect(distance(of('torsional')(stepped(1 / 60)), exact)).toBeLessThan(5e-3)
    expect(distance(of('torsional')(stepped(1 / 240)), exact)).toBeLessThan(2e-3)
  })

  // Its normal forces, and so its motion, are indeterminate.
  it('moves to the end with rolling friction, with its energy', () => {
    const found = of('rolling')(stepped(1 / 60))
    expect(found.end.status).toBe('completed')
    expect(residual(found)).toBeLessThan(2e-3)
  })
})

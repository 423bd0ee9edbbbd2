/**
 * A rattleback: an ellipsoid whose axes of inertia are turned against those of its shape. Its spin turns into rocking, and then into spin in the opposite direction. It only rolls,
 * so that its energy stays: rolling of first order loses all of it in 20 s. The event-driven method gives the motion to compare with.
 */

import { expect, it } from 'vitest'
import { bodyAt, recorded } from './support'

const DURATION = 4
const scene = (simulation: object) => ({
  format: 'cairn-scene', version: 1, gravity: [0, 0, -9.81], materials: [{ id: 'm', friction: { static: 1.5, dynamic: 1.5 } }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] },
    {
      id: 'rattleback', position: [8.726535498373937e-5, -8.72620321864176e-5, 0.0200761919313992],
      orientation: [0.004363267749186967, 0.004363267749186967, 1.9038467914355635e-5, 0.9999809615320856],
      linearVelocity: [0.0015163921237895883, 0.08649460188570156, 0], angularVelocity: [0, 0, -5],
      mass: { mass: 1, centerOfMass: [0, 0, -0.01], inertia: [0.0002, 0.0016, 0.0017, -2e-5, 0, 0] },
      shapes: [{ type: 'ellipsoid', radii: [0.2, 0.03, 0.02], material: 'm' }],
    },
  ],
  simulation: { duration: DURATION, outputRate: 50, ...simulation },
})

it('turns round as event-driven, with errors of second order, and loses no energy by rolling', { tags: 'long' }, () => {
  const exact = recorded(scene({ method: 'event-driven' }))
  expect(exact.end.status).toBe('completed')
  const last = bodyAt(exact.frames.at(-1)!, 1)
  expect(last.angularVelocity[2]!).toBeGreaterThan(2)
  const errors = [1 / 1000, 1 / 2000].map(step => {
    const { end, frames, certificates } = recorded(scene({ method: 'time-stepping', timeStepping: { step } }))
    expect(end.status).toBe('completed')
    const { energy } = certificates.at(-1)!
    expect(Math.abs(energy.friction)).toBeLessThan(1e-3 * certificates[0]!.energy.kinetic)
    return Math.hypot(...bodyAt(frames.at(-1)!, 1).position.map((value, k) => value - last.position[k]!))
  })
  expect(errors[0]).toBeLessThan(5e-4)
  expect(errors[1]).toBeLessThan(errors[0]! / 3)
})

import { expect, it } from 'vitest'
import { ball, bodyIn, recorded, sceneOf } from '../../../../verification/support'

/** m/s: error of the speed after 1 s of a ball of 1 kg with drag 2 N s/m, in steps of h seconds. */
function error(h: number): number {
  const radius = Math.cbrt(3 / (4000 * Math.PI))
  const run = recorded(sceneOf([ball('b', radius, [0, 0, 0], { linearVelocity: [1, 0, 0] })], 0.5, { method: 'time-stepping', duration: 1, outputRate: 1, timeStepping: { step: h } }, {
    gravity: [0, 0, 0], forces: [{ id: 'd', type: 'drag', bodies: ['b'], linear: 2, quadratic: 0 }],
  }))
  return Math.abs(bodyIn(run, 'b').linearVelocity[0]! - Math.exp(-2))
}

it('a body with drag slows down with an error of second order in the step', () => {
  const errors = [0.02, 0.01, 0.005].map(error)
  expect(errors[0]! / errors[1]!).toBeGreaterThan(3.8)
  expect(errors[1]! / errors[2]!).toBeGreaterThan(3.8)
})

/** Forces that are stiff for the step: the energy is balanced, whatever the step. */

import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, floor, recorded, sceneOf, type Recorded } from './support'

function stepped(bodies: readonly object[], rest: object, simulation: object = {}): Recorded {
  return recorded(sceneOf(bodies, 0.5, { method: 'time-stepping', duration: 1, outputRate: 10, timeStepping: { step: 0.1 }, ...simulation }, rest))
}

const spring = (stiffness: number, damping: number): object =>
  ({ forces: [{ id: 's', type: 'spring', bodyA: 'bob', pointA: [0, 0, 0], bodyB: null, pointB: [0, 0, 2], stiffness, damping, restLength: 1 }] })

/** Kinetic and potential energy exceed the initial energy at most by this share of it. */
function expectNoGain(run: Recorded, share: number): void {
  expect(run.end.status).toBe('completed')
  const energies = run.certificates.map(({ energy }) => energy.kinetic + energy.potential)
  const most = Math.max(...run.certificates.map(({ energy }) => energy.kinetic + Math.abs(energy.potential)))
  for (const energy of energies) expect(energy - energies[0]!).toBeLessThanOrEqual(share * most)
}

describe('with steps of 0.1 s', () => {
  it('a spring of 1 MN/m on a ball of 4 kg continues to oscillate, and an event reports shorter steps', () => {
    const run = stepped([ball('bob', 0.1, [0, 0, 0.9])], spring(1e6, 0), { duration: 0.3 })
    expectNoGain(run, 0.25)
    expect(Math.abs(bodyAt(run.frames.at(-1)!, 0).position[2]! - 1)).toBeLessThanOrEqual(0.2)
    expect(run.events.some(event => event.kind === 'degraded' && event.message?.includes('too stiff'))).toBe(true)
  })

  it('a damper of 10 kN s/m brings it to rest', () => {
    const run = stepped([ball('bob', 0.1, [0, 0, 0.9], { linearVelocity: [1, 2, 3] })], spring(1e3, 1e4), { duration: 0.3 })
    expectNoGain(run, 0.01)
  })

  it('drag a thousand times stronger than what a step resolves stops a body', () => {
    const run = stepped([ball('bob', 0.1, [0, 0, 5], { linearVelocity: [10, 0, 0] })], {
      gravity: [0, 0, 0], forces: [{ id: 'd', type: 'drag', bodies: ['bob'], linear: 1e4, quadratic: 0 }],
    }, { duration: 0.3 })
    expectNoGain(run, 1e-9)
    expect(Math.abs(bodyAt(run.frames.at(-1)!, 0).linearVelocity[0]!)).toBeLessThanOrEqual(1e-3)
  })

  it('a damped hinge spring of 10 kN m does not throw its door', () => {
    const run = stepped([box('door', [1, 0.1, 1], [0.5, 0, 0])], {
      joints: [{ id: 'hinge', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [0, 0, 0], axis: [0, 0, 1], damping: 1e3, spring: { stiffness: 1e4, rest: 0.5 } }],
    }, { duration: 0.5 })
    expectNoGain(run, 0.01)
  })
})

it('forces too stiff for any step stop the run with a reason', () => {
  const run = stepped([floor, ball('bob', 0.1, [0, 0, 0.9])], spring(1e14, 0), { duration: 0.1 })
  expect(run.end.status).toBe('stopped')
  expect(run.end.reason).toBe('StepSizeUnderflow')
  expect(run.end.message).toContain('too stiff')
})

describe('shortened steps', () => {
  const steps = (run: Recorded): number[] => run.certificates.map(certificate => certificate.steps)
  const told = (run: Recorded): number => run.events.filter(({ kind }) => kind === 'degraded').length

  it('become longer again when the forces are no longer stiff: a ball that leaves strong wind', () => {
    const run = stepped([ball('bob', 0.1, [0, 0, 5], { linearVelocity: [1, 0, 0] })], {
      gravity: [0, 0, 0],
      forces: [
        { id: 'gale', type: 'wind', velocity: [0, 0, 0], linear: 600, quadratic: 0, box: { min: [-9, -9, -9], max: [0.002, 9, 9] } },
        { id: 'push', type: 'uniform', bodies: ['bob'], force: [2, 0, 0] },
      ],
    }, { duration: 3, outputRate: 30, timeStepping: { step: 1 / 30 } })
    expect(Math.max(...steps(run).slice(0, 10))).toBeGreaterThanOrEqual(4)
    expect(steps(run).slice(-10)).toEqual(Array.from({ length: 10 }, () => 1))
    expectNoGain(run, 0.05)
  })

  it('stay short while forces stay stiff: longer steps are tried seldom, lose no energy, and cause no event', () => {
    const run = stepped([ball('bob', 0.1, [0, 0, 0.8])], spring(1e5, 0), { duration: 5, outputRate: 60, timeStepping: { step: 1 / 60 } })
    expect(told(run)).toBe(1)
    expect(steps(run).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2.05 * (run.frames.length - 1))
    const residuals = run.certificates.map(({ energy }) => Math.abs(energy.residual))
    expect(Math.max(...residuals.slice(30))).toBeLessThanOrEqual(Math.max(...residuals.slice(0, 30)) + 1e-9)
    expect(run.certificates.some(({ solverCalls }) => solverCalls > 0)).toBe(false)
  })
})

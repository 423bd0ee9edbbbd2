/**
 * Joints with drives, limits and friction by time-stepping: second order in the step as long as no row begins to hold or to slip, also for the energy
 * balance.
 */

import { expect, it } from 'vitest'
import { bodyIn, recorded, size, worst, type Recorded } from './support'

const stepsPerSecond = 240

function pendulum(joint: object, body: object = {}, simulation: object = {}): Recorded {
  return recorded({
    format: 'cairn-scene', version: 1,
    bodies: [{ id: 'bob', position: [0.8, 0, -0.6], mass: { mass: 2, inertia: [0.02, 0.03, 0.04, 0, 0, 0] }, ...body }],
    joints: [{ id: 'pivot', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0], ...joint }],
    simulation: { method: 'event-driven', duration: 0.25, outputRate: 60, ...simulation },
  })
}

const stepped = (joint: object, body: object, rate: number, simulation: object = {}): Recorded =>
  pendulum(joint, body, { ...simulation, method: 'time-stepping', timeStepping: { step: 1 / rate } })

const hinge = { type: 'hinge', axis: [0, 1, 0] }
const aside = { linearVelocity: [0, 3, 0], angularVelocity: [1.8, 0, 2.4] }

it.each([
  ['a hinge with Coulomb friction', { ...hinge, friction: 1.5 }, {}],
  ['a hinge with damping', { ...hinge, damping: 0.8 }, {}],
  ['a hinge with a spring', { ...hinge, spring: { stiffness: 20, rest: 0.5 } }, {}],
  ['a motor at its whole torque', { ...hinge, motor: { targetVelocity: -30, maxForce: 3 } }, {}],
  ['a motor that keeps its speed', { ...hinge, motor: { targetVelocity: -3, maxForce: 1000 } },
    { linearVelocity: [1.8, 0, 2.4], angularVelocity: [0, -3, 0] }],
  ['a ball joint with friction, against a rotation that turns', { type: 'ball', friction: 1.5 }, aside],
  ['a universal joint with friction', { type: 'universal', axisA: [0, 1, 0], axisB: [0.6, 0, 0.8], rotationA: { friction: 1.5 }, rotationB: { friction: 0.5 } }, {}],
])('%s: the errors of motion, reaction and energy fall to a quarter with half the step', (_, joint, body) => {
  const exact = pendulum(joint, body)
  const runs = [stepsPerSecond, 2 * stepsPerSecond].map(rate => stepped(joint, body, rate))
  const aim = bodyIn(exact, 'bob').position
  const off = runs.map(run => size(bodyIn(run, 'bob').position.map((x, k) => x - aim[k]!)))
  expect(exact.end.status).toBe('completed')
  // The event-driven run has an error of about 1e-9; a motor at constant speed is exact in both.
  if (off[0]! > 1e-8) expect(off[0]! / off[1]!).toBeGreaterThanOrEqual(3.6)
  const audits = runs.map(run => worst(run, c => c.energy.residual))
  expect(audits[0]!).toBeLessThanOrEqual(1e-3)
  if (audits[0]! > 1e-9) expect(audits[0]! / audits[1]!).toBeGreaterThanOrEqual(3.6)
  const force = [exact, runs[0]!].map(run => size([...run.joints[0]!.force]))
  expect(Math.abs(force[1]! / force[0]! - 1)).toBeLessThanOrEqual(1e-2)
  const drive = [exact, runs[0]!].map(run => run.joints[3]!.motorForce[0]!)
  expect(Math.abs(drive[1]! - drive[0]!)).toBeLessThanOrEqual(2e-2 * Math.max(1, Math.abs(drive[0]!)))
})

it('a pendulum on a ball joint with friction comes to rest, with an energy residual of 1e-3 throughout', () => {
  const run = stepped({ type: 'ball', friction: 11.9 }, {}, stepsPerSecond, { duration: 2 })
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-3)
  const last = bodyIn(run, 'bob')
  expect(size(last.linearVelocity)).toBeLessThanOrEqual(1e-12)
  // It stays where it stopped, without creep.
  const before = bodyIn(run, 'bob', run.frames.at(-30)!)
  expect(size(last.position.map((x, k) => x - before.position[k]!))).toBeLessThanOrEqual(1e-12)
  expect(run.joints.at(-1)!.motorForce[0]!).toBeLessThanOrEqual(11.9)
  expect(run.joints.at(-1)!.motorForce[0]! / (2 * 9.81 * last.position[0]!)).toBeCloseTo(1, 9)
})

it('a limit that a pendulum rests against from the start carries it at any step, from the first frame on', () => {
  for (const rate of [60, 240]) {
    const run = stepped({ ...hinge, limits: { lower: -1, upper: 0 } }, {}, rate)
    expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-12)
    for (const { limitForce } of run.joints) expect(Math.abs(Math.abs(limitForce[0]!) / (2 * 9.81 * 0.8) - 1)).toBeLessThanOrEqual(1e-9)
  }
})

it('a limit stops a body that swings against it within the step, with an event', () => {
  const run = stepped({ ...hinge, limits: { lower: -1, upper: 0.3 } }, {}, stepsPerSecond, { duration: 1 })
  expect(run.events.filter(({ kind }) => kind === 'limit').length).toBe(1)
  expect(run.joints.at(-1)!.position[0]!).toBeCloseTo(0.3, 11)
  const energies = run.certificates.map(({ energy }) => energy.kinetic + energy.potential)
  for (const energy of energies) expect(energy).toBeLessThanOrEqual(energies[0]! + 1e-3)
})

it('the work of a kinematic pivot is counted in both halves of the kick', () => {
  const run = recorded({
    format: 'cairn-scene', version: 1,
    bodies: [
      { id: 'carriage', type: 'kinematic', position: [0, 0, 0], linearVelocity: [1, 0, 0] },
      { id: 'bob', position: [0, 0, -1], mass: { mass: 2, inertia: [0.02, 0.02, 0.02, 0, 0, 0] }, linearVelocity: [0, 0, 0], angularVelocity: [0, 1, 0] },
    ],
    joints: [{ id: 'pivot', type: 'hinge', bodyA: 'bob', bodyB: 'carriage', anchor: [0, 0, 0], axis: [0, 1, 0] }],
    simulation: { method: 'time-stepping', duration: 1, outputRate: 60, timeStepping: { step: 1 / stepsPerSecond } },
  })
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-3)
})

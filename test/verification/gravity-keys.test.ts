/** Gravity that changes with time: piecewise closed-form motion, weights of bodies at rest, and the work of a changing field. */

import { describe, expect, it } from 'vitest'
import { forceBalance } from '../../core/analysis/force-balance'
import { check } from '../../core/simulation'
import { runDeformables, unexplained } from './deformable-runs'
import { ball, bodyIn, box, contactForceOn, floor, indexOf, recorded, sceneOf, worst } from './support'

type V = readonly [number, number, number]
const FIRST: V = [0, 0, -9.81]
const KEYS: readonly { time: number; gravity: V }[] = [{ time: 0.3, gravity: [2, 0, 4] }, { time: 0.55, gravity: [0, 0, 0] }, { time: 0.7123, gravity: [0, -3, -1.62] }]
const DURATION = 1

/** Position and velocity after `time` from rest at `from`, and the work of the changing field per kilogram. */
function fallen(from: V, time: number): { position: number[]; velocity: number[]; work: number } {
  const position = [...from]
  const velocity = [0, 0, 0]
  let work = 0
  const pieces = [{ time: 0, gravity: FIRST }, ...KEYS]
  pieces.forEach(({ time: begin, gravity }, i) => {
    const h = Math.min(time, pieces[i + 1]?.time ?? Infinity) - begin
    if (h <= 0) return
    for (let k = 0; k < 3; k++) {
      const shift = velocity[k]! * h + gravity[k]! * h * h / 2
      work += (gravity[k]! - FIRST[k]!) * shift
      position[k]! += shift
      velocity[k]! += gravity[k]! * h
    }
  })
  return { position, velocity, work }
}

describe.each(['event-driven', 'time-stepping', 'penalty'] as const)('%s', method => {
  const simulation = { duration: DURATION, outputRate: 40, method, timeStepping: { step: 1 / 120 }, penalty: { step: 1e-3, stiffness: 1e6, damping: 1e3 } }

  it('a ball falls piecewise in parabolas, and the energy balance includes the work of the change', () => {
    const run = recorded(sceneOf([ball('ball', 0.1, [0, 0, 2])], 0.5, simulation, { gravityKeys: KEYS }))
    expect(run.end.message).toBe('')
    const mass = 1000 * 4 / 3 * Math.PI * 0.001
    run.frames.forEach((frame, i) => {
      const { position, velocity, work } = fallen([0, 0, 2], frame.time)
      const state = bodyIn(run, 'ball', frame)
      for (let k = 0; k < 3; k++) {
        expect(state.position[k], `at ${frame.time} s`).toBeCloseTo(position[k]!, 11)
        expect(state.linearVelocity[k], `at ${frame.time} s`).toBeCloseTo(velocity[k]!, 11)
      }
      const { energy } = run.certificates[i]!
      expect(energy.scripts, `at ${frame.time} s`).toBeCloseTo(mass * work, 9)
      expect(energy.potential - run.certificates[0]!.energy.potential).toBeCloseTo(-mass * FIRST[2] * (position[2]! - 2), 9)
    })
    expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-10)
    expect(run.events.filter(({ kind }) => kind === 'breakpoint').map(({ time }) => time)).toEqual(KEYS.map(({ time }) => time))
  })
})

describe.each(['event-driven', 'time-stepping'] as const)('%s', method => {
  const simulation = { duration: 1, outputRate: 40, method, timeStepping: { step: 1 / 120 } }
  const keys = [{ time: 0.4, gravity: [0, 0, -20] }, { time: 0.6, gravity: [0, 0, 5] }]

  it('a box at rest weighs m g(t), and leaves the floor when gravity turns', () => {
    const run = recorded(sceneOf([floor, box('box', [0.2, 0.2, 0.2], [0, 0, 0.1])], 0.5, simulation, { gravityKeys: keys }))
    expect(run.end.message).toBe('')
    const at = (time: number): number => run.frames.findIndex(frame => Math.abs(frame.time - time) < 1e-9)
    for (const [time, g] of [[0.2, 9.81], [0.5, 20], [0.8, 0]] as const) {
      expect(contactForceOn(run.contacts[at(time)]!, indexOf(run, 'box')).total[2], `at ${time} s`).toBeCloseTo(8 * g, 8)
    }
    expect(bodyIn(run, 'box', run.frames[at(0.5)]).position[2]).toBeCloseTo(0.1, 9)
    expect(bodyIn(run, 'box').position[2]).toBeCloseTo(0.1 + 5 * 0.4 * 0.4 / 2, 8)
    expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-9)
  })

  it('the force balance has one weight, that of the present field, and is closed', () => {
    const run = recorded(sceneOf([floor, box('box', [0.2, 0.2, 0.2], [0, 0, 0.1])], 0.5, simulation, { gravityKeys: keys }))
    for (const [time, g] of [[0.2, -9.81], [0.5, -20], [0.8, 5]] as const) {
      const i = run.frames.findIndex(frame => Math.abs(frame.time - time) < 1e-9)
      const masses = { inverseMass: Float64Array.of(0, 1 / 8), inverseInertia: new Float64Array(18), centers: new Float64Array(6) } as unknown as Parameters<typeof forceBalance>[0]['masses']
      const { entries, sum, rate } = forceBalance({ header: run.header, masses, frame: run.frames[i]!, contacts: run.contacts[i]!, joints: run.joints[i]!, forces: run.forces[i]! }, 1)!
      expect(entries.filter(({ kind }) => kind === 'gravity').map(({ force }) => force[2])).toEqual([expect.closeTo(8 * g, 9)])
      expect(entries.filter(({ kind }) => kind === 'force')).toEqual([])
      expect(sum.force[2]).toBeCloseTo(rate!.force[2], 6)
      expect(rate!.force[2]).toBeCloseTo(g > 0 ? 8 * g : 0, 6)
    }
  })

  it('an inertial sensor in free fall measures zero, whatever the field', () => {
    const { sensors: sensed } = recorded(sceneOf([ball('ball', 0.1, [0, 0, 2])], 0.5, simulation, { gravityKeys: keys, sensors: [{ id: 'imu', type: 'imu', body: 'ball' }] }))
    expect(sensed.length).toBeGreaterThan(30)
    for (const { values } of sensed) for (const value of values) expect(Math.abs(value)).toBeLessThan(1e-9)
  })

  it('sleeping and resting bodies react to the change', () => {
    const run = recorded(sceneOf([floor, box('box', [0.2, 0.2, 0.2], [0, 0, 0.1])], 0.5, { ...simulation, duration: 2, timeStepping: { step: 1 / 120, sleep: true } },
      { gravityKeys: [{ time: 1.5, gravity: [0, 0, 2] }] }))
    expect(bodyIn(run, 'box').position[2]).toBeCloseTo(0.1 + 2 * 0.25 / 2, 7)
  })
})

it('particles fall piecewise too, and their energy is balanced', () => {
  const run = runDeformables(sceneOf([], 0.5, { duration: 1, outputRate: 40, method: 'time-stepping', timeStepping: { step: 1 / 400 } }, {
    gravityKeys: KEYS, deformables: [{ id: 'dot', type: 'particles', material: 'stone', particles: [{ position: [0, 0, 2], mass: 0.3 }] }],
  }))
  const { position, velocity } = fallen([0, 0, 2], 1)
  const last = run.deformables.at(-1)!
  for (let k = 0; k < 3; k++) {
    expect(last.velocity[k]).toBeCloseTo(velocity[k]!, 10)
    expect(Math.abs(last.position[k]! - position[k]!)).toBeLessThan(0.03)
  }
  expect(unexplained(run)).toBeLessThan(1e-6)
})

it('keys whose times do not increase, and gravity out of the plane, are refused with a typed error', () => {
  const wrong = (rest: object, simulation: object = {}) => check(sceneOf([ball('ball', 0.1, [0, 0, 2])], 0.5, simulation, rest)).problems.filter(({ severity }) => severity === 'error')
  expect(wrong({ gravityKeys: [{ time: 1, gravity: [0, 0, 1] }, { time: 1, gravity: [0, 0, 2] }] })).toMatchObject([{ name: 'InvalidKeys', path: 'gravityKeys[1].time', allowed: 'a number > 1' }])
  expect(wrong({ gravityKeys: [{ time: 1, gravity: [0, 1, 1] }] }, { dimensions: 2 })).toMatchObject([{ name: 'OffPlane', path: 'gravityKeys[0].gravity' }])
})

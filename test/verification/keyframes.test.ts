/** Motions given by keys: bodies on a kinematic body are accelerated by it, and servos follow their targets, in both methods. */

import { describe, expect, it } from 'vitest'
import { bodyPath } from '../../core/dynamics/body-path'
import { conjugate, multiplyQuaternions, type Quat } from '../../core/math/quaternion'
import { rotationQuaternion, rotationVector } from '../../core/math/rotation'
import { scale, sub } from '../../core/math/vector'
import { bodyIn, recorded, sceneOf, worst } from './support'

const METHODS = ['event-driven', 'time-stepping'] as const
const turned = (angle: number): Quat => rotationQuaternion([0, 0, angle])

it('velocities and accelerations of a path are the derivatives of its poses, and continuous at its keys', () => {
  const path = bodyPath([
    { time: 0, position: [0, 0, 0], orientation: [0, 0, 0, 1] }, { time: 0.4, position: [1, 2, 0], orientation: rotationQuaternion([0.5, 1, -0.3]) },
    { time: 1.1, position: [1.5, 2, 1], orientation: rotationQuaternion([1.2, 1.4, 0.3]) }, { time: 2, position: [0, 3, 1], orientation: rotationQuaternion([2, 0.1, 0.5]) },
  ])
  const d = 1e-5
  for (let time = 0.05; time < 2; time += 0.1) {
    const [before, now, after] = [path.at(time - d), path.at(time), path.at(time + d)]
    const numeric = [
      [now.velocity, scale(sub(after.position, before.position), 0.5 / d)], [now.acceleration, scale(sub(after.velocity, before.velocity), 0.5 / d)],
      [now.angularVelocity, scale(rotationVector(multiplyQuaternions(after.orientation, conjugate(before.orientation))), 0.5 / d)],
      [now.angularAcceleration, scale(sub(after.angularVelocity, before.angularVelocity), 0.5 / d)],
    ] as const
    for (const [exact, found] of numeric) exact.forEach((value, k) => { expect(found[k], `at ${time} s`).toBeCloseTo(value, 7) })
  }
  for (const key of [0.4, 1.1]) {
    const [left, right] = [path.at(key * (1 - 1e-15)), path.at(key)]
    for (const part of ['velocity', 'angularVelocity'] as const) left[part].forEach((value, k) => { expect(right[part][k]).toBeCloseTo(value, 12) })
  }
})

describe.each(METHODS)('%s', method => {
  const simulation = { duration: 3, outputRate: 50, method, timeStepping: { step: 0.005 } }

  it('a lift carries a box with m (g + a), and both follow the keys', () => {
    const run = recorded(sceneOf([
      { id: 'lift', type: 'kinematic', position: [0, 0, -0.1], path: [{ time: 1, position: [0, 0, 0.1] }, { time: 2 }, { time: 3, position: [0, 0, -0.1] }],
        shapes: [{ type: 'box', size: [1, 1, 0.2], material: 'stone' }] },
      { id: 'box', position: [0, 0, 0.1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone' }] },
    ], 0.5, simulation), undefined)
    expect(run.end.message).toBe('')
    expect(run.end.status).toBe('completed')
    const at = (time: number) => run.frames.findIndex(frame => Math.abs(frame.time - time) < 1e-9)
    for (const [time, height] of [[0.5, 0], [1, 0.1], [1.5, 0.1], [2.5, 0], [3, -0.1]] as const) {
      const frame = run.frames[at(time)]!
      expect(bodyIn(run, 'lift', frame).position[2], `at ${time} s`).toBeCloseTo(height, 9)
      expect(bodyIn(run, 'box', frame).position[2], `at ${time} s`).toBeCloseTo(height + 0.2, 7)
    }
    // x = 0.2 (3 s² − 2 s³): a = 0.2 (6 − 12 s); the mass is 8 kg.
    const force = (time: number): number => run.contacts[at(time)]!.normalForce.reduce((sum, value) => sum + value, 0)
    for (const time of [0.26, 0.74]) expect(force(time) / (8 * (9.81 + 0.2 * (6 - 12 * time))), `at ${time} s`).toBeCloseTo(1, method === 'event-driven' ? 8 : 2)
    expect(force(1.5)).toBeCloseTo(8 * 9.81, 6)
    expect(bodyIn(run, 'lift', run.frames[at(0.5)]!).linearVelocity[2]).toBeCloseTo(0.3, 8)
    expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-9)
    expect(run.events.filter(({ kind }) => kind === 'breakpoint').map(({ time }) => time)).toEqual([1, 2, 3])
  })

  it('a turntable turns a box that sticks to it by the angle of its keys', () => {
    const run = recorded(sceneOf([
      { id: 'table', type: 'kinematic', position: [0, 0, -0.1], path: [{ time: 1.5, orientation: turned(1) }, { time: 3, orientation: turned(2.5) }],
        shapes: [{ type: 'box', size: [2, 2, 0.2], material: 'stone' }] },
      { id: 'box', position: [0.5, 0, 0.1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone' }] },
    ], 0.9, simulation), undefined)
    expect(run.end.status).toBe('completed')
    const { orientation } = bodyIn(run, 'table')
    expect(orientation[2]).toBeCloseTo(Math.sin(1.25), 9)
    // In steps a point of the table moves along chords, and a body sticking to it drifts outwards by r ω² h t ÷ 2.
    const { position } = bodyIn(run, 'box')
    expect(position[0]).toBeCloseTo(0.5 * Math.cos(2.5), method === 'event-driven' ? 6 : 2)
    expect(position[1]).toBeCloseTo(0.5 * Math.sin(2.5), method === 'event-driven' ? 6 : 2)
  })

  it('a servo brings its slider to the targets of its keys and no farther, and rests between them', () => {
    const run = recorded(sceneOf([{ id: 'block', position: [0, 0, 0], mass: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }], 0, simulation, {
      gravity: [0, 0, 0],
      joints: [{ id: 'rail', type: 'slider', bodyA: 'block', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0],
        servo: { stiffness: 2e4, damping: 400, keys: [{ time: 1, target: 0.5 }, { time: 2, target: 0.5 }, { time: 2.5, target: -0.2 }] } }],
    }), undefined)
    const at = (time: number): number => bodyIn(run, 'block', run.frames.find(frame => Math.abs(frame.time - time) < 1e-9)!).position[0]!
    // It lags by m a ÷ k, at most 2 · 16.8 ÷ 2e4.
    expect(at(0.5)).toBeCloseTo(0.25, 3)
    expect(at(2)).toBeCloseTo(0.5, 6)
    expect(at(2.26)).toBeCloseTo(0.129, 2)
    expect(at(3)).toBeCloseTo(-0.2, 6)
    expect(Math.max(...run.frames.map(({ bodies }) => bodies[0]!))).toBeLessThan(0.501)
  })
})

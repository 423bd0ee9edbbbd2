/** Joints that are added and removed during a run: the impact when they are added, the motion that they enforce, and the motion afterwards. */

import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { ball, bodyIn, box, floor, recorded, sceneOf, size, worst } from './support'

const masses = { mass: 8, inertia: [8 * 0.08 / 12, 8 * 0.08 / 12, 8 * 0.08 / 12, 0, 0, 0] }

describe.each(['event-driven', 'time-stepping'] as const)('%s', method => {
  const simulation = { duration: 1, outputRate: 40, method, timeStepping: { step: 1 / 240 } }
  const still = { gravity: [0, 0, 0] }
  /** Digits: the integrator's 1e-9 over half a second; the second order of steps. */
  const near = method === 'event-driven' ? 8 : 6

  it('two boxes that pass each other are welded: a plastic impact, whose loss is recorded as one', () => {
    // Side by side at 0.5 s; m = 8 kg each, v = ±1 m/s along x, 0.3 m apart along y.
    const one = box('one', [0.2, 0.2, 0.2], [-0.5, 0, 0], { linearVelocity: [1, 0, 0], mass: masses })
    const other = box('other', [0.2, 0.2, 0.2], [0.5, 0.3, 0], { linearVelocity: [-1, 0, 0], mass: masses })
    const run = recorded(sceneOf([one, other], 0.5, simulation, {
      ...still, joints: [{ id: 'weld', type: 'fixed', bodyA: 'one', bodyB: 'other', anchor: [0, 0.15, 0], spawnTime: 0.5, poseA: { position: [0, 0, 0] }, poseB: { position: [0, 0.3, 0] } }],
    }))
    expect(run.end.message).toBe('')
    // About the common centre: I ω = L, I = 2 (I₀ + m d²), L = 2 m d v with d = 0.15; the turn is about −z.
    const inertia = 2 * (masses.inertia[2]! + 8 * 0.15 * 0.15)
    const omega = 2 * 8 * 0.15 * 1 / inertia
    const [a, b] = [bodyIn(run, 'one'), bodyIn(run, 'other')]
    for (const { angularVelocity } of [a, b]) expect(angularVelocity[2]).toBeCloseTo(omega, near)
    expect(size(a.linearVelocity)).toBeCloseTo(0.15 * omega, near)
    expect(size(a.position.map((x, k) => x - b.position[k]!))).toBeCloseTo(0.3, 7)
    expect(Math.atan2(b.position[0]! - a.position[0]!, b.position[1]! - a.position[1]!)).toBeCloseTo(-omega * 0.5, method === 'event-driven' ? 8 : 3)
    const { energy } = run.certificates.at(-1)!
    expect(energy.impacts).toBeCloseTo(0.5 * inertia * omega * omega - 8, near)
    expect(worst(run, c => c.energy.residual)).toBeLessThan(method === 'event-driven' ? 1e-9 : 1e-5)
    expect(run.events.filter(({ kind }) => kind === 'spawn').map(({ time, joint }) => [time, joint])).toEqual([[0.5, 0]])
  })

  it('a ball hangs, falls, is caught by a joint, swings, and is released tangentially', () => {
    const scene = sceneOf([ball('bob', 0.05, [0.5, 0, 2])], 0.5, { ...simulation, duration: 1.2, ...method === 'time-stepping' ? { timeStepping: { step: 1 / 2000 } } : {} }, {
      joints: [{
        id: 'rod', type: 'distance', bodyA: 'bob', bodyB: null, anchor: [0.5, 0, 2 - 9.81 * 0.08], anchorB: [0.2, 0, 2], spawnTime: 0.4, removeTime: 0.8,
        poseA: { position: [0.5, 0, 2 - 9.81 * 0.08] },
      }],
    })
    const run = recorded(scene)
    expect(run.end.message).toBe('')
    const at = (time: number) => bodyIn(run, 'bob', run.frames.find(frame => Math.abs(frame.time - time) < 1e-9)!)
    const length = Math.hypot(0.3, 9.81 * 0.08)
    for (const time of [0.4, 0.5, 0.6, 0.7]) expect(Math.hypot(at(time).position[0]! - 0.2, at(time).position[2]! - 2), `at ${time} s`).toBeCloseTo(length, 7)
    // The impulse along the rod leaves the tangential part of the velocity g t.
    expect(size(at(0.4).linearVelocity)).toBeCloseTo(9.81 * 0.4 * 0.3 / length, near)
    const [from, to] = [at(0.8), at(1.2)]
    for (const k of [0, 2] as const) {
      expect(to.position[k]).toBeCloseTo(from.position[k]! + 0.4 * from.linearVelocity[k]! - (k === 2 ? 9.81 * 0.08 : 0), 8)
    }
    expect(worst(run, c => c.energy.residual)).toBeLessThan(method === 'event-driven' ? 1e-8 : 1e-4)
    expect(run.events.filter(({ kind }) => kind === 'remove').map(({ time, joint }) => [time, joint])).toEqual([[0.8, 0]])
  })

  it('a stretched spring that is added brings its energy, and takes it away when it is removed', () => {
    const run = recorded(sceneOf([box('car', [0.2, 0.2, 0.2], [0, 0, 0], { mass: masses })], 0.5, simulation, {
      ...still, joints: [{ id: 'rail', type: 'slider', bodyA: 'car', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0], spring: { stiffness: 50, rest: 0.2 }, spawnTime: 0.25, removeTime: 0.5 }],
    }))
    expect(run.end.message).toBe('')
    const omega = Math.sqrt(50 / 8)
    expect(bodyIn(run, 'car').linearVelocity[0]).toBeCloseTo(0.2 * omega * Math.sin(omega * 0.25), method === 'event-driven' ? 8 : 5)
    expect(run.certificates.at(-1)!.energy.joints).toBeCloseTo(0.5 * 8 * bodyIn(run, 'car').linearVelocity[0]! ** 2, method === 'event-driven' ? 8 : 4)
    expect(worst(run, c => c.energy.residual)).toBeLessThan(method === 'event-driven' ? 1e-9 : 1e-4)
  })

  it('bodies touch each other before and after, and a welded stack stands', () => {
    const run = recorded(sceneOf([floor, box('low', [0.2, 0.2, 0.2], [0, 0, 0.1]), box('high', [0.2, 0.2, 0.2], [0, 0, 0.3])], 0.5, simulation, {
      joints: [{ id: 'glue', type: 'fixed', bodyA: 'high', bodyB: 'low', anchor: [0, 0, 0.2], spawnTime: 0.3, removeTime: 0.6 }],
    }))
    expect(run.end.message).toBe('')
    expect(bodyIn(run, 'high').position[2]).toBeCloseTo(0.3, 6)
    expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-6)
    // They are in contact before and after the weld, and not while it holds.
    const touching = (time: number) => run.contacts.find(frame => Math.abs(frame.time - time) < 1e-9)!.bodyA.length
    expect([0.2, 0.5, 0.8].map(touching)).toEqual([8, 4, 8])
  })

  it('a joint that does not fit its bodies when it is added stops the run with a typed error', () => {
    const run = recorded(sceneOf([ball('bob', 0.05, [0, 0, 2])], 0.5, simulation, {
      joints: [{ id: 'pin', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 2], spawnTime: 0.5 }],
    }))
    expect(run.end).toMatchObject({ status: 'stopped', reason: 'JointApart', ids: ['pin', 'bob'] })
    expect(run.end.message).toContain('error is 1.226 m')
  })
})

it('invalid times are refused with a typed error', () => {
  const hinge = { type: 'hinge', bodyB: null, anchor: [0, 0, 2], axis: [0, 1, 0] }
  const wrong = (joints: readonly object[], simulation: object = {}) => check(sceneOf([ball('a', 0.1, [0, 0, 2]), ball('b', 0.1, [1, 0, 2])], 0.5, simulation, { joints })).problems
    .filter(({ severity }) => severity === 'error').map(({ name, path }) => [name, path])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', spawnTime: 1, removeTime: 1 }])).toEqual([['InvalidRemoval', 'joints[0].removeTime']])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', poseB: { position: [0, 0, 0] } }])).toEqual([['InvalidJoint', 'joints[0].poseB']])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', spawnTime: 1 }, { ...hinge, id: 'k', bodyA: 'b' }, { id: 'g', type: 'gear', jointA: 'h', jointB: 'k', ratio: 2 }])).toEqual([['InvalidJoint', 'joints[2].jointA']])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', spawnTime: 1 }], { method: 'penalty', penalty: { step: 1e-3, stiffness: 1e6, damping: 1e3, joints: { stiffness: 1e6, damping: 1e3 } } }))
    .toEqual([['NotSupported', 'joints[0].spawnTime']])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', spawnTime: 1 }], { method: 'event-driven', coordinates: 'reduced' })).toEqual([['NotSupported', 'joints[0].spawnTime']])
  expect(wrong([{ ...hinge, id: 'h', bodyA: 'a', poseA: { position: [0, 0, 0] } }])).toEqual([['InvalidJoint', 'joints[0].poseA']])
})

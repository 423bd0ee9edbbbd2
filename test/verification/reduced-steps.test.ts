/**
 * Joints as coordinates in time-stepping: the same motion as with equations up to the error of the step, contacts and friction included, and zero
 * joint errors.
 */

import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { completeK } from './integrals'
import { ball, bodyIn, box, contactForceOn, floor, indexOf, recorded, sceneOf, size, turn, worst, type Recorded } from './support'

const stepping = (step: number, coordinates = 'reduced'): object => ({ method: 'time-stepping', outputRate: 20, coordinates, timeStepping: { step } })
const pin = (id: string, bodyA: string, bodyB: string | null, anchor: readonly number[]): object => ({ id, type: 'hinge', bodyA, bodyB, anchor, axis: [0, 1, 0] })
const rod = (id: string, position: readonly number[], rest: object = {}): object =>
  ({ ...box(id, [1, 0.1, 0.05], position, { collision: { mask: 0 }, ...rest }), mass: { mass: 1, inertia: [0.01, 0.09, 0.09, 0, 0, 0] } })

/** Two rods in a row, turned by 0.4 and 0.8 rad from hanging down. */
function doublePendulum(): [object[], object[]] {
  let [x, z] = [0, 0]
  const bodies: object[] = []
  const joints: object[] = []
  for (let i = 0; i < 2; i++) {
    const lean = Math.PI / 2 + 0.4 * (i + 1)
    const [dx, dz] = [Math.cos(lean) / 2, -Math.sin(lean) / 2]
    bodies.push(rod(`rod${i}`, [x + dx, 0, z + dz], { orientation: turn([0, 1, 0], lean) }))
    joints.push(pin(`pin${i}`, `rod${i}`, i === 0 ? null : 'rod0', [x, 0, z]))
    x += 2 * dx
    z += 2 * dz
  }
  return [bodies, joints]
}

/** m: distance between the positions of a body's end in two runs. */
const apart = (run: Recorded, other: Recorded, id: string): number => size(bodyIn(run, id).position.map((value, k) => value - bodyIn(other, id).position[k]!))

/** Order of convergence from the errors at a step and at half of it. */
const order = (coarse: number, fine: number): number => Math.log2(coarse / fine)

describe('reduced coordinates in time-stepping', () => {
  it('a pendulum has its period, by an error of second order', () => {
    // From rest at 1 rad, with l = 1 m; point mass except for the ball's own inertia.
    const inertia = 1 + 0.4 * 0.01
    const period = 4 * Math.sqrt(inertia / 9.81) * completeK(Math.sin(0.5))
    const error = (step: number): number => {
      const bob = ball('bob', 0.1, [-Math.sin(1), 0, -Math.cos(1)])
      const run = recorded(sceneOf([bob], 0, { ...stepping(step), duration: period, outputRate: 1 / period }, { joints: [pin('pin', 'bob', null, [0, 0, 0])] }))
      expect(worst(run, ({ maxJointError }) => maxJointError)).toBe(0)
      // The end is a quarter of the way up, where the angle depends on time to first order; at rest it depends on it to second order only.
      return size(bodyIn(run, 'bob').linearVelocity)
    }
    const [coarse, fine] = [error(0.004), error(0.002)]
    expect(coarse).toBeLessThan(2e-4)
    expect(order(coarse, fine)).toBeGreaterThan(1.8)
  })

  it('a double pendulum agrees with the event-driven method, and keeps its energy, with errors of second order', () => {
    const [bodies, joints] = doublePendulum()
    const exact = recorded(sceneOf(bodies, 0, { method: 'event-driven', outputRate: 20, duration: 2, eventDriven: { tolerance: 1e-12 } }, { joints }))
    const [coarse, fine] = [0.004, 0.002].map(step => recorded(sceneOf(bodies, 0, { ...stepping(step), duration: 2 }, { joints })))
    expect(apart(coarse!, exact, 'rod1')).toBeLessThan(2e-5)
    expect(order(apart(coarse!, exact, 'rod1'), apart(fine!, exact, 'rod1'))).toBeGreaterThan(1.8)
    const lost = (run: Recorded): number => worst(run, ({ energy }) => energy.residual)
    expect(lost(coarse!)).toBeLessThan(2e-5)
    expect(order(lost(coarse!), lost(fine!))).toBeGreaterThan(1.8)
    expect(worst(coarse!, ({ maxJointError }) => maxJointError)).toBe(0)
  })

  it('a bar on a hinge and a post loads both by the law of the lever, and a link on the floor carries its weight and that of its neighbours', () => {
    const bar = box('bar', [2, 0.2, 0.1], [1, 0, 1])
    const post = ball('post', 0.2, [1.5, 0, 0.75], { type: 'fixed' })
    for (const coordinates of ['maximal', 'reduced']) {
      const run = recorded(sceneOf([floor, bar, post], 0, { ...stepping(0.001, coordinates), duration: 1 }, { joints: [pin('pin', 'bar', null, [0, 0, 1])] }))
      const weight = 40 * 9.81
      expect(Math.abs(contactForceOn(run.contacts.at(-1)!, indexOf(run, 'bar')).total[2]! / weight - 2 / 3)).toBeLessThan(1e-6)
      expect(Math.abs(run.joints.at(-1)!.force[2]! / weight - 1 / 3)).toBeLessThan(1e-6)
    }
  })

  it('a pendulum that hits a box on a rough floor moves it as by the event-driven method, to the error of the step; equations, of second order, more exactly', { tags: 'long' }, () => {
    const bodies = [floor, ball('bob', 0.2, [-0.8, 0, 1]), box('crate', [0.4, 0.4, 0.4], [0.45, 0, 0.2])]
    const joints = [pin('pin', 'bob', null, [0, 0, 1])]
    const exact = recorded(sceneOf(bodies, 0.3, { method: 'event-driven', outputRate: 20, duration: 1, eventDriven: { tolerance: 1e-12 } }, { joints }))
    const run = (coordinates: string, step: number): Recorded => recorded(sceneOf(bodies, 0.3, { ...stepping(step, coordinates), duration: 1 }, { joints }))
    const [maximal, reduced, finer] = [run('maximal', 0.001), run('reduced', 0.001), run('reduced', 0.00025)]
    expect(bodyIn(exact, 'crate').position[0]! - 0.45).toBeGreaterThan(0.05)
    expect(apart(maximal, exact, 'crate')).toBeLessThan(5e-6)
    expect(apart(reduced, exact, 'crate')).toBeLessThan(1e-3)
    expect(apart(finer, exact, 'crate')).toBeLessThan(2.5e-4)
    expect(worst(reduced, ({ maxPenetration }) => maxPenetration)).toBe(0)
    expect(worst(reduced, ({ maxConeViolation }) => maxConeViolation)).toBeLessThan(1e-9)
    expect(worst(reduced, ({ maxJointError }) => maxJointError)).toBe(0)
    expect(reduced.end.fallbacks.count).toBe(0)
    expect(worst(reduced, ({ energy }) => energy.residual)).toBeLessThan(1e-3)
  })

  const chainJoints = [0, 1, 2].map(i => ({ id: `j${i}`, type: 'ball', bodyA: `c${i}`, bodyB: `c${i + 1}`, anchor: [0.4 * i + 0.2, 0, 0.525 + 0.05 * i] }))
  const chainOf = (rest: (i: number) => object): object[] => [0, 1, 2, 3].map(i => box(`c${i}`, [0.3, 0.1, 0.1], [0.4 * i, 0, 0.5 + 0.05 * i], rest(i)))

  it('a rotating free chain conserves momentum with an error of second order', () => {
    const gained = (step: number): number => {
      const chain = chainOf(i => ({ angularVelocity: [0, i, 2 * i], collision: { mask: 0 } }))
      const run = recorded(sceneOf(chain, 0, { ...stepping(step), duration: 0.4 }, { joints: chainJoints, gravity: [0, 0, 0] }))
      const momentum = (at: number): number[] => [0, 1, 2].map(k => chain.reduce((sum: number, _, i) => sum + 3 * bodyIn(run, `c${i}`, run.frames[at]).linearVelocity[k]!, 0))
      return size(momentum(8).map((value, k) => value - momentum(0)[k]!))
    }
    const [coarse, fine] = [gained(0.004), gained(0.002)]
    expect(coarse).toBeLessThan(1e-3)
    expect(order(coarse, fine)).toBeGreaterThan(1.8)
  })

  it('a free chain of boxes falls on the floor and comes to rest: nothing overlaps, and the floor bears its weight', () => {
    const run = recorded(sceneOf([floor, ...chainOf(() => ({}))], 0.5, { ...stepping(0.002), duration: 1.5 }, { joints: chainJoints }))
    expect(run.end.status).toBe('completed')
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBe(0)
    expect(worst(run, ({ maxJointError }) => maxJointError)).toBe(0)
    const { count, normalForce, normal } = run.contacts.at(-1)!
    let up = 0
    for (let i = 0; i < count; i++) up += normalForce[i]! * Math.abs(normal[3 * i + 2]!)
    expect(Math.abs(up / (12 * 9.81) - 1)).toBeLessThan(1e-3)
  })

  it('a bead on a wire slides as by equations and by the event-driven method', () => {
    const bead = { ...ball('bead', 0.05, [0, 0, 1]), mass: { mass: 1, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] }, linearVelocity: [0.5, 0, 0] }
    const joints = [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: [0, 0, 1], curve: { type: 'circle', radius: 1, center: [0, 0, 0], normal: [0, 1, 0] } }]
    const run = (settings: object): Recorded => recorded(sceneOf([bead], 0, { ...settings, outputRate: 20, duration: 1 }, { joints }))
    const exact = run({ method: 'event-driven', eventDriven: { tolerance: 1e-12 } })
    const [coarse, fine, maximal] = [run(stepping(0.004)), run(stepping(0.002)), run(stepping(0.002, 'maximal'))]
    expect(order(apart(coarse, exact, 'bead'), apart(fine, exact, 'bead'))).toBeGreaterThan(1.8)
    expect(apart(fine, maximal, 'bead')).toBeLessThan(1e-4)
    expect(Math.abs(size(bodyIn(fine, 'bead').position) - 1)).toBeLessThan(1e-12)
  })

  it('a pendulum on a carriage that accelerates, brakes and turns agrees with the event-driven method, with an error of second order', () => {
    const carriage = {
      id: 'carriage', type: 'kinematic', position: [0, 0, 0],
      path: [{ time: 0.3, position: [0.2, 0, 0] }, { time: 0.6, position: [0.7, 0, 0.1], orientation: turn([0, 1, 0], 0.5) }, { time: 1, position: [0.6, 0, 0] }],
    }
    const run = (settings: object): Recorded => recorded(sceneOf([carriage, rod('arm', [0.1, 0, -0.5], { orientation: turn([0, 1, 0], Math.PI / 2) })], 0, {
      ...settings, outputRate: 20, duration: 0.9,
    }, { joints: [pin('pin', 'arm', 'carriage', [0.1, 0, 0])] }))
    const exact = run({ method: 'event-driven', eventDriven: { tolerance: 1e-12 } })
    const [coarse, fine] = [run(stepping(0.004)), run(stepping(0.002))]
    expect(apart(coarse, exact, 'arm')).toBeLessThan(1e-4)
    expect(order(apart(coarse, exact, 'arm'), apart(fine, exact, 'arm'))).toBeGreaterThan(1.8)
    expect(worst(coarse, ({ maxJointError }) => maxJointError)).toBeLessThan(1e-15)
  })

  it('limits, motors and servos act on coordinates as on equations', { tags: 'long' }, () => {
    const arm = rod('arm', [0.5, 0, 0])
    for (const elements of [{ limits: { lower: -0.3, upper: 0.3 } }, { motor: { targetVelocity: 1, maxForce: 8 } }, { servo: { target: 0.4, stiffness: 200, damping: 20 } }, { damping: 0.5 }]) {
      const run = (coordinates: string): Recorded => recorded(sceneOf([arm], 0, { ...stepping(0.002, coordinates), duration: 0.8 }, { joints: [{ ...pin('pin', 'arm', null, [0, 0, 0]), ...elements }] }))
      const [maximal, reduced] = [run('maximal'), run('reduced')]
      expect(apart(maximal, reduced, 'arm')).toBeLessThan(1e-5)
      expect(Math.abs(maximal.joints.at(-1)!.motorForce[0]! - reduced.joints.at(-1)!.motorForce[0]!)).toBeLessThan(1e-3)
    }
  })

  it('are refused with a typed error by methods without them', () => {
    const errors = (simulation: object, rest: object = {}): object[] =>
      check(sceneOf([rod('arm', [0.5, 0, 0])], 0, simulation, { joints: [pin('pin', 'arm', null, [0, 0, 0])], ...rest })).problems.filter(({ severity }) => severity === 'error')
    expect(errors(stepping(0.002))).toEqual([])
    expect(errors({ method: 'penalty', coordinates: 'reduced' })).toEqual([expect.objectContaining({ name: 'NotSupported', path: 'simulation.coordinates', value: 'reduced' })])
    expect(errors({ ...stepping(0.002), timeStepping: { solver: 'sor' } })).toEqual([expect.objectContaining({
      name: 'NotSupported', path: 'simulation.timeStepping.solver', value: 'sor', allowed: 'auto, dantzig, lemke, slack',
    })])
    const rope = { id: 'rope', type: 'rope', points: [[0, 1, 1], [1, 1, 1]], segments: 4, radius: 0.01, material: 'stone', axialStiffness: 100, bendingStiffness: 0 }
    expect(errors(stepping(0.002), { deformables: [rope] })).toEqual([expect.objectContaining({ name: 'NotSupported', path: 'simulation.coordinates', ids: ['rope'], allowed: 'maximal' })])
  })
})

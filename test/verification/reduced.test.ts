/** Joints as coordinates give the same motion and forces as joints as equations. */

import { describe, expect, it } from 'vitest'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import { ball, box, floor, recorded, sceneOf, turn, worst, type Recorded } from './support'

type Vec = readonly number[]
const common = { method: 'event-driven', outputRate: 20, eventDriven: { tolerance: 1e-12 } }

/** Runs of the scene with maximal and with reduced coordinates. `simulation` adds settings. */
function both(bodies: readonly object[], joints: readonly object[], simulation: object, rest: object = {}, friction = 0, restitution = 0): [Recorded, Recorded] {
  const run = (coordinates?: string) => recorded(sceneOf(
    bodies, friction, { ...common, ...simulation, ...coordinates === undefined ? {} : { coordinates } }, { joints, ...rest }, restitution))
  return [run(), run('reduced')]
}

/** Largest difference of any position (m), orientation or velocity, and of reactions (N, N m) against the largest of them. */
function differences([maximal, reduced]: [Recorded, Recorded]): { motion: number; reaction: number; joint: number; contact: number } {
  expect(reduced.end.status).toBe('completed')
  expect(reduced.frames.length).toBe(maximal.frames.length)
  let motion = 0
  maximal.frames.forEach((frame, i) => {
    const other = reduced.frames[i]!.bodies
    for (let at = 0; at < frame.bodies.length; at += BODY_STRIDE) {
      const q = frame.bodies.subarray(at + 3, at + 7)
      const sign = q.reduce((sum, value, k) => sum + value * other[at + 3 + k]!, 0) < 0 ? -1 : 1
      for (let k = 0; k < 13; k++) motion = Math.max(motion, Math.abs(frame.bodies[at + k]! - (k >= 3 && k < 7 ? sign : 1) * other[at + k]!))
    }
  })
  const relative = (pairs: (readonly [ArrayLike<number>, ArrayLike<number>])[]): number => {
    let [largest, difference] = [0, 0]
    for (const [a, b] of pairs) {
      for (let k = 0; k < a.length; k++) {
        largest = Math.max(largest, Math.abs(a[k]!))
        difference = Math.max(difference, Math.abs(a[k]! - b[k]!))
      }
    }
    return largest > 0 ? difference / largest : difference
  }
  return {
    motion, joint: worst(reduced, c => c.maxJointError),
    reaction: relative(maximal.joints.flatMap((joints, i) => [[joints.force, reduced.joints[i]!.force], [joints.torque, reduced.joints[i]!.torque]] as const)),
    contact: relative(maximal.contacts.map((contacts, i) => [contacts.normalForce, reduced.contacts[i]!.normalForce] as const)),
  }
}

const rod = (id: string, position: Vec, rest: object = {}) =>
  ({ ...box(id, [1, 0.1, 0.05], position, { collision: { mask: 0 }, ...rest }), mass: { mass: 1, inertia: [0.01, 0.09, 0.09, 0, 0, 0] } })

/** A hanging chain of n rods, each rotated by `angle` about y relative to the previous one. */
function hanging(n: number, angle: number, length = 1): { bodies: object[]; joints: object[] } {
  const bodies: object[] = []
  const joints: object[] = []
  let [x, z] = [0, 0]
  for (let i = 0; i < n; i++) {
    const lean = Math.PI / 2 + angle * (i + 1)
    const [dx, dz] = [Math.cos(lean) * length / 2, -Math.sin(lean) * length / 2]
    bodies.push({ ...rod(`rod${i}`, [x + dx, 0, z + dz], { orientation: turn([0, 1, 0], lean) }) })
    joints.push({ id: `pin${i}`, type: 'hinge', bodyA: i % 2 === 0 ? `rod${i}` : i === 0 ? null : `rod${i - 1}`, bodyB: i % 2 === 0 ? i === 0 ? null : `rod${i - 1}` : `rod${i}`, anchor: [x, 0, z], axis: [0, 1, 0] })
    x += 2 * dx
    z += 2 * dz
  }
  return { bodies, joints }
}

describe('reduced coordinates', () => {
  it('a double pendulum swings as with equations, with zero joint errors', { tags: 'long' }, () => {
    const { bodies, joints } = hanging(2, 0.4)
    const found = differences(both(bodies, joints, { duration: 10 }))
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
    expect(found.joint).toBeLessThanOrEqual(1e-14)
  })

  it('a 20-fold pendulum does', { tags: 'long' }, () => {
    const { bodies, joints } = hanging(20, 0.01)
    const found = differences(both(bodies, joints, { duration: 10, eventDriven: { tolerance: 1e-11 } }))
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
    expect(found.joint).toBeLessThanOrEqual(1e-13)
  })

  const moves = (type: string, own: object) => {
    for (const flip of [false, true]) {
      const pair = (a: string, b: string) => flip ? { bodyA: b, bodyB: a } : { bodyA: a, bodyB: b }
      const bodies = [
        rod('upper', [0.5, 0, 0], { angularVelocity: [0, 0.3, 0] }),
        rod('lower', [1.5, 0, 0], {}), rod('loose', [2.5, 0, 0], {}),
      ]
      const joints = [
        { id: 'base', type: 'universal', bodyA: 'upper', bodyB: null, anchor: [0, 0, 0], axisA: [0, 1, 0], axisB: [0, 0, 1] },
        { id: 'tested', type, ...pair('lower', 'upper'), anchor: [1, 0, 0], ...own },
        { id: 'last', type: 'ball', ...pair('loose', 'lower'), anchor: [2, 0, 0] },
      ]
      const forces = [{ id: 't', type: 'torque', body: 'lower', torque: [0.3, 0.2, -0.4] }]
      const runs = both(bodies, joints, { duration: 0.8 }, { forces })
      const found = differences(runs)
      expect(found.motion).toBeLessThanOrEqual(1e-8)
      expect(found.reaction).toBeLessThanOrEqual(1e-8)
      expect(found.joint).toBeLessThanOrEqual(1e-13)
    }
  }

  it.each([['hinge', { axis: [0.2, 1, 0.3] }], ['slider', { axis: [1, 0.3, -1] }]])('a %s joint moves as by equations, from either side', moves)
  it.each([
    ['ball', {}], ['fixed', {}], ['cylindrical', { axis: [1, 0.2, -0.4] }], ['universal', { axisA: [0, 1, 0], axisB: [1, 0, 0] }], ['planar', { normal: [0.3, 1, 0.2] }],
  ])('a %s joint moves as by equations, from either side', { tags: 'long' }, moves)

  const slides = (type: string, curve: object) => {
    // Start of the wire. The bead is held beside its centre of mass, so that it also swings.
    const at = type === 'ellipse' ? [1.5, 0, 0] : type === 'spline' ? [1, 0, 0] : type === 'circle' ? [0, 0, 1] : [0, 1, 0]
    for (const frame of [null, 'frame']) {
      const bodies = [
        { id: 'frame', position: [0, 0, 0], mass: { mass: 3, inertia: [1, 2, 3, 0, 0, 0] } },
        rod('bead', [at[0]! + 0.2, at[1]!, at[2]!], { linearVelocity: [0, 0, 0] }),
      ]
      const joints = [
        { id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: frame, anchor: at, curve },
        { id: 'gimbal', type: 'ball', bodyA: 'frame', bodyB: null, anchor: [0, 0, 0.3] },
      ]
      const runs = both(bodies, joints, { duration: 1.5 })
      const found = differences(runs)
      expect(found.motion).toBeLessThanOrEqual(1e-8)
      expect(found.reaction).toBeLessThanOrEqual(1e-8)
      expect(found.joint).toBeLessThanOrEqual(1e-9)
    }
  }

  it('a bead on a wire slides by the wire\'s parameter as by equations: helix', () => {
    slides('helix', { type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius: 1, pitch: 0.5 })
  })

  it.each([
    ['circle', { type: 'circle', center: [0, 0, 0], normal: [0.2, 1, 0], radius: 1 }],
    ['ellipse', { type: 'ellipse', center: [0, 0, 0], semiAxisA: [1.5, 0, 0], semiAxisB: [0, 0.2, 0.8] }],
    ['spline', { type: 'spline', points: [[1, 0, 0], [0, 1, 0.5], [-1, 0, 0], [0, -1, -0.5]], closed: true }],
  ])('a bead on a wire slides by the wire\'s parameter as by equations: %s', { tags: 'long' }, slides)

  it('a four-bar linkage, whose last joint closes a loop, does', { tags: 'long' }, () => {
    // Where the rocker of 0.8 m on (1, 0) and the coupler of 1.2 m on the crank's end meet.
    const [crank, ground] = [[0, 0.4], [1, 0]] as const
    const apart = Math.hypot(1, 0.4)
    const along = (apart ** 2 + 1.2 ** 2 - 0.8 ** 2) / (2 * apart)
    const across = Math.sqrt(1.2 ** 2 - along ** 2)
    const top = [(along + 0.4 * across) / apart, 0.4 + (-0.4 * along + across) / apart] as const
    const bar = (id: string, from: Vec, to: Vec) => rod(id, [(from[0]! + to[0]!) / 2, 0, (from[1]! + to[1]!) / 2], {
      orientation: turn([0, 1, 0], -Math.atan2(to[1]! - from[1]!, to[0]! - from[0]!)),
    })
    const pin = (id: string, bodyA: string, bodyB: string | null, [x, z]: Vec) => ({ id, type: 'hinge', bodyA, bodyB, anchor: [x, 0, z], axis: [0, 1, 0] })
    const found = differences(both(
      [bar('crank', [0, 0], crank), bar('coupler', crank, top), bar('rocker', ground, top)],
      [pin('a', 'crank', null, [0, 0]), pin('b', 'coupler', 'crank', crank), pin('c', 'rocker', 'coupler', top), pin('d', 'rocker', null, ground)],
      { duration: 10 }))
    // The loop has redundant equations out of the plane, so those reactions are not unique; here they are zero.
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
    expect(found.joint).toBeLessThanOrEqual(1e-9)
  })

  it('a chain with a loop, a gear and a free body does', { tags: 'long' }, () => {
    const { bodies, joints } = hanging(4, 0.05)
    const found = differences(both(
      [...bodies, rod('side', [3, 0, 0], { angularVelocity: [0.1, 0.2, 0.3] })],
      [...joints, { id: 'rope', type: 'distance', bodyA: 'rod3', bodyB: null, anchor: [-0.3, 0, -3.5], anchorB: [1.5, 0.2, -1] },
        { id: 'mesh', type: 'gear', jointA: 'pin1', jointB: 'pin2', ratio: 1.5 }],
      { duration: 10 }))
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
  })

  it('springs, damping, motors, servos, friction and limits at joints act as in equations', { tags: 'long' }, () => {
    const { bodies, joints } = hanging(4, 0.3)
    const elements = [
      { spring: { stiffness: 20, rest: 0.3 }, damping: 0.4 }, { motor: { targetVelocity: 1, maxForce: 3 }, limits: { lower: -0.2, upper: 0.15 } },
      { friction: 0.5, limits: { lower: -0.05 } }, { servo: { target: 0.4, stiffness: 30, damping: 3 } },
    ]
    const runs = both(bodies, joints.map((joint, i) => ({ ...joint, ...elements[i] })), { duration: 3 })
    const found = differences(runs)
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
  })

  it('a tree on a kinematic body, and a free one with friction in a ball joint, do', { tags: 'long' }, () => {
    const bodies = [
      { id: 'crane', type: 'kinematic', position: [0, 0, 0], linearVelocity: [0.5, 0, 0], angularVelocity: [0, 0, 0.7] },
      rod('jib', [0.5, 0, 0]), rod('load', [1, 0, -0.5], { orientation: turn([0, 1, 0], Math.PI / 2) }),
      rod('thrown', [0, 5, 0], { linearVelocity: [0, 0, 4], angularVelocity: [0, 2, 1] }), rod('tail', [1, 5, 0], { linearVelocity: [0, 1, 2], angularVelocity: [0, 2, 1] }),
    ]
    const joints = [
      { id: 'pin', type: 'hinge', bodyA: 'jib', bodyB: 'crane', anchor: [0, 0, 0], axis: [0, 1, 0], spring: { stiffness: 200, rest: 0 } },
      { id: 'hook', type: 'ball', bodyA: 'load', bodyB: 'jib', anchor: [1, 0, 0] },
      { id: 'neck', type: 'ball', bodyA: 'tail', bodyB: 'thrown', anchor: [0.5, 5, 0], friction: 0.02 },
    ]
    const runs = both(bodies, joints, { duration: 1.5 })
    const found = differences(runs)
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.reaction).toBeLessThanOrEqual(1e-8)
    expect(worst(runs[1], c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  })

  it('a pendulum hits a wall with the forces and bounces of equations', () => {
    const wall = { id: 'wall', type: 'fixed', position: [-0.6, 0, -1], shapes: [{ type: 'box', size: [0.2, 2, 3], material: 'stone' }] }
    const runs = both([wall, rod('arm', [0.5, 0, 0], { collision: { mask: 1 } }), { ...ball('bob', 0.2, [1.2, 0, 0]) }], [
      { id: 'pin', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0], collide: true },
      { id: 'neck', type: 'universal', bodyA: 'bob', bodyB: 'arm', anchor: [1, 0, 0], axisA: [0, 1, 0], axisB: [0, 0, 1] },
    ], { duration: 1.2 }, {}, 0.3, 0.4)
    const found = differences(runs)
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.contact).toBeLessThanOrEqual(1e-9)
  })

  it('a chain of balls falls on the floor and lies there with the forces of equations', { tags: 'long' }, () => {
    const bodies = [floor, ...[0, 1, 2, 3].map(i => ball(`ball${i}`, 0.1, [0.3 * i, 0, 0.25 + 0.04 * i]))]
    const joints = [0, 1, 2].map(i => ({
      id: `pin${i}`, type: 'hinge', bodyA: `ball${i + 1}`, bodyB: `ball${i}`, anchor: [0.3 * i + 0.15, 0, 0.27 + 0.04 * i], axis: [0, 1, 0], damping: 0.1,
    }))
    const runs = both(bodies, joints, { duration: 1 }, {}, 0.5, 0.2)
    const found = differences(runs)
    expect(runs[1].contacts.at(-1)!.count).toBeGreaterThanOrEqual(3)
    expect(found.motion).toBeLessThanOrEqual(1e-8)
    expect(found.contact).toBeLessThanOrEqual(1e-9)
    expect(worst(runs[1], c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
  })
})

/** Joints as springs [Baraff92 ch. 7]: their deflection and load, and convergence to exact joints with increasing stiffness. */

import { describe, expect, it } from 'vitest'
import { ball, bodyIn, box, recorded, sceneOf, worst, type Recorded } from './support'

const g = 9.81
const common = { method: 'penalty', duration: 1, outputRate: 100 }
const bob = (position: readonly number[], rest: object = {}) => ({ ...ball('bob', 0.1, position, rest), mass: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } })
const run = (bodies: readonly object[], joints: readonly object[], simulation: object): Recorded =>
  recorded(sceneOf(bodies, 0, { ...common, ...simulation }, { joints }))

/** m: largest distance between the positions of a body in two runs. */
function apart(p: Recorded, q: Recorded, id: string): number {
  expect(p.frames.length).toBe(q.frames.length)
  return Math.max(...p.frames.map((frame, i) => {
    const [a, b] = [bodyIn(p, id, frame).position, bodyIn(q, id, q.frames[i]!).position]
    return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!)
  }))
}

describe('joints as springs', () => {
  it('deflect by the force divided by the stiffness, and bear the weight', () => {
    const [stiffness, mass] = [1e5, 2]
    const hanging = run([bob([0, 0, -1])], [{ id: 'pin', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0] }],
      { penalty: { joints: { stiffness, damping: 600 } } })
    const { error, force } = hanging.joints.at(-1)!
    expect(error[0]).toBeCloseTo(mass * g / stiffness, 12)
    expect(hanging.certificates.at(-1)!.maxJointError).toBe(error[0])
    expect(force[2]).toBeCloseTo(mass * g, 7)
    expect(bodyIn(hanging, 'bob').position[2]).toBeCloseTo(-1 - mass * g / stiffness, 12)
  })

  it('without damping oscillate about that place with √(K/m), and lose no energy', { tags: 'long' }, () => {
    const [stiffness, mass] = [1e4, 2]
    const swinging = run([bob([0, 0, -1])], [{ id: 'pin', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0] }],
      { duration: 0.3, penalty: { joints: { stiffness, damping: 0 }, step: 2e-5 } })
    const omega = Math.sqrt(stiffness / mass)
    for (const frame of swinging.frames) {
      expect(bodyIn(swinging, 'bob', frame).position[2]).toBeCloseTo(-1 - mass * g / stiffness * (1 - Math.cos(omega * frame.time)), 10)
    }
    expect(worst(swinging, ({ energy }) => Math.abs(energy.residual))).toBeLessThan(1e-9)
  })

  it('hold angles as well: a beam on a fixed joint tilts by its moment divided by the stiffness', { tags: 'long' }, () => {
    const stiffness = 1e6
    const beam = { ...box('beam', [1, 0.1, 0.1], [0.5, 0, 0]), mass: { mass: 3, inertia: [0.01, 0.3, 0.3, 0, 0, 0] } }
    const held = run([beam], [{ id: 'wall', type: 'fixed', bodyA: 'beam', bodyB: null, anchor: [0, 0, 0] }],
      { penalty: { joints: { stiffness, damping: 2e3 } } })
    const { force, torque } = held.joints.at(-1)!
    expect(force[2]).toBeCloseTo(3 * g, 6)
    expect(torque[1]).toBeCloseTo(-3 * g * 0.5, 4)
    const { orientation } = bodyIn(held, 'beam')
    // To first order in the tilt of 1.5e-5.
    expect(2 * orientation[1]! / (3 * g * 0.5 / stiffness)).toBeCloseTo(1, 4)
  })

  it('conserve momentum', { tags: 'long' }, () => {
    const far = { linearVelocity: [0, 0.4, 0] }
    const two = run([bob([0, 0, 0], { linearVelocity: [0.3, 0, 0] }), { ...bob([1, 0, 0], far), id: 'other' }],
      [{ id: 'rod', type: 'distance', bodyA: 'bob', bodyB: 'other', anchor: [0, 0, 0], anchorB: [1, 0, 0] }],
      { penalty: { joints: { stiffness: 1e5, damping: 50 } } })
    const end = two.frames.at(-1)!
    const [a, b] = [bodyIn(two, 'bob', end), bodyIn(two, 'other', end)]
    ;[0.3, 0.4, -2 * g * end.time].forEach((velocity, k) => expect(a.linearVelocity[k]! + b.linearVelocity[k]!).toBeCloseTo(velocity, 9))
    expect(worst(two, ({ maxJointError }) => maxJointError)).toBeGreaterThan(1e-9)
  })

  it.each([
    ['circle', { type: 'circle', center: [0, 0, 0], normal: [0, 1, 0], radius: 1 }, [1, 0, 0]],
    ['helix', { type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius: 1, pitch: 0.5 }, [0, 1, 0]],
  ])('carry a bead on a %s as equations do, up to their compliance', { tags: 'long' }, (_, curve, start) => {
    const joints = [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bob', bodyB: null, anchor: start, curve }]
    const exact = recorded(sceneOf([bob(start)], 0, { ...common, method: 'event-driven', eventDriven: { tolerance: 1e-12 } }, { joints }))
    const differences = [1e5, 1e6].map(stiffness => {
      // Damped in proportion to the mass, so that oscillations about the wire decay.
      const soft = run([bob(start)], joints, { penalty: { joints: { stiffness, damping: 2 * Math.sqrt(2 * stiffness) } } })
      return { place: apart(soft, exact, 'bob'), force: Math.abs(soft.joints.at(-1)!.force[2]! / exact.joints.at(-1)!.force[2]! - 1) }
    })
    // The normal force is at most 3 m g. It deflects the bead by this distance, and by the same along the wire in a second.
    expect(differences[0]!.place).toBeLessThan(10 * 3 * 2 * g / 1e5)
    for (const what of ['place', 'force'] as const) expect(differences[1]![what] / differences[0]![what], what).toBeLessThan(0.2)
  })

  it('couple gears', { tags: 'long' }, () => {
    const wheel = (id: string, x: number, spin: number) =>
      ({ ...bob([x, 0, 0], { angularVelocity: [0, 0, spin] }), id, mass: { mass: 1, inertia: [0.02, 0.02, 0.02, 0, 0, 0] } })
    const axle = (id: string, body: string, x: number) => ({ id, type: 'hinge', bodyA: body, bodyB: null, anchor: [x, 0, 0], axis: [0, 0, 1] })
    const geared = run([wheel('a', 0, 3), wheel('b', 1, 0)],
      [axle('one', 'a', 0), axle('two', 'b', 1), { id: 'mesh', type: 'gear', jointA: 'one', jointB: 'two', ratio: -2 }],
      { penalty: { joints: { stiffness: 1e3, damping: 5 } } })
    const exact = recorded(sceneOf([wheel('a', 0, 3), wheel('b', 1, 0)], 0, { ...common, method: 'event-driven' }, {
      joints: [axle('one', 'a', 0), axle('two', 'b', 1), { id: 'mesh', type: 'gear', jointA: 'one', jointB: 'two', ratio: -2 }],
    }))
    for (const id of ['a', 'b']) expect(bodyIn(geared, id).angularVelocity[2]).toBeCloseTo(bodyIn(exact, id).angularVelocity[2]!, 6)
  })

  it('store no energy before their bodies exist', () => {
    const joints = [{ id: 'rod', type: 'distance', bodyA: 'bob', bodyB: 'late', anchor: [0, 0, 0], anchorB: [1, 0, 0] }]
    const late = { ...bob([1, 0, 0]), id: 'late', spawnTime: 0.05 }
    const found = run([bob([0, 0, 0], { linearVelocity: [-1, 0, 0] }), late], joints, { duration: 0.04, penalty: { joints: { stiffness: 1e5, damping: 0 } } })
    expect(worst(found, ({ energy }) => Math.abs(energy.residual))).toBeLessThan(1e-9)
    expect(found.joints.at(-1)!.force[0]).toBe(0)
  })

  it('have the same limits and motors as exact joints', { tags: 'long' }, () => {
    const door = { ...box('door', [1, 0.1, 1], [0.5, 0, 0]), mass: { mass: 3, inertia: [0.3, 0.5, 0.3, 0, 0, 0] } }
    const joints = [{ id: 'hinge', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [0, 0, 0], axis: [0, 0, 1], motor: { targetVelocity: 2, maxForce: 1e3 }, limits: { upper: 1 } }]
    const turned = run([door], joints, { penalty: { joints: { stiffness: 1e6, damping: 2e3 } }, duration: 1 })
    expect(turned.joints.at(-1)!.position[0]).toBeCloseTo(1, 6)
    expect(turned.joints[30]!.velocity[0]).toBeCloseTo(2, 3)
  })

  it('with break forces are refused', () => {
    const pin = { id: 'pin', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0], breakForce: 1 }
    expect(() => run([bob([0, 0, -1])], [pin], { penalty: { joints: {} } })).toThrow(/breaking of joints that are springs/)
  })
})

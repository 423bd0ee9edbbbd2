import { describe, expect, it } from 'vitest'
import { bodyAt, bodyIn, box, floor, recorded, sceneOf, worst } from './support'

const g = 9.81

function certified(run: ReturnType<typeof recorded>): void {
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-8)
  expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-9)
}

describe('every joint, from the scene to the recorded frames', () => {
  it('a bead with friction slides down a straight wire at g sin θ − F/m', () => {
    const theta = 0.6
    const friction = 2
    const run = recorded(sceneOf([{ ...box('bead', [0.1, 0.1, 0.1], [0, 0, 0]), mass: { mass: 1 } }], 0, { duration: 1, outputRate: 20 }, {
      joints: [{
        id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: [0, 0, 0], friction,
        curve: { type: 'line', point: [0, 0, 0], direction: [Math.cos(theta), 0, -Math.sin(theta)] },
      }],
    }))
    certified(run)
    for (const frame of run.frames) {
      const s = 0.5 * (g * Math.sin(theta) - friction) * frame.time ** 2
      expect(Math.abs(bodyAt(frame, 0).position[0]! - s * Math.cos(theta))).toBeLessThanOrEqual(1e-9)
    }
  })

  it('a bead on a closed spline keeps its energy and stays on the wire', () => {
    const points = [[1, 0, 0], [0, 1, 0.5], [-1, 0, 0], [0, -1, -0.5]]
    const run = recorded(sceneOf([{ ...box('bead', [0.1, 0.1, 0.1], [0, 1, 0.5]), mass: { mass: 1 } }], 0, { duration: 3, outputRate: 20 }, {
      joints: [{ id: 'wire', type: 'pointOnCurve', bodyA: 'bead', bodyB: null, anchor: [0, 1, 0.5], curve: { type: 'spline', points, closed: true } }],
    }))
    certified(run)
  })

  it('two wheels in gear turn at their ratio, and a torque on one accelerates both', () => {
    const wheel = (id: string, x: number) => ({ ...box(id, [0.2, 0.2, 0.2], [x, 0, 0]), mass: { mass: 1, inertia: [0.3, 0.3, 0.3, 0, 0, 0] } })
    const axle = (id: string, body: string, x: number) => ({ id, type: 'hinge', bodyA: body, bodyB: null, anchor: [x, 0, 0], axis: [0, 0, 1] })
    const run = recorded(sceneOf([wheel('a', 0), wheel('b', 1)], 0, { duration: 4, outputRate: 10 }, {
      gravity: [0, 0, 0],
      joints: [axle('first', 'a', 0), axle('second', 'b', 1), { id: 'mesh', type: 'gear', jointA: 'first', jointB: 'second', ratio: -2 }],
      forces: [{ id: 't', type: 'torque', body: 'b', torque: [0, 0, 1] }],
    }))
    certified(run)
    // The inertia of the first wheel reflected to the second is multiplied by ratio².
    const acceleration = 1 / (0.3 + 4 * 0.3)
    for (const frame of run.frames) {
      expect(Math.abs(bodyAt(frame, 1).angularVelocity[2]! - acceleration * frame.time)).toBeLessThanOrEqual(1e-10)
      expect(Math.abs(bodyAt(frame, 0).angularVelocity[2]! + 2 * acceleration * frame.time)).toBeLessThanOrEqual(1e-10)
    }
  })

  it.each(['event-driven', 'dantzig', 'gauss-seidel', 'accelerated'])('a rack in gear with a pinion pushes a block, by %s', solver => {
    // On a cart that rolls back as rack and block move forward. For sweeps, which converge slowly along chains of joints, the cart is fixed.
    const held = solver === 'gauss-seidel' || solver === 'accelerated'
    const at = (id: string, x: number, z: number, mass: number) => ({ ...box(id, [0.2, 0.2, 0.1], [x, 0, z]), mass: { mass, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } })
    const run = recorded(sceneOf([floor, { ...at('cart', 0, 2, 4), type: held ? 'fixed' : 'dynamic' }, at('pinion', 0, 1.5, 1), at('rack', 0.4, 0.07, 2), at('block', 0.6, 0.05, 3)], 0, {
      duration: 0.25, outputRate: 20, method: solver === 'event-driven' ? solver : 'time-stepping',
      ...solver === 'event-driven' ? {} : { timeStepping: { solver, step: 1 / 240 } },
    }, {
      joints: [
        ...held ? [] : [{ id: 'rails', type: 'slider', bodyA: 'cart', bodyB: null, anchor: [0, 0, 2], axis: [1, 0, 0] }],
        { id: 'axle', type: 'hinge', bodyA: 'pinion', bodyB: 'cart', anchor: [0, 0, 1.5], axis: [0, 1, 0] },
        { id: 'guide', type: 'slider', bodyA: 'rack', bodyB: 'cart', anchor: [0.4, 0, 0.07], axis: [1, 0, 0] },
        { id: 'teeth', type: 'gear', jointA: 'guide', jointB: 'axle', ratio: 0.1 },
      ],
      forces: [{ id: 'crank', type: 'torque', body: 'pinion', torque: [0, 2, 0] }],
    }))
    expect(run.end.status).toBe('completed')
    const spin = 2 / (0.1 + 0.1 * 0.1 * (held ? 5 : 5 * 5 / 10))
    const share = held ? 1 : 0.5
    const reaches = (body: string, v: number) => expect(Math.abs(bodyIn(run, body).linearVelocity[0]! - 0.25 * v), body).toBeLessThanOrEqual(1e-6)
    reaches('cart', 0.1 * spin * (share - 1))
    reaches('rack', 0.1 * spin * share)
    reaches('block', 0.1 * spin * share)
  })

  it('a force that jumps at a key gives the velocity of its integral, and a breakpoint there', () => {
    const run = recorded(sceneOf([{ ...box('block', [1, 1, 1], [0, 0, 0]), mass: { mass: 2 } }], 0, { duration: 2, outputRate: 10 }, {
      gravity: [0, 0, 0],
      forces: [{
        id: 'push', type: 'keyframed', body: 'block', outside: 'zero',
        keys: [{ time: 0.33, force: [6, 0, 0] }, { time: 0.77, force: [6, 0, 0] }, { time: 0.77, force: [-1, 0, 0] }, { time: 1.9, force: [-1, 0, 0] }],
      }],
    }))
    certified(run)
    expect(run.events.filter(event => event.kind === 'breakpoint').map(event => event.time)).toEqual([0.33, 0.77, 1.9])
    for (const frame of run.frames) {
      const t = frame.time
      const v = (6 * Math.min(Math.max(t - 0.33, 0), 0.44) - Math.min(Math.max(t - 0.77, 0), 1.13)) / 2
      expect(Math.abs(bodyAt(frame, 0).linearVelocity[0]! - v)).toBeLessThanOrEqual(1e-12)
    }
    // A step that ends at a jump uses the value before it; no step is shortened.
    expect(run.end.steps).toBeLessThan(60)
  })

  it('a spring on a kinematic body gives it work that the audit counts', () => {
    const run = recorded(sceneOf([
      { ...box('block', [0.2, 0.2, 0.2], [0, 0, 0]), mass: { mass: 2 } },
      { ...box('hook', [0.2, 0.2, 0.2], [2, 0, 0]), type: 'kinematic', linearVelocity: [0.5, 0, 0] },
    ], 0, { duration: 3, outputRate: 10 }, {
      gravity: [0, 0, 0],
      forces: [{ id: 's', type: 'spring', bodyA: 'block', bodyB: 'hook', stiffness: 30, damping: 2 }],
    }))
    certified(run)
  })
})

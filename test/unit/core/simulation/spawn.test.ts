import { describe, expect, it } from 'vitest'
import { orientation as turned, random, vector } from '../collision/random'
import { ball, bodyAt, bodyIn, box, floor, recorded, sceneOf } from '../../../verification/support'

/** A cube that appears on another, a little too low. */
const onto = (depth: number, simulation: object) => recorded(sceneOf(
  [floor, box('below', [1, 1, 1], [0, 0, 0.5]), box('late', [1, 1, 1], [0, 0, 1.5 - depth], { spawnTime: 0.1 })], 0.5, { duration: 0.2, outputRate: 20, ...simulation }))

describe.each(['event-driven', 'time-stepping'])('a body that appears where another is, by %s', method => {
  it('is moved out of a tiny overlap, with a warning that gives ids, depth and time', () => {
    const run = onto(1e-7, { method })
    expect(run.end.status).toBe('completed')
    expect(Math.abs(bodyIn(run, 'late').position[2]! - 1.5)).toBeLessThan(5e-9)
    const said = run.events.filter(event => event.kind === 'warning')
    expect(said.length).toBe(1)
    const { time, bodyA, bodyB, message } = said[0]!
    expect([time, run.header.bodyIds[bodyA], run.header.bodyIds[bodyB]]).toEqual([0.1, 'below', 'late'])
    expect(Number(/overlap by (\S+) m/.exec(message)![1])).toBeCloseTo(1e-7, 10)
    expect(run.end.warnings).toContain(message)
  })

  it('causes no warning if it only touches', () => {
    const run = onto(0, { method })
    expect([run.end.status, ...run.end.warnings]).toEqual(['completed'])
  })

  it('stops the run if it overlaps by more', () => {
    const run = onto(1e-3, { method })
    expect([run.end.status, run.end.reason, ...run.end.ids]).toEqual(['stopped', 'InitialPenetration', 'below', 'late'])
    expect(run.end.simulatedTime).toBe(0.1)
    expect(run.end.message).toMatch(/overlap by 0\.001 m/)
  })
})

describe.each(['event-driven', 'time-stepping'])('with initialOverlap "separate", by %s', method => {
  it('a body that appears deep in another is moved apart, with a warning', () => {
    const run = onto(0.01, { method, initialOverlap: 'separate' })
    expect(run.end.status).toBe('completed')
    expect(run.end.warnings[0]).toMatch(/"below" and "late" overlap by 0\.01 m as "late" appears at 0\.1 s/)
    expect(Math.abs(bodyIn(run, 'late').position[2]! - 1.5)).toBeLessThan(1e-6)
  })

  it('bodies deep in each other at the start are moved apart, and none is thrown out', () => {
    const run = recorded(sceneOf([floor, ...[0, 1, 2].map(k => box(`box-${k}`, [1, 1, 1], [0.3 * k, 0, 0.4 + 0.8 * k]))], 0.5, {
      duration: 0.2, outputRate: 20, method, initialOverlap: 'separate',
    }))
    expect([run.end.status, run.end.message]).toEqual(['completed', ''])
    expect(run.end.warnings.some(text => /moved apart/.test(text))).toBe(true)
    for (const { maxPenetration } of run.certificates) expect(maxPenetration).toBeLessThan(1e-9)
    for (const k of [0, 1, 2]) expect(Math.hypot(...bodyIn(run, `box-${k}`).linearVelocity)).toBeLessThan(0.2)
  })

  it('bodies that joints hold are moved apart as far as the joints allow, and the joints hold from the first frame on', () => {
    // A pinned arm with a tip welded on, and a block that reaches into the arm at an angle.
    const r = random(20)
    const [axis, [x, y, z], orientation] = [vector(r), vector(r, 0.3), turned(r)]
    const run = recorded({
      ...sceneOf([
        box('arm', [1, 0.1, 0.1], [0.5, 0, 0]), box('tip', [0.3, 0.3, 0.3], [1, 0.1, 0]), { ...box('block', [1, 1, 1], [1.1 + x, 0.55 + y, z], { orientation }), type: 'fixed' },
      ], 0.5, { duration: 0.01, outputRate: 100, method, initialOverlap: 'separate' }),
      joints: [
        { id: 'pin', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0, 0, 0], axis, collide: false },
        { id: 'weld', type: 'fixed', bodyA: 'arm', bodyB: 'tip', anchor: [1, 0, 0], collide: false },
      ],
    })
    expect([run.end.status, run.end.message]).toEqual(['completed', ''])
    expect(run.end.warnings.some(text => /moved apart/.test(text))).toBe(true)
    for (const { maxPenetration } of run.certificates) expect(maxPenetration).toBeLessThan(1e-9)
    for (const value of run.joints[0]!.error) expect(Math.abs(value)).toBeLessThan(1e-9)
  })
})

describe.each(['event-driven', 'time-stepping'])('a body that has not appeared, by %s', method => {
  const apart = [ball('here', 0.1, [0, 0, 5]), ball('late', 0.1, [1, 0, 5], { spawnTime: 0.1 })]
  const joint = { id: 'j', bodyA: 'here', bodyB: 'late', type: 'slider', anchor: [0, 0, 5], axis: [0, 0, 1] }
  const simulation = { method, outputRate: 40, timeStepping: { step: 1 / 960 } }
  const run = (duration: number, rest: object) => recorded(sceneOf(apart, 0, { ...simulation, duration }, rest))
  const loads: [string, object][] = [
    ['limits', { limits: { lower: 0, upper: 0 } }], ['a motor', { motor: { targetVelocity: 2, maxForce: 50 } }], ['a servo', { servo: { target: 1, stiffness: 100, damping: 5 } }],
    ['a drive', { drive: { force: 30 } }], ['a spring', { spring: { stiffness: 100, rest: 1 } }], ['damping', { damping: 20 }], ['friction', { friction: 30 }],
  ]

  it.each(loads)('does not act through a joint with %s', (_, load) => {
    const { position, angularVelocity } = bodyIn(run(0.075, { joints: [{ ...joint, ...load }] }), 'here')
    expect(Math.hypot(position[0]!, position[1]!, position[2]! - 5 + 9.81 * 0.075 ** 2 / 2)).toBeLessThan(1e-12)
    expect(Math.hypot(...angularVelocity)).toBe(0)
  })

  it.each(loads)('no longer acts through a joint with %s once it has disappeared', (_, load) => {
    const removed = [apart[0]!, ball('late', 0.1, [1, 0, 5], { removeTime: 0.05 })]
    const { frames } = recorded(sceneOf(removed, 0, { ...simulation, duration: 0.1 }, { joints: [{ ...joint, ...load }] }))
    const [before, after] = [3, 4].map(k => bodyAt(frames[k]!, 0).linearVelocity)
    expect(Math.abs(after![2]! - before![2]! + 9.81 * 0.025)).toBeLessThan(1e-12)
  })

  it('does not act through a ball joint with friction and damping', () => {
    const spinning = [ball('here', 0.1, [0, 0, 5], { angularVelocity: [0, 0, 3] }), apart[1]!]
    const { angularVelocity } = bodyIn(recorded(sceneOf(spinning, 0, { ...simulation, duration: 0.075 }, {
      joints: [{ id: 'j', bodyA: 'here', bodyB: 'late', type: 'ball', anchor: [0.5, 0, 5], friction: 1, damping: 1 }],
    })), 'here')
    expect(angularVelocity[2]).toBeCloseTo(3, 12)
  })

  const stores: [string, object][] = [
    ['a spring of a joint', { joints: [{ ...joint, spring: { stiffness: 100, rest: 0.2 } }] }],
    ['a spring', { forces: [{ id: 's', type: 'spring', bodyA: 'here', bodyB: 'late', stiffness: 50, restLength: 0.4 }] }],
    ['an attractor', { forces: [{ id: 'a', type: 'attractor', body: 'late', center: [0, 0, 0], strength: 5, softening: 0.2 }] }],
  ]
  it.each(stores)('brings the energy of %s when it appears, and the audit has no residual', (_, rest) => {
    const { certificates, end } = run(0.2, rest)
    expect([end.status, ...end.warnings]).toEqual(['completed'])
    const residuals = certificates.map(({ energy }) => Math.abs(energy.residual))
    expect(Math.max(...residuals.slice(0, 4))).toBeLessThan(1e-9)
    expect(Math.max(...residuals)).toBeLessThan(method === 'event-driven' ? 1e-8 : 1e-3)
    expect(certificates.at(-1)!.energy.spawned).not.toBe(0)
  })

  it.each(stores)('takes the energy of %s away when it disappears, and the audit has no residual', (_, rest) => {
    const { certificates, end } = recorded(sceneOf([apart[0]!, ball('late', 0.1, [1, 0, 5], { removeTime: 0.1 })], 0, { ...simulation, duration: 0.2 }, rest))
    expect([end.status, ...end.warnings]).toEqual(['completed'])
    for (const { energy } of certificates) expect(Math.abs(energy.residual)).toBeLessThan(method === 'event-driven' ? 1e-8 : 1e-3)
    expect(certificates.at(-1)!.energy.spawned).not.toBe(0)
  })
})

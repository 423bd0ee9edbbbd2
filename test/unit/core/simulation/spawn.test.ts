import { describe, expect, it } from 'vitest'
import { orientation as turned, random, vector } from '../collision/random'
import { bodyIn, box, floor, recorded, sceneOf } from '../../../verification/support'

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

import { describe, expect, it } from 'vitest'
import { parseScene } from '../../../../core/scene'
import { ball, bodyIn, box, floor, recorded, sceneOf } from '../../../verification/support'

const METHODS = ['event-driven', 'time-stepping']
/** A cart of 8 kg on rails along x, without friction and weight. */
const cart = (acting: object, simulation: object) => sceneOf([box('cart', [0.2, 0.2, 0.2], [0, 0, 0])], 0, { duration: 1, outputRate: 10, ...simulation }, {
  gravity: [0, 0, 0], joints: [{ id: 'rail', type: 'slider', bodyA: 'cart', bodyB: null, anchor: [0, 0, 0], axis: [1, 0, 0], ...acting }],
})
const placesOf = (run: ReturnType<typeof recorded>) => run.frames.map(frame => bodyIn(run, 'cart', frame).position[0]!)

describe.each(METHODS)('drives of a joint with keys, by %s', method => {
  it('a force of 8 N for 0.25 s, then of −8 N, brings a cart of 8 kg to rest after 0.5 s, 1/16 m away', () => {
    const run = recorded(cart({ drive: { force: 8, keys: [{ time: 0.25, force: -8 }, { time: 0.5, force: 0 }] } }, { method }))
    const at = (t: number): number => t <= 0.25 ? t * t / 2 : t <= 0.5 ? 1 / 32 + 0.25 * (t - 0.25) - (t - 0.25) ** 2 / 2 : 1 / 16
    placesOf(run).forEach((x, k) => expect(Math.abs(x - at(k / 10))).toBeLessThan(1e-12))
    expect(run.certificates.at(-1)!.energy.residual).toBeLessThan(1e-9)
    expect(run.certificates[2]!.energy.joints).toBeCloseTo(8 * 0.02, 9)
  })

  it('a sufficiently strong motor has each velocity from its key on', () => {
    const run = recorded(cart({ motor: { targetVelocity: 0, maxForce: 1e6, keys: [{ time: 0.2, targetVelocity: 1 }, { time: 0.6, targetVelocity: -2 }] } }, { method }))
    // The largest force takes the cart to 1 m/s within 8 µs, and 4 µm.
    placesOf(run).forEach((x, k) => {
      const t = k / 10
      expect(Math.abs(x - (t <= 0.2 ? 0 : t <= 0.6 ? t - 0.2 : 0.4 - 2 * (t - 0.6)))).toBeLessThan(method === 'event-driven' ? 5e-5 : 2e-2)
    })
  })

  it('a key at 0 replaces the first value', () => {
    const run = recorded(cart({ drive: { force: 100, keys: [{ time: 0, force: 8 }] } }, { method }))
    expect(Math.abs(placesOf(run).at(-1)! - 0.5)).toBeLessThan(1e-12)
  })
})

it('a servo that holds each target until the next does not move before its time', () => {
  const run = recorded(cart({ servo: { stiffness: 8e3, damping: 506, interpolation: 'hold', keys: [{ time: 0.4, target: 0.1 }] } }, { method: 'time-stepping' }))
  const places = placesOf(run)
  for (const x of places.slice(0, 5)) expect(Math.abs(x)).toBeLessThan(1e-14)
  expect(places.at(-1)!).toBeCloseTo(0.1, 5)
})

it('times of keys have to increase; others are refused with their path', () => {
  const parsed = parseScene(cart({ motor: { maxForce: 1, keys: [{ time: 1, targetVelocity: 1 }, { time: 1, targetVelocity: 2 }] } }, {}))
  expect(parsed.ok ? [] : parsed.problems.map(({ name, path }) => [name, path])).toEqual([['InvalidKeys', 'joints[0].motor.keys[1].time']])
})

describe.each(METHODS)('bodies that disappear, by %s', method => {
  it('a ball falls from a table that is removed, from that time on', () => {
    const run = recorded(sceneOf([
      { ...box('table', [1, 1, 0.1], [0, 0, 0.95]), type: 'fixed', removeTime: 0.25 }, ball('ball', 0.1, [0, 0, 1.1]),
    ], 0.5, { method, duration: 0.5, outputRate: 20 }))
    run.frames.forEach((frame, k) => {
      const fallen = Math.max(0, k / 20 - 0.25)
      expect(Math.abs(bodyIn(run, 'ball', frame).position[2]! - (1.1 - 9.81 * fallen * fallen / 2))).toBeLessThan(2e-8)
      expect(Number.isNaN(bodyIn(run, 'table', frame).position[0]!)).toBe(k >= 5)
    })
    expect(run.events.filter(({ kind }) => kind === 'remove').map(({ time }) => time)).toEqual([0.25])
    expect(Math.abs(run.certificates.at(-1)!.energy.residual)).toBeLessThan(1e-7)
  })

  it('removes its kinetic energy, and bodies that were joined to it continue alone', () => {
    const run = recorded(sceneOf([
      box('one', [0.2, 0.2, 0.2], [0, 0, 2], { linearVelocity: [1, 0, 0] }), box('two', [0.2, 0.2, 0.2], [0.5, 0, 2], { linearVelocity: [1, 0, 0], removeTime: 0.2 }),
    ], 0.5, { method, duration: 0.4, outputRate: 20 }, { gravity: [0, 0, 0], joints: [{ id: 'rod', type: 'fixed', bodyA: 'one', bodyB: 'two', anchor: [0.25, 0, 2] }] }))
    expect(run.end.status).toBe('completed')
    expect(Math.abs(bodyIn(run, 'one').position[0]! - 0.4)).toBeLessThan(1e-9)
    const { energy } = run.certificates.at(-1)!
    expect(energy.spawned).toBeCloseTo(-4, 9)
    expect(Math.abs(energy.residual)).toBeLessThan(1e-9)
  })
})

it('sleeping bodies wake if their support disappears', () => {
  const run = recorded(sceneOf([floor, { ...box('table', [1, 1, 0.2], [0, 0, 0.1]), removeTime: 2 }, box('crate', [0.2, 0.2, 0.2], [0, 0, 0.3])], 0.5, {
    method: 'time-stepping', duration: 3, outputRate: 20, timeStepping: { sleep: true },
  }))
  expect(run.events.some(({ kind }) => kind === 'sleep')).toBe(true)
  expect(bodyIn(run, 'crate').position[2]!).toBeCloseTo(0.1, 6)
})

/** Hard cases for time-stepping: a run must end in a valid state or a typed stop, and never gain energy. */

import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, floor, recorded, sceneOf, size, worst, type Recorded } from './support'

function stepped(bodies: readonly object[], simulation: object = {}, timeStepping: object = {}): Recorded {
  return recorded(sceneOf(bodies, 0.5, { method: 'time-stepping', outputRate: 60, ...simulation, timeStepping: { contactModel: 'standard', ...timeStepping } }))
}

function expectNoGain(run: Recorded, allowed: number): void {
  const energies = run.certificates.map(({ energy }) => energy.kinetic + energy.potential)
  for (const energy of energies) expect(energy).toBeLessThanOrEqual(energies[0]! + allowed)
}

it('a body of a ton rests on one of a gram', () => {
  const weighted = (id: string, mass: number, z: number): object =>
    box(id, [1, 1, 1], [0, 0, z], { mass: { mass, inertia: [mass / 6, mass / 6, mass / 6, 0, 0, 0] } })
  const run = stepped([floor, weighted('light', 1e-3, 0.5), weighted('heavy', 1e3, 1.5)], { duration: 0.5 })
  expect(run.end.status).toBe('completed')
  expect(Math.abs(bodyAt(run.frames.at(-1)!, 2).position[2]! - 1.5)).toBeLessThanOrEqual(1e-7)
  expect(worst(run, c => c.maxPenetration)).toBe(0)
})

it('steps of 0.1 s neither overlap nor gain energy', () => {
  const boxes = Array.from({ length: 4 }, (_, i) => box(`b${i}`, [1, 1, 1], [0.3 * (i % 2), 0.1 * i, 1 + 1.2 * i], { angularVelocity: [1, 2, 3] }))
  const run = stepped([floor, ...boxes], { duration: 0.7, outputRate: 10 }, { step: 0.1 })
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-15)
  expectNoGain(run, 0)
})

it.each(['standard', 'peg'])('impacts with friction never add energy: where Newton\'s hypothesis would, restitution is scaled, and an event says so (%s)', contactModel => {
  const thrown = (id: string, position: number[], linearVelocity: number[], angularVelocity: number[]): object =>
    box(id, [1, 0.2, 0.3], position, { linearVelocity, angularVelocity })
  const bodies = [
    floor, thrown('a', [-2, 0.4, 0.9], [-0.7, 1.7, -3], [-3.9, 0.3, 3.5]), thrown('b', [0, -0.4, 1.3], [1.5, -0.3, -3], [2.9, -3.1, 1.1]),
    thrown('c', [2, 0.1, 1.5], [-1.9, 0.6, -3], [-2.2, 3.8, -0.9]),
  ]
  const scene = { ...sceneOf(bodies, 1, { method: 'time-stepping', outputRate: 250, duration: 0.8, timeStepping: { contactModel, step: 0.004 } }, {}, 0.9), gravity: [0, 0, 0] }
  const run = recorded(scene)
  expect(run.end.status).toBe('completed')
  const energies = run.certificates.map(({ energy }) => energy.kinetic)
  energies.forEach((energy, k) => expect(energy).toBeLessThanOrEqual(energies[Math.max(0, k - 1)]! + 1e-6 * energies[0]!))
  expect(run.events.some(event => event.kind === 'energyScaled')).toBe(true)
})

describe('bodies that overlap at the start', () => {
  const heap = Array.from({ length: 5 }, (_, i) => box(`b${i}`, [1, 1, 1], [0.1 * i, 0.05 * i, 0.3 + 0.5 * i]))

  it('are refused by default', () => {
    expect(() => stepped([floor, ...heap])).toThrow(/overlap/)
  })

  it('are moved apart with initialOverlap "separate", and are not thrown', () => {
    const run = stepped([floor, ...heap], { duration: 0.3, initialOverlap: 'separate' })
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBe(0)
    expectNoGain(run, 1e-6 * run.certificates[0]!.energy.potential)
    for (let body = 1; body <= heap.length; body++) expect(size(bodyAt(run.frames[0]!, body).linearVelocity)).toBe(0)
  })
})

it('a step without a valid solution is halved, and an event says so', { tags: 'long' }, () => {
  const boxes = Array.from({ length: 10 }, (_, i) => box(`b${i}`, [1, 1, 1], [0.3 * (i % 2), 0.1 * i, 1 + 1.2 * i], { linearVelocity: [0, 0, -40], angularVelocity: [24, 48, 72] }))
  const run = stepped([floor, ...boxes], { duration: 0.5, outputRate: 10 }, { step: 0.1 })
  const halved = run.events.filter(event => event.kind === 'degraded')
  expect(halved.length).toBeGreaterThan(0)
  expect(halved[0]!.message).toContain('is halved')
  expect(run.certificates.filter(c => c.degraded === 1).length).toBeGreaterThan(0)
})

it('an interval with too many events is finished by time-stepping and marked, and the run goes on', () => {
  const run = recorded(sceneOf([floor, box('a', [1, 1, 1], [0, 0, 2], { angularVelocity: [1, 2, 3] })], 0.5, {
    method: 'event-driven', duration: 1.5, outputRate: 60, eventDriven: { maxEventsPerFrame: 3 }, timeStepping: { contactModel: 'standard' },
  }, {}, 0.5))
  expect(run.end.status).toBe('completed')
  const marked = run.events.filter(event => event.kind === 'degraded')
  expect(marked.length).toBeGreaterThan(0)
  expect(marked[0]!.message).toContain('finished by time-stepping')
  expect(run.certificates.filter(c => c.degraded === 1).length).toBeGreaterThan(0)
  expect(run.certificates.filter(c => c.degraded === 0).length).toBeGreaterThan(0)
  expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
})

it('over an interval that time-stepping finishes momentum is kept and the audit goes on, and events mark both ends', () => {
  const run = recorded(sceneOf([floor, box('a', [1, 1, 1], [0, 0, 2], { linearVelocity: [1.5, -0.5, 0], angularVelocity: [1, 2, 3] })], 0, {
    method: 'event-driven', duration: 2, outputRate: 2, eventDriven: { maxEventsPerFrame: 2 },
  }, {}, 0.5))
  expect(run.end.status).toBe('completed')
  // Without friction nothing acts along the floor.
  for (const frame of run.frames) {
    const [x, y] = bodyAt(frame, 1).linearVelocity
    expect(size([x! - 1.5, y! + 0.5])).toBeLessThanOrEqual(1e-12)
  }
  const degraded = run.certificates.map(certificate => certificate.degraded === 1)
  expect(degraded).toContain(true)
  run.certificates.forEach(({ energy }, k) => {
    if (k === 0) return
    expect(Math.abs(energy.residual - run.certificates[k - 1]!.energy.residual)).toBeLessThanOrEqual(degraded[k]! ? 1e-2 : 1e-8)
    expect(energy.impacts).toBeLessThanOrEqual(run.certificates[k - 1]!.energy.impacts + 1e-9)
  })
  for (const { time } of run.events.filter(event => event.kind === 'degraded')) {
    expect(run.events.some(event => event.kind === 'restart' && event.time > time && event.time <= time + 0.5 + 1e-9)).toBe(true)
  }
})

describe('the same scene', () => {
  const bodies = [
    floor, ball('ball', 0.3, [0, 0, 1], { linearVelocity: [1, 0, 0] }), box('one', [1, 1, 1], [3, 0, 0.6], { angularVelocity: [0.5, 0, 1] }),
    box('two', [1, 1, 1], [3.2, 0.3, 1.9]),
  ]

  it.each([
    { method: 'time-stepping', contactModel: 'standard' }, { method: 'time-stepping', contactModel: 'peg' }, { method: 'event-driven', contactModel: 'peg' },
  ])('gives the same states again, bit for bit, and with its islands in another order: $method, $contactModel', ({ method, contactModel }) => {
    const hash = (list: readonly object[]): string =>
      recorded(sceneOf(list, 0.5, { method, outputRate: 60, duration: 0.5, timeStepping: { contactModel } })).end.finalHash
    const [ground, first, ...rest] = bodies
    const once = hash(bodies)
    expect(hash(bodies)).toBe(once)
    expect(hash([ground!, ...rest, first!])).toBe(once)
  })
})

describe('extreme scenes', () => {
  const around = (count: number): object[] => Array.from({ length: count }, (_, i) =>
    ball(`s${i}`, 0.05, [1e-3 * ((7919 * i) % 1000) / 1000, 1e-3 * ((7297 * i) % 1000) / 1000, 5 + 1e-3 * ((6421 * i) % 1000) / 1000]))

  function expectSound(run: Recorded, gain: number): void {
    expect(['completed', 'stopped']).toContain(run.end.status)
    if (run.end.status === 'stopped') expect(run.end.reason).toMatch(/^(StepSizeUnderflow|SolverFailure|InitialPenetration)$/)
    for (const { bodies } of run.frames) for (const value of bodies) expect(Number.isFinite(value)).toBe(true)
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
    expectNoGain(run, gain * Math.max(...run.certificates.map(({ energy }) => energy.kinetic)))
  }

  it('a thousand bodies in one place are refused, and the message names only the deepest pairs', () => {
    let told = ''
    try {
      stepped([floor, ...around(1000)], { duration: 0.02 })
    } catch (error) {
      told = (error as Error).message
    }
    expect(told).toMatch(/"s\d+" and "s\d+" overlap by 0\.09\d+ m/)
    expect(told.length).toBeLessThan(10_000)
  })

  it('a hundred and fifty in one place are moved apart if the scene asks for it', { tags: 'long' }, () => {
    const run = stepped([floor, ...around(150)], { duration: 1 / 30, outputRate: 30, initialOverlap: 'separate' }, { step: 1 / 30 })
    expectSound(run, 1e-6)
    expect(run.end.warnings.length).toBeLessThanOrEqual(60)
  })

  it('a body a million times lighter falls onto another with steps of 0.1 s', () => {
    const weighing = (id: string, mass: number, z: number): object =>
      box(id, [1, 1, 1], [0.1, 0.2, z], { mass: { mass, inertia: [mass / 6, mass / 6, mass / 6, 0, 0, 0] }, angularVelocity: [0.3, 0.2, 0.1] })
    expectSound(stepped([floor, weighing('lower', 1, 0.6), weighing('upper', 1e-6, 2.5)], { duration: 1.5, outputRate: 10 }, { step: 0.1 }), 1e-2)
  })

  const weighted = (id: string, mass: number, z: number): object =>
    box(id, [1, 1, 1], [0, 0, z], { mass: { mass, inertia: [mass / 6, mass / 6, mass / 6, 0, 0, 0] } })

  describe.each([1e-6, 1e6])('a body %f times as heavy falls flat onto another with steps of 0.1 s', ratio => {
    it.each([['standard', 0, 0.5], ['standard', 0.5, 0], ['standard', 0.5, 1], ['peg', 0.5, 0.5], ['peg', 0.5, 1]])('%s, μ = %f, e = %f', (contactModel, friction, e) => {
      const run = recorded(sceneOf([floor, weighted('low', 1, 0.5), weighted('high', ratio, 2.5)], friction, {
        method: 'time-stepping', duration: 1, outputRate: 10, timeStepping: { contactModel, step: 0.1 },
      }, {}, e))
      expect(run.end.status).toBe('completed')
      expectSound(run, 1e-6)
      expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-4)
    })
  })

  it.each([[1e-3, 1e3, 1e-3, 1e3], [1e3, 1e-3, 1e3, 1e-3]])('boxes of %f, %f, %f and %f kg stand on each other with steps of 0.1 s', (...masses) => {
    const run = stepped([floor, ...masses.map((mass, i) => weighted(`b${i}`, mass, 0.5 + i))], { outputRate: 10, duration: 1 }, { step: 0.1 })
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-12)
    masses.forEach((_, i) => expect(Math.abs(bodyAt(run.frames.at(-1)!, i + 1).position[2]! - 0.5 - i)).toBeLessThanOrEqual(1e-6))
  })
})

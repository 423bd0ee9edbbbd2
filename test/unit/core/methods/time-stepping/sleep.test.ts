/** Islands at rest fall asleep, cost nothing, and wake up when something reaches them. */

import { describe, expect, it } from 'vitest'
import { ball, bodyIn, box, contactForceOn, floor, indexOf, recorded, sceneOf, worst, type Recorded } from '../../../../verification/support'

const g = 9.81

function run(bodies: readonly object[], sleep: boolean, rest: object = {}, simulation: object = {}): Recorded {
  const made = recorded(sceneOf(bodies, 0.5, {
    method: 'time-stepping', duration: 1.5, outputRate: 20, timeStepping: { step: 1 / 60, contactModel: 'standard', sleep }, ...simulation,
  }, rest))
  expect(made.end.status).toBe('completed')
  return made
}

const pyramid = (id: string, x: number): object[] => [
  box(`${id}1`, [1, 1, 1], [x, 0, 0.5]), box(`${id}2`, [1, 1, 1], [x + 1.05, 0, 0.5]), box(`${id}3`, [1, 1, 1], [x + 0.525, 0, 1.5]),
]
const told = (made: Recorded, kind: string): [number, string][] => made.events.filter(event => event.kind === kind).map(({ time, message }) => [time, message])

describe('two pyramids, and a ball that rolls into one', () => {
  const bodies = [floor, ...pyramid('p', 0), ...pyramid('q', 20), ball('ball', 0.3, [-7.2, 0, 0.3], { linearVelocity: [6, 0, 0], angularVelocity: [0, 20, 0] })]
  const asleep = run(bodies, true)
  const awake = run(bodies, false)

  it('fall asleep after half a second, and only the one that the ball touches wakes up', () => {
    expect(told(asleep, 'sleep').map(([time]) => Math.round(time * 60))).toEqual([30, 30])
    expect(told(asleep, 'wake').map(([, message]) => message)).toEqual(['p1, p2, p3'])
    const [[woken]] = told(asleep, 'wake') as [[number, string]]
    expect(Math.abs(woken - 6.4 / 6)).toBeLessThanOrEqual(1 / 60)
    expect([...asleep.certificates.at(-1)!.asleep]).toEqual(['q1', 'q2', 'q3'].map(id => indexOf(asleep, id)))
  })

  it('move as without sleep up to then', () => {
    const first = asleep.certificates.findIndex(certificate => certificate.asleep.length > 0)
    for (let k = 0; k < first; k++) expect(asleep.frames[k]!.hash).toBe(awake.frames[k]!.hash)
  })

  it('do not change by a bit while asleep, and their recorded forces balance their weight', () => {
    asleep.certificates.forEach((certificate, k) => {
      for (const body of certificate.asleep) {
        const id = asleep.header.bodyIds[body]!
        if (asleep.certificates[k - 1]!.asleep.includes(body)) expect(bodyIn(asleep, id, asleep.frames[k])).toEqual(bodyIn(asleep, id, asleep.frames[k - 1]))
        expect(bodyIn(asleep, id, asleep.frames[k]).linearVelocity).toEqual([0, 0, 0])
        const { total } = contactForceOn(asleep.contacts[k]!, body)
        expect(Math.hypot(total[0]!, total[1]!, total[2]! - 1000 * g)).toBeLessThanOrEqual(1e-8 * 1000 * g)
      }
    })
  })

  it('gain no energy by it: the energy that is removed is recorded as lost to friction', () => {
    expect(worst(asleep, c => c.energy.residual)).toBeLessThanOrEqual(worst(awake, c => c.energy.residual) + 1e-9)
    const losses = asleep.certificates.map(c => c.energy.friction)
    // Friction in the step that ends a slip is recorded as accurately as that step is solved.
    losses.forEach((loss, k) => expect(loss).toBeLessThanOrEqual(losses[Math.max(0, k - 1)]! + 1e-10 * Math.abs(loss)))
  })

  it('are repeatable bit for bit, also with the pyramids in another order', () => {
    expect(run(bodies, true).end.finalHash).toBe(asleep.end.finalHash)
    expect(run([floor, ...pyramid('q', 20), ...pyramid('p', 0), bodies.at(-1)!], true).end.finalHash).toBe(asleep.end.finalHash)
  })
})

it('need no solve while asleep', () => {
  const made = run([floor, ...pyramid('p', 0)], true)
  const rest = made.certificates.filter(({ time }) => time > 0.6)
  expect(rest.length).toBeGreaterThan(10)
  expect(told(made, 'release')).toEqual([])
  for (const { solverCalls, pivots, solvedIsland } of rest) expect([solverCalls, pivots, solvedIsland.length]).toEqual([0, 0, 0])
})

it('a ball that rolls very slowly loses its remaining energy to friction when it falls asleep', () => {
  const [radius, speed] = [0.1, 1e-5]
  const made = run([floor, ball('ball', radius, [0, 0, radius], { linearVelocity: [speed, 0, 0], angularVelocity: [0, speed / radius, 0] })], true)
  const mass = 1000 * 4 / 3 * Math.PI * radius ** 3
  const { energy } = made.certificates.at(-1)!
  expect(told(made, 'sleep')).toHaveLength(1)
  expect(energy.kinetic).toBe(0)
  // ½ m v² of its motion and ⅕ m v² of its rotation.
  expect(energy.friction / (-0.7 * mass * speed * speed)).toBeCloseTo(1, 3)
})

describe('a sleeping box wakes', () => {
  const cube = box('cube', [1, 1, 1], [0, 0, 0.5])
  const wakes = (made: Recorded): number[] => told(made, 'wake').map(([time]) => time)

  it('when a force on it changes', () => {
    const made = run([floor, cube], true, {
      forces: [{ id: 'push', type: 'keyframed', body: 'cube', keys: [{ time: 0 }, { time: 1 }, { time: 1.2, force: [9000, 0, 0] }] }],
    })
    expect(wakes(made)[0]).toBeGreaterThanOrEqual(1 - 1e-9)
    expect(wakes(made)[0]).toBeLessThanOrEqual(1 + 2 / 60)
    expect(bodyIn(made, 'cube').position[0]).toBeGreaterThan(0.01)
  })

  it('when the other end of its spring moves', () => {
    const made = run([floor, cube, box('bob', [0.2, 0.2, 0.2], [0, 0, 3], { type: 'kinematic', linearVelocity: [1, 0, 0] })], true, {
      forces: [{ id: 's', type: 'spring', bodyA: 'cube', pointA: [0, 0, 0], bodyB: 'bob', pointB: [0, 0, 0], stiffness: 10, damping: 0, restLength: 2.5 }],
    })
    // A force that always changes wakes it each time it has fallen asleep.
    const slept = told(made, 'sleep').filter(([time]) => time < 1.4)
    expect(slept.length).toBeGreaterThan(0)
    slept.forEach(([time], k) => expect(wakes(made)[k]! - time).toBeLessThanOrEqual(1.5 / 60))
  })

  it('when a kinematic body comes, and not before', () => {
    const made = run([floor, cube, box('pusher', [1, 1, 0.5], [-2, 0, 0.5], { type: 'kinematic', linearVelocity: [1, 0, 0] })], true)
    expect(wakes(made)).toHaveLength(1)
    expect(Math.abs(wakes(made)[0]! - 1)).toBeLessThanOrEqual(1.5 / 60)
    expect(Math.abs(bodyIn(made, 'cube').position[0]! - 0.5)).toBeLessThanOrEqual(1e-3)
  })

  it('when a body spawns onto it, and one that spawns elsewhere leaves it asleep', () => {
    const made = run([floor, cube, box('late', [1, 1, 1], [0, 0, 1.5], { spawnTime: 1 }), box('far', [1, 1, 1], [9, 0, 0.5], { spawnTime: 0.8 })], true)
    expect(wakes(made)).toHaveLength(1)
    expect(Math.abs(wakes(made)[0]! - 1)).toBeLessThanOrEqual(1.5 / 60)
  })

  it('does not fall asleep while its support moves', () => {
    const made = run([box('belt', [9, 1, 1], [0, 0, -0.5], { type: 'kinematic', linearVelocity: [1e-5, 0, 0] }), cube], true)
    expect(told(made, 'sleep')).toEqual([])
    expect(bodyIn(made, 'cube').position[0]).toBeGreaterThan(1e-5)
  })
})

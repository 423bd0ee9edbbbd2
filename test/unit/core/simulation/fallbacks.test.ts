import { expect, it } from 'vitest'
import { ball, floor, recorded, sceneOf } from '../../../verification/support'

const bouncing = (simulation: object): object => sceneOf([floor, ball('ball', 0.1, [0, 0, 0.11])], 0, { duration: 0.4, outputRate: 10, ...simulation }, {}, 0.7)

it('the end of a run gives the number and the total time of intervals finished by time-stepping', () => {
  const run = recorded(bouncing({ method: 'event-driven', eventDriven: { maxEventsPerFrame: 2 } }))
  const told = run.events.filter(({ kind }) => kind === 'degraded')
  expect(told.length).toBeGreaterThanOrEqual(1)
  const intervals = told.map(({ time, message }) => Number(/up to (\S+) s/.exec(message)![1]) - time)
  expect(run.end.fallbacks.count).toBe(told.length)
  expect(run.end.fallbacks.time).toBeCloseTo(intervals.reduce((sum, interval) => sum + interval, 0), 12)
})

it('a run without fallbacks reports none', () => {
  expect(recorded(bouncing({ method: 'event-driven' })).end.fallbacks).toEqual({ count: 0, time: 0 })
  expect(recorded(bouncing({ method: 'time-stepping' })).end.fallbacks).toEqual({ count: 0, time: 0 })
})

it('steps shortened by stiff forces count until they have their full length again', () => {
  const stiff = { forces: [{ id: 's', type: 'spring', bodyA: 'ball', pointA: [0, 0, 0], bodyB: null, pointB: [0, 0, 2], stiffness: 1e5, damping: 0, restLength: 1 }] }
  const run = recorded(sceneOf([ball('ball', 0.1, [0, 0, 0.9])], 0, { method: 'time-stepping', duration: 0.5, outputRate: 10, timeStepping: { step: 0.05 } }, stiff))
  expect(run.end.fallbacks.count).toBe(run.events.filter(({ kind }) => kind === 'degraded').length)
  expect(run.end.fallbacks.time).toBeCloseTo(0.5, 9)
})

it('a run that stops because its step cannot be halved further has reported every halving', () => {
  const run = recorded(sceneOf([
    { id: 'left', type: 'kinematic', position: [-1, 0, 0], linearVelocity: [-1, 0, 0] }, { id: 'right', type: 'kinematic', position: [1, 0, 0], linearVelocity: [1, 0, 0] },
    ball('ball', 0.1, [0, 0, 0]),
  ], 0, { method: 'time-stepping', duration: 0.1, outputRate: 10 }, {
    joints: ['left', 'right'].map(id => ({ id: `to-${id}`, type: 'ball', bodyA: 'ball', bodyB: id, anchor: [0, 0, 0] })),
  }))
  expect(run.end.status).toBe('stopped')
  expect(run.end.reason).toBe('StepSizeUnderflow')
  const lengths = run.events.filter(({ kind }) => kind === 'degraded').map(({ message }) => Number(/of (\S+) s is halved/.exec(message)![1]))
  expect(lengths.length).toBe(12)
  // Events report them to four digits.
  lengths.slice(1).forEach((length, k) => expect(Math.abs(2 * length / lengths[k]! - 1)).toBeLessThanOrEqual(1e-3))
})

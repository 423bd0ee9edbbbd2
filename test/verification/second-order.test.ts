/**
 * Time-stepping is of second order where contacts persist and where small islands have impacts: bodies that slide and roll down an incline follow their
 * closed forms, and a block that rocks from edge to edge agrees with the event-driven method.
 */

import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, floor, recorded, sceneOf, worst, type Recorded } from './support'

const g = 9.81
const SLOPE = 0.4

/** A body on a floor with gravity tilted by the slope, for 1 s. */
function released(body: object, friction: number, step: number): Recorded {
  return recorded(sceneOf([floor, body], friction, { method: 'time-stepping', duration: 1, outputRate: 60, timeStepping: { step } },
    { gravity: [g * Math.sin(SLOPE), 0, -g * Math.cos(SLOPE)] }))
}

describe.each([1 / 60, 1 / 240])('down an incline in steps of %f s', step => {
  it.each([
    ['a block slides', box('body', [0.2, 0.2, 0.2], [0, 0, 0.1]), 0.2, g * (Math.sin(SLOPE) - 0.2 * Math.cos(SLOPE))],
    ['a ball rolls', ball('body', 0.1, [0, 0, 0.1]), 2, 5 / 7 * g * Math.sin(SLOPE)],
  ] as const)('%s as far, and as fast, as its closed form in every frame, and its energy is balanced', (_, body, friction, acceleration) => {
    const run = released(body, friction, step)
    for (const frame of run.frames) {
      const { position, linearVelocity } = bodyAt(frame, 1)
      expect(Math.abs(position[0]! - acceleration * frame.time ** 2 / 2)).toBeLessThanOrEqual(1e-10)
      expect(Math.abs(linearVelocity[0]! - acceleration * frame.time)).toBeLessThanOrEqual(1e-10)
    }
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-9)
  })
})

describe.each([5, 8])('a stack of %i slabs, four contacts each, that slides down an incline as one', count => {
  it.each([1 / 60, 1 / 240])('in steps of %f s moves by its closed form in every frame, and its energy is balanced', step => {
    const slabs = Array.from({ length: count }, (_, k) => box(`slab-${k}`, [0.4, 0.4, 0.1], [0, 0, 0.05 + 0.1 * k]))
    const run = recorded(sceneOf([floor, ...slabs], 0.2, { method: 'time-stepping', duration: 1, outputRate: 60, timeStepping: { step } },
      { gravity: [g * Math.sin(SLOPE), 0, -g * Math.cos(SLOPE)] }))
    const acceleration = g * (Math.sin(SLOPE) - 0.2 * Math.cos(SLOPE))
    for (const frame of run.frames) {
      for (let body = 1; body <= count; body++) {
        expect(Math.abs(bodyAt(frame, body).position[0]! - acceleration * frame.time ** 2 / 2)).toBeLessThanOrEqual(1e-10)
      }
    }
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-9)
  })
})

describe('a block of 0.2 m by 1 m that rocks from edge to edge', () => {
  const TILT = 0.08
  const [half, high] = [0.1, 0.5]
  const [sin, cos] = [Math.sin(TILT), Math.cos(TILT)]
  const rocking = (simulation: object): Recorded => recorded(sceneOf([
    floor, box('block', [2 * half, 0.3, 2 * high], [high * sin - half * cos, 0, half * sin + high * cos], { orientation: [0, Math.sin(TILT / 2), 0, Math.cos(TILT / 2)] }),
  ], 2, { duration: 2.5, outputRate: 50, ...simulation }, { gravity: [0, 0, -g] }))
  const tiltIn = (frame: Recorded['frames'][number]): number => {
    const { orientation } = bodyAt(frame, 1)
    return 2 * Math.atan2(orientation[1]!, orientation[3]!)
  }
  /** s: times of impacts, without those of the other vertex of the same edge. */
  const impactsOf = ({ events }: Recorded): number[] => {
    const all = events.filter(({ kind }) => kind === 'impact').map(({ time }) => time)
    return all.filter((time, k) => k === 0 || time - all[k - 1]! > 0.01)
  }
  const exact = rocking({ method: 'event-driven' })

  it.each([[1 / 250, 2e-5], [1 / 500, 1e-5], [1 / 1000, 5e-6]])('in steps of %f s has the impacts and tilts of the event-driven method to %f', (step, tolerance) => {
    const run = rocking({ method: 'time-stepping', timeStepping: { step } })
    expect(run.end.status).toBe('completed')
    const [expected, found] = [impactsOf(exact), impactsOf(run)]
    expect(expected).toHaveLength(6)
    expect(found).toHaveLength(6)
    found.forEach((time, k) => expect(Math.abs(time - expected[k]!)).toBeLessThanOrEqual(tolerance))
    run.frames.forEach((frame, k) => expect(Math.abs(tiltIn(frame) - tiltIn(exact.frames[k]!))).toBeLessThanOrEqual(tolerance))
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(10 * tolerance)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBe(0)
  })
})

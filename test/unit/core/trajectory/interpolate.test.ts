import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameHoldingAt, interpolateBodies } from '../../../../core/trajectory/interpolate'
import type { Frame, TrajectoryEvent } from '../../../../core/trajectory/frame'

const g = 9.81
const frame = (index: number, time: number, bodies: number[]): Frame => ({ index, time, bodies: new Float64Array(bodies), hash: '' })
const center = new Float64Array(3)

/** Thrown from the origin with velocity (1, 0, 5), turning about z at 2 rad/s. */
const thrown = (t: number) => [t, 0, 5 * t - g * t * t / 2, 0, 0, Math.sin(t), Math.cos(t), 1, 0, 5 - g * t, 0, 0, 2]

describe('between two frames', () => {
  it('free flight with steady rotation is exact', () => {
    for (const t of [0.1, 0.13, 0.15, 0.1999]) {
      const state = interpolateBodies(frame(0, 0.1, thrown(0.1)), frame(1, 0.2, thrown(0.2)), [], center, t)
      thrown(t).forEach((value, k) => expect(state[k]).toBeCloseTo(value, 14))
    }
  })

  it('the centre of mass, not the origin, follows the cubic', () => {
    // The centre rests at the origin; the body's frame circles it at 0.5 m, half a turn between the frames.
    const circling = (t: number) => [-0.5 * Math.cos(t), -0.5 * Math.sin(t), 0, 0, 0, Math.sin(t / 2), Math.cos(t / 2), 0, 0, 0, 0, 0, 1]
    const offset = new Float64Array([0.5, 0, 0])
    const state = interpolateBodies(frame(0, 0, circling(0)), frame(1, 3, circling(3)), [], offset, 1.2)
    circling(1.2).forEach((value, k) => expect(state[k]).toBeCloseTo(value, 14))
  })

  it('both ends are reproduced bit for bit, for any states', () => {
    const real = fc.double({ min: -10, max: 10, noNaN: true })
    fc.assert(fc.property(fc.array(real, { minLength: 13, maxLength: 13 }), fc.array(real, { minLength: 13, maxLength: 13 }), (a, b) => {
      const state = interpolateBodies(frame(0, 1, a), frame(1, 2, b), [], center, 1)
      expect([...state]).toStrictEqual(a)
    }))
  })

  it('the shorter rotation is taken', () => {
    const turned = (angle: number, sign: number) => [0, 0, 0, 0, 0, sign * Math.sin(angle / 2), sign * Math.cos(angle / 2), 0, 0, 0, 0, 0, 0]
    const state = interpolateBodies(frame(0, 0, turned(0.2, 1)), frame(1, 1, turned(0.4, -1)), [], center, 0.5)
    expect(Math.abs(state[5]!)).toBeCloseTo(Math.sin(0.15), 14)
    expect(Math.abs(state[6]!)).toBeCloseTo(Math.cos(0.15), 14)
  })

  it('a body that has not spawned stays absent until its frame', () => {
    const state = interpolateBodies(frame(0, 0, new Array<number>(13).fill(NaN)), frame(1, 1, thrown(1)), [], center, 0.5)
    expect([...state].every(Number.isNaN)).toBe(true)
  })
})

describe('an impact between the frames', () => {
  // Falls from rest at 1 m, meets the ground at sqrt(2/g) and rises with half the speed.
  const te = Math.sqrt(2 / g)
  const speed = g * te
  const falling = (t: number) => [0, 0, 1 - g * t * t / 2, 0, 0, 0, 1, 0, 0, -g * t, 0, 0, 0]
  const rising = (t: number) => [0, 0, speed / 2 * (t - te) - g * (t - te) ** 2 / 2, 0, 0, 0, 1, 0, 0, speed / 2 - g * (t - te), 0, 0, 0]
  const still = new Array<number>(13).fill(0)
  const event = {
    kind: 'impact', time: te, bodyA: 0, bodyB: 1, before: new Float64Array([...falling(te), ...still]), after: new Float64Array([...rising(te), ...still]),
  } as TrajectoryEvent
  const before = frame(0, te - 0.1, [...falling(te - 0.1), ...still])
  const after = frame(1, te + 0.1, [...rising(te + 0.1), ...still])
  const centers = new Float64Array(6)

  it('is not smoothed over: each side follows its own parabola', () => {
    for (const t of [te - 0.07, te - 1e-6, te - 1e-12]) falling(t).forEach((value, k) => expect(interpolateBodies(before, after, [event], centers, t)[k]).toBeCloseTo(value, 13))
    for (const t of [te, te + 1e-6, te + 0.05]) rising(t).forEach((value, k) => expect(interpolateBodies(before, after, [event], centers, t)[k]).toBeCloseTo(value, 13))
  })

  it('quantities that jump have the value of the frame on the same side', () => {
    expect(frameHoldingAt([event], te - 0.01)).toBe('before')
    expect(frameHoldingAt([event], te)).toBe('after')
    expect(frameHoldingAt([], te)).toBe('before')
    expect(frameHoldingAt([event, { ...event, time: te + 0.05 }], te + 0.01)).toBe('before')
  })
})

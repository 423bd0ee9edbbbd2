/** Bodies that cannot act on each other are stepped separately, with the same motion as if stepped together. */

import { describe, expect, test } from 'vitest'
import { ball, bodyIn, box, floor, recorded, sceneOf, worst, type Recorded } from '../../../../verification/support'

/** A very weak spring to a distant weight makes all bodies step together. */
const together = (bodies: object[]): object[] => bodies.slice(1).map((_, i) => ({
  id: `tie${i}`, type: 'spring', bodyA: (bodies[i] as { id: string }).id, bodyB: (bodies[i + 1] as { id: string }).id,
  stiffness: 1e-12, damping: 0, restLength: 1,
}))

function bothWays(bodies: object[], extra: object): { apart: Recorded; tied: Recorded } {
  const all = [floor, ...bodies]
  return {
    apart: recorded(sceneOf(all, 0.4, extra)), tied: recorded(sceneOf(all, 0.4, extra, { forces: together(bodies) })),
  }
}

function expectSameMotion(a: Recorded, b: Recorded, within: number): void {
  expect(a.frames.length).toBe(b.frames.length)
  a.frames.forEach((frame, k) => {
    frame.bodies.forEach((value, i) => { expect(Math.abs(value - b.frames[k]!.bodies[i]!)).toBeLessThan(within) })
  })
}

const restarts = (run: Recorded): number => run.events.filter(event => event.kind === 'restart').length

describe('groups of bodies', () => {
  test('three boxes that slide and spin far from each other come to rest at the same places as in one group, with fewer solves', () => {
    const sliders = [0, 1, 2].map(i => box(`b${i}`, [1, 1, 0.5], [3 * i, 0, 0.25], { linearVelocity: [0.2 * i, 1.5 + 0.2 * i, 0], angularVelocity: [0, 0, 1 + i] }))
    const { apart, tied } = bothWays(sliders, { method: 'event-driven', duration: 0.7, outputRate: 30 })
    expectSameMotion(apart, tied, 1e-8)
    expect(apart.end.solver.calls).toBeLessThan(0.6 * tied.end.solver.calls)
  })

  test('a box that slides into another one strikes it at the same time as in one group, and both slide on', () => {
    const boxes = [
      box('b0', [1, 1, 0.5], [0, 0, 0.25], { linearVelocity: [4, 0, 0] }), box('b1', [1, 1, 0.5], [2.5, 0.2, 0.25]),
      box('b2', [1, 1, 0.5], [0, 5, 0.25], { linearVelocity: [1, 0, 0] }),
    ]
    const { apart, tied } = bothWays(boxes, { method: 'event-driven', duration: 0.8, outputRate: 30 })
    const struck = (run: Recorded): number => run.events.find(event => event.kind === 'impact')!.time
    expect(Math.abs(struck(apart) - struck(tied))).toBeLessThan(1e-9)
    expect(bodyIn(apart, 'b1').position[0]).toBeGreaterThan(2.6)
    expectSameMotion(apart, tied, 1e-7)
  })

  test('fast balls collide in the air and separate as exactly as without other bodies', () => {
    // Thrown at each other from 12 m with equal masses: e = 0.5 leaves half of the approach, to rounding.
    const run = recorded(sceneOf([
      ball('left', 0.1, [-6, 0, 0], { linearVelocity: [30, 0, 0] }), ball('right', 0.1, [6, 0, 0], { linearVelocity: [-30, 0, 0] }),
      ball('far', 0.1, [0, 50, 0], { linearVelocity: [0, 1, 0] }),
    ], 0.4, { method: 'event-driven', duration: 0.5, outputRate: 20 }, { gravity: [0, 0, 0] }, 0.5))
    const [impact] = run.events.filter(event => event.kind === 'impact')
    expect(Math.abs(impact!.time - 5.9 / 30)).toBeLessThan(1e-13)
    expect(Math.abs(bodyIn(run, 'right').linearVelocity[0]! - 15)).toBeLessThan(1e-12)
    expect(Math.abs(bodyIn(run, 'far').position[1]! - 50.5)).toBeLessThan(1e-12)
  })

  test('events of all groups are in the order of time, and the energy balance covers all groups', () => {
    const balls = [0, 1, 2, 3].map(i => ball(`b${i}`, 0.2, [2 * i, 0, 0.5 + 0.17 * i]))
    const run = recorded(sceneOf([floor, ...balls], 0.4, { method: 'event-driven', duration: 0.8, outputRate: 40 }))
    const times = run.events.map(event => event.time)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(run.events.filter(event => event.kind === 'impact').map(event => event.bodyA)).size).toBe(4)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(1e-9)
  })

  test('a hundred balls that land at one instant are a hundred events there and no cascade', () => {
    const balls = Array.from({ length: 101 }, (_, i) => ball(`b${i}`, 0.2, [i, 0, 0.5]))
    const run = recorded(sceneOf([floor, ...balls], 0.4, { method: 'event-driven', duration: 0.3, outputRate: 20 }))
    expect(run.events.some(event => event.kind === 'degraded')).toBe(false)
    expect(restarts(run)).toBeGreaterThanOrEqual(101)
  })
})

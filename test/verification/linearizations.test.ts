/** With a limit on linearisations per step, the linearisation error of a gap remains; here a face rotates about an edge. */

import { describe, expect, it } from 'vitest'
import { pour } from '../bench/peg/run'
import { box, recorded, sceneOf, turn } from './support'

/** m: largest gap of a pushing contact at the end of a step, of a spinning cube that falls on an edge. */
function mostOff(step: number, dimensions: 2 | 3, linearizations?: number): number {
  const edge = box('edge', [0.2, 1, 0.2], [0, 0, -0.1 * Math.SQRT2], { type: 'fixed', orientation: turn([0, 1, 0], Math.PI / 4) })
  const cube = box('cube', [0.6, 0.6, 0.6], [0, 0, 0.5], { linearVelocity: [0, 0, -3], angularVelocity: [0, 8, 0] })
  const run = recorded(sceneOf([edge, cube], 0.8, {
    method: 'time-stepping', dimensions, duration: 0.4, outputRate: 1 / step, timeStepping: { step, ...(linearizations === undefined ? {} : { linearizations }) },
  }))
  expect(run.end.status).toBe('completed')
  return Math.max(...run.contacts.flatMap(({ count, gap, normalForce }) => Array.from({ length: count }, (_, k) => normalForce[k]! > 0 ? Math.abs(gap[k]!) : 0)))
}

describe.each([2, 3] as const)('in %s dimensions', dimensions => {
  it('one linearisation has a gap error of second order in the step', () => {
    const [coarse, middle, fine] = [0.02, 0.01, 0.005].map(step => mostOff(step, dimensions, 1))
    // Of the order of d θ²/2, for a face d = 0.3 m from the centre of a body that rotates by 8 rad/s × 20 ms.
    expect(coarse).toBeGreaterThan(1e-4)
    expect(coarse).toBeLessThan(0.3 * 0.16 * 0.16 / 2)
    expect(middle).toBeLessThan(coarse! / 3)
    expect(fine).toBeLessThan(middle! / 3)
  })

  it('several are a hundred times more accurate, and so is an unlimited number', () => {
    const one = mostOff(0.02, dimensions, 1)
    expect(mostOff(0.02, dimensions, 3)).toBeLessThan(one / 100)
    expect(mostOff(0.02, dimensions)).toBeLessThan(one / 100)
  })
})

it('the resulting overlap of poured polygons remains and is measured', () => {
  const polygons = { dimensions: 2, seed: 2, friction: 0.5, duration: 2, step: 0.015 } as const
  const one = pour({ ...polygons, linearizations: 1 }, 'peg', 1, Infinity)
  expect(one.ended).toBe('')
  expect(Math.max(...one.overlap)).toBeGreaterThan(1e-7)
  expect(Math.max(...pour({ ...polygons, linearizations: null }, 'peg', 1, Infinity).overlap)).toBeLessThanOrEqual(1e-15)
})

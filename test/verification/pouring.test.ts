/** Short pourings of random polyhedra and polygons into an open box [PEG17 fig. 20, 23], with friction; the whole experiment is `npm run bench -- peg`. */

import { describe, expect, it } from 'vitest'
import { pour } from '../bench/peg/run'

describe('random polyhedra poured into a box, with friction', () => {
  it.each([0.01, 0.02])('do not overlap after any step of %s s', step => {
    const { overlap, contacts, ended } = pour({ dimensions: 3, linearizations: null, seed: 1, step, friction: 0.5, duration: 1.6 }, 'peg', 1, Infinity)
    expect(ended).toBe('')
    expect(overlap).toHaveLength(Math.round(1.6 / step))
    expect(Math.max(...contacts)).toBeGreaterThanOrEqual(6)
    expect(Math.max(...overlap)).toBeLessThanOrEqual(1e-15)
  })
})

describe('random polygons poured into a box, in two dimensions', () => {
  const polygons = { dimensions: 2, seed: 1, friction: 0.5, duration: 1.6 } as const

  it.each([0.01, 0.02])('do not overlap after any step of %s s', step => {
    const { overlap, contacts, ended } = pour({ ...polygons, linearizations: null, step }, 'peg', 1, Infinity)
    expect(ended).toBe('')
    expect(overlap).toHaveLength(Math.round(1.6 / step))
    expect(Math.max(...contacts)).toBeGreaterThanOrEqual(5)
    expect(Math.max(...overlap)).toBeLessThanOrEqual(1e-15)
  })
})

/** The order in which bodies are eliminated, and its cost. */

import { describe, expect, it } from 'vitest'
import { BodyPattern } from '../../../../../../core/methods/time-stepping/solvers/body-pattern'

const chain = (count: number): [Int32Array, Int32Array] => [Int32Array.from({ length: count - 1 }, (_, i) => i), Int32Array.from({ length: count - 1 }, (_, i) => i + 1)]

describe('the pattern of bodies that push each other', () => {
  it('of a chain has linear cost: each body but the last has one later neighbour', () => {
    for (const count of [2, 5, 40]) {
      const pattern = new BodyPattern(count, ...chain(count), 1e6)
      expect(pattern.sparse).toBe(true)
      expect(pattern.products).toBe(3 * (count - 1) + 1)
      expect([...pattern.order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i))
      expect(pattern.later.filter(others => others.length === 1)).toHaveLength(count - 1)
    }
  })

  it('of a ring has one fill-in per body: the neighbours of an eliminated body are coupled', () => {
    const [a, b] = chain(6)
    const pattern = new BodyPattern(6, Int32Array.from([...a, 5]), Int32Array.from([...b, 0]), 1e6)
    // 4 bodies with two others each, one with one, one with none.
    expect(pattern.products).toBe(4 * (1 + 2 * 3) + (1 + 2) + 1)
  })

  it('of fully coupled bodies is that of a full matrix, and is refused above the cost limit', () => {
    const pairs = Array.from({ length: 6 }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat()
    const full = [Int32Array.from(pairs, ([i]) => i), Int32Array.from(pairs, ([, j]) => j)] as const
    const products = [5, 4, 3, 2, 1, 0].reduce((sum, n) => sum + 1 + n * (n + 1), 0)
    expect(new BodyPattern(6, ...full, products).products).toBe(products)
    expect(new BodyPattern(6, ...full, products).sparse).toBe(true)
    expect(new BodyPattern(6, ...full, products - 1).sparse).toBe(false)
  })

  it('omits immovable bodies', () => {
    const pattern = new BodyPattern(2, Int32Array.of(0, 1), Int32Array.of(-1, -1), 10)
    expect(pattern.products).toBe(2)
  })
})

/** The states within a zeroth-order crossing: linear between those at its ends. */

import { expect, it } from 'vitest'
import { straight } from '../../../../../core/methods/event-driven/zeroth-order'

it('interpolates linearly in time, keeps its ends when the arrays change, and fills any prefix', () => {
  const [from, to] = [Float64Array.of(1, -2, 5), Float64Array.of(3, 2, 5)]
  const { start, end, at } = straight(10, 10.5, from, to)
  from.fill(0)
  to.fill(0)
  const stateAt = (time: number): number[] => {
    const out = new Float64Array(3)
    at(time, out)
    return [...out]
  }
  expect([start, end]).toEqual([10, 10.5])
  expect(stateAt(10)).toEqual([1, -2, 5])
  expect(stateAt(10.125)).toEqual([1.5, -1, 5])
  expect(stateAt(10.5)).toEqual([3, 2, 5])
})

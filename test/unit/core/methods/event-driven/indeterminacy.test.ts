import { describe, expect, it } from 'vitest'
import { leastChange } from '../../../../../core/methods/event-driven/indeterminacy'

describe('of several motions that satisfy every law', () => {
  it('the one without a change is continued', () => {
    expect(leastChange([true, false], [[false, false], [false, true], [true, false], [true, true]])).toBe(2)
  })

  it('one in which many contacts begin to press is preferred to one in which a single one separates', () => {
    expect(leastChange([true, false, false, false], [[false, false, false, false], [true, true, true, true]])).toBe(1)
  })

  it('of two with equal changes the first is continued', () => {
    expect(leastChange([false, false], [[true, false], [false, true]])).toBe(0)
  })
})

/** The line search of Newton's method on potentials of one variable. */

import { describe, expect, it } from 'vitest'
import { lineSearch } from '../../../../core/deformables/implicit/line-search'

/** Searches the minimum of a potential along x = share from 0. @param slope −derivative */
function searched(potential: (x: number) => number, slope: (x: number) => number, share: number): { x: number; evaluations: number } {
  let x = 0
  let evaluations = 0
  const line = {
    at(alpha: number): number {
      x = alpha
      evaluations++
      return Math.abs(slope(x))
    },
    slope: () => slope(x), potential: () => potential(x),
  }
  lineSearch(line, share, slope(0), potential(0), 0)
  return { x, evaluations }
}

describe('a line search', () => {
  it('finds the least of a potential that a contact makes a thousand times as stiff within the step', () => {
    // Without the contact the step would be right; at x = 0.6 a wall of stiffness 1000 begins: its least is at (1 + 600) ÷ 1001.
    const least = 601 / 1001
    const { x, evaluations } = searched(x => 0.5 * (x - 1) ** 2 + 500 * Math.max(0, x - 0.6) ** 2, x => 1 - x - 1000 * Math.max(0, x - 0.6), 1)
    expect(Math.abs(x - least)).toBeLessThan(0.2 * 0.6)
    expect(evaluations).toBeLessThanOrEqual(7)
  })

  it('takes the whole step where the potential still falls at its end, also if its change is lost in rounding', () => {
    const stiff = (x: number): number => 1e-12 * (1 - 0.09 * x)
    expect(searched(x => -1 - 1e-12 * (x - 0.045 * x * x), stiff, 1)).toEqual({ x: 1, evaluations: 1 })
  })

  it('stays within the feasible share', () => {
    expect(searched(x => 0.5 * (x - 1) ** 2, x => 1 - x, 0.25)).toEqual({ x: 0.25, evaluations: 1 })
  })
})

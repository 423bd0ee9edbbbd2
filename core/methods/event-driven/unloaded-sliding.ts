/** Selects among several index sets with the same motion: unloaded sliding points are excluded. */

import { TIE } from '../../contact/guess'
import type { Island } from '../../contact/island'
import { BASIS_CLAMPED, BASIS_FREE, BASIS_IDLE, type ContactSolution } from '../../lcp/problem'

/**
 * The solution without the sliding points that are about to separate and carry no load; otherwise their forces would be negative a moment later.
 *
 * @param listed the solution is from a list of several, which ignores the imminent change; a solver considers it, but due to rounding it may still
 * treat a point that has begun to rise as a pressing one
 */
export function withoutUnloadedSliding(island: Island, solution: ContactSolution, listed: boolean): ContactSolution {
  const largest = solution.f.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const basis = solution.basis.slice()
  island.points.forEach((point, i) => {
    const row = island.pointRow[i]!
    if (point.hint?.kind !== 'free' || point.friction !== 'sliding' || basis[row] !== BASIS_CLAMPED || solution.f[row]! > TIE * largest) return
    if (!listed && !(solution.a[row]! > 0)) return
    basis[row] = listed ? BASIS_IDLE : BASIS_FREE
    if (island.frictionIndex[i]! >= 0) basis[row + 1] = basis[row + 2] = BASIS_FREE
    for (const spin of island.spins) {
      if (spin.rows.normal === row) basis.fill(BASIS_FREE, spin.row, spin.row + spin.rows.rows.length)
    }
  })
  return { ...solution, basis }
}

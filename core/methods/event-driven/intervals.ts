/**
 * Force intervals [physics.md §4.3]: how far each normal force could vary with the same motion. Computed at the first frame of a contact set, in
 * islands of up to `MAX_INTERVAL_CONTACTS` contacts at rest. They cost many times a solve, and islands that move change their contact set many
 * times a second, so those have theirs only up to `MOVING_CONTACTS`.
 */

import type { Island } from '../../contact/island'
import { forceIntervals } from '../../lcp/intervals'
import type { ContactSolution } from '../../lcp/problem'
import type { RunContext } from './context'

const MOVING_CONTACTS = 8

export type PointInterval = readonly [number, number]

/** The contact set of an island, as text: who touches, and how. */
export function contactSetOf(island: Island): string {
  return island.points.map(point => `${point.key}:${point.normal}:${point.friction}`).join(' ')
}

/** Interval of each point of the island, or null where the set was known before or is too large. */
export function intervalsOf(context: RunContext, island: Island, f: Float64Array, a: Float64Array): (PointInterval | null)[] | null {
  if (island.equilibrium === null && island.points.length > MOVING_CONTACTS) return null
  if (island.points.length === 0 || context.knownSets.has(contactSetOf(island))) return null
  const found = forceIntervals(island.problem, asSolution(island, f, a, 0))
  if (typeof found === 'string') return null
  const at = new Map([...found.rows].map((row, k) => [row, k]))
  return island.pointRow.map(row => {
    const k = at.get(row)
    return k === undefined ? null : [found.least[k]!, found.greatest[k]!]
  })
}

/** Frozen forces in the form in which solvers hand over theirs. */
export function asSolution(island: Island, f: Float64Array, a: Float64Array, residual: number): ContactSolution {
  const none = new Float64Array(0)
  return { f, a, status: 'solved', pivots: 0, residual, basis: island.basis!, slip: island.slip, ray: none, history: none, basisHit: true }
}

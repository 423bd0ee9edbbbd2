/**
 * Force intervals [physics.md §4.3]: how far each normal force could vary with the same motion. Computed at the first frame of a contact set, in
 * islands of up to `MAX_INTERVAL_CONTACTS` contacts at rest, and kept there as long as they rest under the same forces. They cost many times a
 * solve, and islands that move change their contact set many times a second, so those have theirs only up to `MOVING_CONTACTS`.
 */

import type { Island } from '../../contact/island'
import { forceIntervals } from '../../lcp/intervals'
import type { ContactSolution } from '../../lcp/problem'
import type { KnownForces, PointInterval, RunContext } from './context'

const MOVING_CONTACTS = 8

/** The contact set of an island, as text: who touches, and how. */
export function contactSetOf(island: Island): string {
  return island.points.map(point => `${point.key}:${point.normal}:${point.friction}`).join(' ')
}

/** Cached force ranges of each island, for this frame and the next. */
export function knownForces(
  context: RunContext, solved: readonly { readonly island: Island; readonly f: Float64Array; readonly a: Float64Array }[],
): ReadonlyMap<string, KnownForces> {
  return new Map(solved.filter(({ island }) => island.points.length > 0).map(({ island, f, a }): [string, KnownForces] => {
    const key = contactSetOf(island)
    const known = context.knownSets.get(key)
    // At rest under the same forces A, b and with them the intervals are the same; of what moves they would be those of another instant.
    const rests = island.equilibrium !== null
    if (rests && known?.intervals && f.every((value, i) => value === known.f[i])) return [key, known]
    return [key, { f: f.slice(), intervals: rests || known === undefined ? intervalsOf(island, f, a) : null }]
  }))
}

function intervalsOf(island: Island, f: Float64Array, a: Float64Array): (PointInterval | null)[] | null {
  if (island.equilibrium === null && island.points.length > MOVING_CONTACTS) return null
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

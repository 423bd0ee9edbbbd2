/**
 * Force intervals: the range of each normal force compatible with the same motion. They are computed at the first frame of a
 * contact set, in islands of up to `MAX_INTERVAL_CONTACTS` contacts at rest, and reused while the contacts rest under the same forces. They cost many
 * times a solve, and moving islands change their contact set many times per second. Moving islands therefore have intervals only up to
 * `MOVING_CONTACTS` contacts.
 */

import type { Island } from '../../contact/island'
import { forceIntervals } from '../../lcp/intervals'
import type { ContactSolution } from '../../lcp/problem'
import type { KnownForces, PointInterval, RunContext } from './context'

const MOVING_CONTACTS = 8

/** The contact set of an island as text: which features touch, and in which state. */
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
    // An island at rest under the same forces has the same A and b, and so the same intervals; a moving island's intervals change with time.
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

/** Frozen forces in the form of a solver's result. */
export function asSolution(island: Island, f: Float64Array, a: Float64Array, residual: number): ContactSolution {
  const none = new Float64Array(0)
  return { f, a, status: 'solved', pivots: 0, residual, basis: island.basis!, slip: island.slip, ray: none, history: none, basisHit: true }
}

/**
 * Normal forces of the previous step, which bound friction by Lötstedt's law [Baraff92 §14.2.1]. At the end of a step the forces there become known,
 * and the forces at its beginning bound the friction in the next step.
 */

import type { Island } from '../../contact/island'
import type { ContactSolution } from '../../lcp/problem'
import type { RunContext } from './context'
import { SETTLED_FORCES } from './tolerances'

/** Iterations for bounds without previous forces. */
const MAX_ROUNDS = 50

/**
 * Stores the normal forces at the end of a step.
 *
 * @param f multipliers of the frozen set there
 * @param steady the forces were the same at all earlier times, as for an island in equilibrium
 */
export function noteForces(island: Island, f: Float64Array, steady = false): void {
  island.points.forEach(({ pastNormalForce }, i) => {
    const force = f[island.pointRow[i]!]!
    pastNormalForce.before = steady ? force : pastNormalForce.last
    pastNormalForce.last = force
  })
}

/** Stores the forces of every moving island, and returns whether friction is still within the resulting bounds. */
export function endStep(context: RunContext): boolean {
  const { equations, tolerances } = context
  context.pastForcesTime = context.time
  let within = true
  for (const island of equations.islands) {
    if (island.law.name !== 'lotstedt' || island.equilibrium !== null) continue
    island.refill(equations.snapshot, equations.free)
    const f = island.indexSet.multipliers(equations.snapshot)
    noteForces(island, f)
    island.points.forEach((point, i) => {
      const axes = island.axes[i] ?? null
      if (axes === null || axes.slides || point.normal !== 'holding') return
      within &&= axes.slack(0, f) >= -tolerances.forceNoise && axes.slack(1, f) >= -tolerances.forceNoise
    })
  }
  return within
}

/**
 * Solves an island with new points (at the start, after an impact): starting without friction, each solution bounds the friction of the next until convergence.
 * If that fails, the frictionless forces are the first bounds.
 *
 * @returns whether it converged
 */
export function iterateBounds(island: Island, refill: () => void, solve: () => ContactSolution): boolean {
  const fresh = island.points.map((_, i) => i).filter(i => island.axes[i] && Number.isNaN(island.points[i]!.pastNormalForce.before))
  if (fresh.length === 0) return true
  const bound = (forces: readonly number[]): void => {
    fresh.forEach((i, k) => {
      const { pastNormalForce } = island.points[i]!
      pastNormalForce.before = pastNormalForce.last = forces[k]!
    })
    refill()
  }
  const normals = (f: Float64Array): number[] => fresh.map(i => f[island.pointRow[i]!]!)
  bound(fresh.map(() => 0))
  const frictionless = normals(solve().f)
  let present = frictionless
  for (let round = 0; round < MAX_ROUNDS; round++) {
    bound(present)
    const next = normals(solve().f)
    const largest = next.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (next.every((value, k) => Math.abs(value - present[k]!) <= SETTLED_FORCES * largest)) return true
    present = next
  }
  bound(frictionless)
  return false
}

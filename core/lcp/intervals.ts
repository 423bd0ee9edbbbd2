/**
 * The range of each normal force for unchanged motion: least and greatest f_N over {f : A f = A f*, complementarity, exact cones}, a linear objective over a
 * convex set, per contact. Without sticking friction the set is a polyhedron and these are linear programs.
 *
 * The proximal-point iteration f ← nearest admissible force to f ± t e_N converges to the end of the interval. Its steps are the projections of
 * `least-norm.ts`, so the circular cone needs no inscribed polygon, and the polyhedral case ends after finitely many steps.
 */

import { allowedForces } from './allowed-forces'
import { leastNormIn, rangeBasis } from './least-norm'
import { ROW_UNILATERAL, type ContactProblem, type ContactSolution } from './problem'
import type { ForceSet } from './projection'

export interface ForceIntervals {
  /** The unilateral rows, in their order. */
  readonly rows: Int32Array
  /** Least and greatest normal force of each, N; greatest may be Infinity (a wedged contact). */
  readonly least: Float64Array
  readonly greatest: Float64Array
}

/** The reason why there are no intervals. */
export type NoIntervals = 'too many contacts' | 'not solved'

export const MAX_INTERVAL_CONTACTS = 64
/** First step of the ascent, × the largest force, and its growth factor. */
const FIRST_STEP = 8
const GROWTH = 4
const MAX_STEP = 1e4
/** Progress below which the iteration ends, × the largest force. */
const SETTLED = 1e-12
/** Force above which a contact counts as wedged without bound, × the largest force found. */
const UNBOUNDED = 1e3
const MAX_CLIMB = 40

/** Intervals of all normal forces of a solved problem. */
export function forceIntervals(problem: ContactProblem, solution: ContactSolution): ForceIntervals | NoIntervals {
  if (solution.status !== 'solved') return 'not solved'
  const { size: n, kind } = problem
  const { f, a } = solution
  const rows = Int32Array.from([...kind.keys()].filter(i => kind[i] === ROW_UNILATERAL))
  if (rows.length > MAX_INTERVAL_CONTACTS) return 'too many contacts'
  const least = Float64Array.from(rows, i => f[i]!)
  const greatest = least.slice()
  let size = 0
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(f[i]!))
  if (size === 0) return { rows, least, greatest }
  const sets = allowedForces(problem, f, a)
  const loaded = new Set(sets.flatMap(set => set.kind === 'coupled' ? [set.normal] : 'row' in set ? [set.row] : []))
  const { Q, rank } = rangeBasis(problem)
  if (rank === unknowns(sets)) return { rows, least, greatest }
  rows.forEach((row, k) => {
    if (!loaded.has(row)) return
    least[k] = climb(sets, Q, n, rank, f, row, -1, size)
    greatest[k] = climb(sets, Q, n, rank, f, row, 1, size)
  })
  return { rows, least, greatest }
}

/** Dimension of the span of the admissible forces. */
function unknowns(sets: readonly ForceSet[]): number {
  return sets.reduce((count, set) => {
    switch (set.kind) {
      case 'coupled': return count + 1 + set.discs.reduce((sum, { mu, rows }) => sum + (mu > 0 ? rows.length : 0), 0)
      case 'ball': return count + set.rows.length
      case 'fixed': return count
      case 'interval': return count + (set.lower === set.upper ? 0 : 1)
      case 'free': return count + 1
    }
  }, 0)
}

/** The end of the interval of f_row in the direction `sign`. */
function climb(
  sets: readonly ForceSet[], Q: Float64Array, n: number, rank: number, start: Float64Array, row: number, sign: number, size: number,
): number {
  let f = start
  let step = FIRST_STEP
  for (let k = 0; k < MAX_CLIMB; k++) {
    const centre = f.slice()
    centre[row]! += sign * step * size
    const next = leastNormIn(sets, Q, n, rank, start, centre)
    if (!(next.error <= 1e-8)) break
    const progress = sign * (next.f[row]! - f[row]!)
    if (progress <= SETTLED * size) break
    f = next.f
    if (f[row]! > UNBOUNDED * size) return Infinity
    step = Math.min(step * GROWTH, MAX_STEP)
  }
  return Math.max(0, f[row]!)
}

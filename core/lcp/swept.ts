/**
 * Index sets from projected sweeps. A few sweeps give a guess that is repaired in a few rounds. Many sweeps find a solution where every other method fails
 * or cycles; they converge, but slowly.
 */

import { exactOnIndexSet, type Candidate } from './cone'
import { readIndexSet } from './index-set'
import type { ContactProblem } from './problem'
import { Sweeps } from './projected'
import { repair } from './repair'
import { relativeAcceleration, residual } from './residual'
import type { ScaledProblem } from './scaling'

/** Over-relaxation factor. */
const RELAXATION = 1.3
/** Sweeps before each guess. */
const GUESSES = [30, 70, 200] as const
/** Rounds without progress after which the first index set, and those of sweeps, are rejected. */
const FIRST_PATIENCE = 3
const PATIENCE = 4

/**
 * Guesses and repairs index sets: `start`, then those read off after some projected sweeps. Each round of repair costs one linear solve, and few rounds are
 * needed; pivoting takes one step per row.
 */
export function byGuesses(
  problem: ContactProblem, scaled: ScaledProblem, friction: Float64Array, start: { basis: Uint8Array; slip: Float64Array }, tolerance: number,
): { found?: Candidate; rounds: number } {
  const first = repair(problem, scaled, start, tolerance, { patience: FIRST_PATIENCE })
  let { rounds } = first
  if (first.found) return first
  const sweeps = new Sweeps(scaled, friction)
  const f = new Float64Array(scaled.size)
  for (const count of GUESSES) {
    for (let k = 0; k < count; k++) sweeps.sweep(f, RELAXATION)
    const a = relativeAcceleration(scaled, f)
    if (!(residual(scaled, f, a) < Infinity)) break
    const next = repair(problem, scaled, readIndexSet(scaled, f, a, null), tolerance, { patience: PATIENCE, near: f })
    rounds += next.rounds
    if (next.found) return { found: next.found, rounds }
  }
  return { rounds }
}

/** Sweeps between two tests, and the maximum number of tests. */
const LOOK = 200
const MAX_TRIALS = 40
/** Number of tests after which an index set is repaired regardless of progress. */
const EVERY = 4
/** Residual below which the exact forces of an index set are computed, and the required reduction before the next try. */
const SWEPT = 1e-4
const NEARER = 0.1
/** Relative acceleration below which a contact counts as sticking after sweeps. */
const SWEPT_STILL = 1e-5

/** The best solution found by many sweeps from the forces `f` (equilibrated), which are overwritten. */
export function bySweeps(
  problem: ContactProblem, scaled: ScaledProblem, friction: Float64Array, tolerance: number, f = new Float64Array(scaled.size),
): Candidate | undefined {
  const sweeps = new Sweeps(scaled, friction)
  let best: Candidate | undefined
  let tried = Infinity
  for (let look = 0; look < MAX_TRIALS; look++) {
    const a = relativeAcceleration(scaled, f)
    const error = residual(scaled, f, a)
    if (!(error < Infinity)) return best
    // Slow sweeps find the right index set long before they converge to its forces.
    if (error < NEARER * tried || look % EVERY === 0) {
      tried = Math.min(tried, error)
      let { found } = repair(problem, scaled, readIndexSet(scaled, f, a, null), tolerance, { near: f })
      if (!found && error <= SWEPT) {
        const set = readIndexSet(scaled, f, a, SWEPT_STILL)
        found = exactOnIndexSet(problem, scaled, set.basis, set.slip, f, tolerance)
      }
      if (found && (!best || found.residual < best.residual)) best = found
      if (best && best.residual <= tolerance) return best
    }
    for (let k = 0; k < LOOK; k++) sweeps.sweep(f, RELAXATION)
  }
  return best
}

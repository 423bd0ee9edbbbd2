/**
 * The default solver. It tries in order: the last index set; guessed index sets with repair (`repair.ts`); Dantzig pivoting with friction (`drive.ts`) and
 * Newton's method for the exact cone (`cone.ts`); the index set found by compliance (`compliant.ts`). If sliding friction may allow several motions,
 * pivoting comes first. A result with status `solved` has passed the test of `residual.ts`.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { bySubsets, slidingContacts } from './closed-subset'
import { followCompliance } from './compliant'
import { AIM, exactOnIndexSet, solution, unscale, type Candidate } from './cone'
import { solveFrozen } from './frozen'
import { frictionOf, solveWithOnset } from './coefficients'
import { Drive } from './drive'
import { readIndexSet } from './index-set'
import { solveByLemke } from './lemke-solver'
import { LIMITED, type Pivoting } from './pivoting'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem, type ContactSolution, type ContactSolver,
  type SolveOptions,
} from './problem'
import { repair } from './repair'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'
import { byGuesses, bySweeps } from './swept'
import { mayBeIndeterminate } from './uniqueness'

export const dantzig: ContactSolver = { name: 'dantzig', solve }

/** The same with the fast methods only, for problems that are solved in large numbers and usually have no solution. */
export const fastDantzig: ContactSolver = {
  name: 'dantzig',
  solve: (problem, { tolerance = SOLVED_RESIDUAL } = {}) => solveWithOnset(problem, tolerance, uniform => solveUniform(uniform, tolerance, undefined, true)),
}

function solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  if (options.start) {
    const hit = tryBasis(problem, options.start, tolerance)
    if (hit) return hit
  }
  const found = solveWithOnset(problem, tolerance, uniform => solveUniform(uniform, tolerance, options.maxPivots, false, options.start === undefined))
  if (found.status !== 'limit' && found.status !== 'ray') return found
  // A ray does not prove that no solution exists.
  const missed = byClosedSubsets(problem, tolerance, found, true)
  return missed.status === 'limit' ? byClosedSubsets(problem, tolerance, missed, false) : missed
}

/** @param unknown there is no previous state; among several motions the one without force is then taken instead of the continuing one */
function solveUniform(
  problem: ContactProblem, tolerance: number, maxPivots = 3 * problem.size + 50, quick = false, unknown = false,
): ContactSolution {
  const start = everythingHolds(problem)
  const { f, a } = solveFrozen(problem, start.basis, start.slip)
  const worst = residual(problem, f, a)
  const holds = worst <= AIM * tolerance
  // Among several motions only pivoting finds the one that is continuous from zero force.
  const unique = !mayBeIndeterminate(problem)
  if (holds && (unique || !unknown)) return solution({ f, a, residual: worst, ...start }, 'solved', 1, false)
  const search = new Search(problem, tolerance)
  if (unique && search.guess(start)) return search.solved()
  const stopped = search.pivot(maxPivots)
  if (stopped) return stopped
  if (search.done || (!unique && search.guess(start))) return search.solved()
  if (quick) return unsolved(problem, scaleProblem(problem), 'limit', 0, EMPTY)
  return search.comply() || search.sweep() ? search.solved() : search.lemke()
}

/** Tries the methods in turn and keeps the best solution so far. */
class Search {
  private readonly scaled: ScaledProblem
  private readonly friction: Float64Array
  private pivots = 1
  private best: Candidate | undefined

  constructor(private readonly problem: ContactProblem, private readonly tolerance: number) {
    this.scaled = scaleProblem(problem)
    this.friction = frictionOf(problem)
  }

  get done(): boolean {
    return this.best !== undefined && this.best.residual <= this.tolerance
  }

  solved(): ContactSolution {
    return solution(this.best!, 'solved', this.pivots, false)
  }

  /** Guesses index sets and repairs them. */
  guess(start: { readonly basis: Uint8Array; readonly slip: Float64Array }): boolean {
    const { found, rounds } = byGuesses(this.problem, this.scaled, this.friction, start, this.tolerance)
    this.pivots += rounds
    return this.consider(found)
  }

  /** Dantzig's method. @returns a result that ends the search, if any */
  pivot(maxPivots: number): ContactSolution | undefined {
    const { problem, scaled } = this
    const drive = new Drive(scaled, this.friction, maxPivots)
    const outcome = drive.run()
    this.pivots += drive.state.pivots
    if (outcome === 'infeasible') return unsolved(problem, scaled, 'infeasible', this.pivots, unscale(scaled, drive.state.df))
    if (outcome !== 'solved') return undefined
    const { basis, slip } = indexSet(drive.state)
    this.consider(accept(problem, scaled, drive.state, basis, slip, this.tolerance))
    return undefined
  }

  /** The path from soft to hard contact. */
  comply(): boolean {
    const { problem, scaled, tolerance } = this
    this.pivots += followCompliance(scaled, this.friction, set => this.consider(
      repair(problem, scaled, set, tolerance, { near: set.f }).found ?? exactOnIndexSet(problem, scaled, set.basis, set.slip, set.f, tolerance),
    ))
    return this.done
  }

  sweep(): boolean {
    return this.consider(bySweeps(this.problem, this.scaled, this.friction, this.tolerance))
  }

  /** Lemke's algorithm, and the status if it fails too. */
  lemke(): ContactSolution {
    const { problem, scaled, tolerance } = this
    const last = solveByLemke(problem, scaled, tolerance, LEMKE_ROWS, undefined,
      f => bySweeps(problem, scaled, this.friction, tolerance, f.slice()))
    const pivots = this.pivots + last.pivots
    const near = this.best !== undefined && this.best.residual <= NEAR_SOLUTION
    if (last.status === 'solved' || (last.status === 'ray' && !near)) return { ...last, pivots }
    return this.best && this.best.residual < last.residual ? solution(this.best, 'limit', pivots, false) : { ...last, pivots, status: 'limit' }
  }

  private consider(found: Candidate | undefined): boolean {
    if (found && (!this.best || found.residual < this.best.residual)) this.best = found
    return this.done
  }
}

/** Largest number of sliding contacts for which all subsets are tried as a last resort. */
const MAX_CLOSED_SLIDING = 4

/** A search with each sliding contact taken as closed or separated, after the normal search has failed. Returns the first valid subset. */
function byClosedSubsets(problem: ContactProblem, tolerance: number, missed: ContactSolution, quick: boolean): ContactSolution {
  const sliding = slidingContacts(problem).length
  if (sliding === 0 || sliding > MAX_CLOSED_SLIDING) return missed
  let { pivots } = missed
  const { value: found } = bySubsets(problem, tolerance, reduced => {
    const part = solveWithOnset(reduced, tolerance, uniform => solveUniform(uniform, tolerance, undefined, quick))
    pivots += part.pivots
    return part
  }).next()
  return found ? { ...found, pivots } : missed
}

/**
 * The first index set to try: every contact closed, every static one sticking. It is correct for stacks at rest and for bodies that slide without lifting.
 * One factorisation gives its least-norm forces.
 */
function everythingHolds(problem: ContactProblem): { basis: Uint8Array; slip: Float64Array } {
  const basis = new Uint8Array(problem.size).fill(BASIS_CLAMPED)
  const slip = new Float64Array(2 * problem.friction.length)
  problem.friction.forEach((contact, c) => {
    if (contact.state !== 'sliding') return
    basis[contact.tangent1] = basis[contact.tangent2] = BASIS_LIMITED
    slip[2 * c] = contact.slip1
    slip[2 * c + 1] = contact.slip2
  })
  return { basis, slip }
}

const EMPTY = new Float64Array(0)

/** A result with zero forces and the given status. */
function unsolved(
  problem: ContactProblem, scaled: ScaledProblem, status: ContactSolution['status'], pivots: number, ray: Float64Array,
): ContactSolution {
  const f = new Float64Array(problem.size)
  const a = relativeAcceleration(problem, f)
  const set = readIndexSet(scaled, f, relativeAcceleration(scaled, f), STILL)
  return solution({ f, a, residual: residual(problem, f, a), ...set }, status, pivots, false, ray)
}

/** Residual of a solution that misses the tolerance by rounding only and is therefore not a ray. */
const NEAR_SOLUTION = 1e-7
/** Largest number of rows for which Lemke's algorithm is the last resort; its tableau grows with the square. */
const LEMKE_ROWS = 300

/** The pivoting solution if its forces satisfy every condition, otherwise the exact forces of its index set. */
function accept(
  problem: ContactProblem, scaled: ScaledProblem, state: Pivoting, basis: Uint8Array, slip: Float64Array, tolerance: number,
): Candidate {
  state.correct(tolerance)
  const start = state.f.slice()
  problem.friction.forEach(({ tangent1, tangent2 }, c) => {
    const [x, y] = state.original(c, state.f[tangent1]!, state.f[tangent2]!)
    start[tangent1] = x
    start[tangent2] = y
  })
  const f = unscale(scaled, start)
  const a = relativeAcceleration(problem, f)
  const worst = residual(problem, f, a)
  const pivoted = { f, a, residual: worst, basis, slip }
  if (worst <= AIM * tolerance) return pivoted
  const sticking = basis.slice()
  stickStill(problem, scaled, start, sticking)
  const exact = exactOnIndexSet(problem, scaled, sticking, slip, start, tolerance)
  return exact.residual < worst ? exact : pivoted
}

/** Contacts at their cones without slip are set to sticking: other contacts hold them. */
function stickStill(problem: ContactProblem, scaled: ScaledProblem, f: Float64Array, basis: Uint8Array): void {
  const a = relativeAcceleration(scaled, f)
  const still = readIndexSet(scaled, f, a, STILL).basis
  problem.friction.forEach(({ tangent1, tangent2, state }) => {
    if (state === 'static' && basis[tangent1] === BASIS_LIMITED && still[tangent1] === BASIS_CLAMPED) {
      basis[tangent1] = basis[tangent2] = BASIS_CLAMPED
    }
  })
}

/** Relative acceleration below which a contact does not slip, × the largest of |b| and |f|. */
const STILL = 1e-9

function indexSet(state: Pivoting): { basis: Uint8Array; slip: Float64Array } {
  const { problem, place } = state
  const basis = new Uint8Array(state.n)
  const slip = new Float64Array(2 * problem.friction.length)
  const names = [BASIS_CLAMPED, BASIS_FREE, BASIS_LOWER, BASIS_UPPER, BASIS_LIMITED, BASIS_CLAMPED] as const
  for (let i = 0; i < state.n; i++) basis[i] = names[place[i]!] ?? BASIS_FREE
  problem.friction.forEach(({ normal, tangent1, tangent2 }, c) => {
    if (basis[normal] === BASIS_FREE) basis[tangent1] = basis[tangent2] = BASIS_FREE
    else if (place[tangent1] === LIMITED) {
      const [x, y] = state.original(c, -state.d1[c]!, -state.d2[c]!)
      slip[2 * c] = x
      slip[2 * c + 1] = y
    }
  })
  return { basis, slip }
}

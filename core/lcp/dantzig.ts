/**
 * The default solver: last index set, else guessed ones repaired (`repair.ts`), else Dantzig pivoting with friction (`drive.ts`) and the exact
 * cone by Newton (`cone.ts`), then, where pivoting has failed, the index set found by compliance (`compliant.ts`). Where sliding friction may
 * allow several motions pivoting comes first. Whatever is returned as solved has met `residual.ts`.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { followCompliance } from './compliant'
import { AIM, exactOnIndexSet, solution, unscale, type Candidate } from './cone'
import { solveFrozen } from './frozen'
import { frictionOf, solveWithOnset } from './coefficients'
import { Drive } from './drive'
import { readIndexSet } from './index-set'
import { Sweeps } from './projected'
import { solveByLemke } from './lemke-solver'
import { LIMITED, type Pivoting } from './pivoting'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem, type ContactSolution, type ContactSolver,
  type SolveOptions,
} from './problem'
import { repair } from './repair'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'
import { mayBeIndeterminate } from './uniqueness'

export const dantzig: ContactSolver = { name: 'dantzig', solve }

function solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  if (options.start) {
    const hit = tryBasis(problem, options.start, tolerance)
    if (hit) return hit
  }
  return solveWithOnset(problem, tolerance, uniform => solveUniform(uniform, tolerance, options.maxPivots))
}

function solveUniform(problem: ContactProblem, tolerance: number, maxPivots = 3 * problem.size + 50): ContactSolution {
  const start = everythingHolds(problem)
  const { f, a } = solveFrozen(problem, start.basis, start.slip)
  const worst = residual(problem, f, a)
  if (worst <= AIM * tolerance) return solution({ f, a, residual: worst, ...start }, 'solved', 1, false)
  const scaled = scaleProblem(problem)
  const friction = frictionOf(problem)
  let pivots = 1
  // Where there may be several motions, only pivoting finds the one that is continuous from no force.
  if (!mayBeIndeterminate(problem)) {
    const guessed = byGuesses(problem, scaled, friction, start, tolerance)
    pivots += guessed.rounds
    if (guessed.found) return solution(guessed.found, 'solved', pivots, false)
  }
  const drive = new Drive(scaled, friction, maxPivots)
  const outcome = drive.run()
  pivots += drive.state.pivots
  let best: Candidate | undefined
  if (outcome === 'infeasible') return unsolved(problem, scaled, 'infeasible', pivots, unscale(scaled, drive.state.df))
  if (outcome === 'solved') {
    const { basis, slip } = indexSet(drive.state)
    best = accept(problem, scaled, drive.state, basis, slip, tolerance)
    if (best.residual <= tolerance) return solution(best, 'solved', pivots, false)
  }
  pivots += followCompliance(scaled, friction, set => {
    const found = repair(problem, scaled, set, tolerance, { near: set.f }).found ?? exactOnIndexSet(problem, scaled, set.basis, set.slip, set.f, tolerance)
    if (!best || found.residual < best.residual) best = found
    return best.residual <= tolerance
  })
  if (best && best.residual <= tolerance) return solution(best, 'solved', pivots, false)
  const swept = bySweeps(problem, scaled, friction, tolerance)
  if (swept && (!best || swept.residual < best.residual)) best = swept
  if (best && best.residual <= tolerance) return solution(best, 'solved', pivots, false)
  const last = solveByLemke(problem, scaled, tolerance, LEMKE_ROWS)
  pivots += last.pivots
  const near = best !== undefined && best.residual <= NEAR_SOLUTION
  if (last.status === 'solved' || (last.status === 'ray' && !near)) return { ...last, pivots }
  return best && best.residual < last.residual ? solution(best, 'limit', pivots, false) : { ...last, pivots, status: 'limit' }
}

/**
 * The first index set worth a try: every contact closed, every static one sticking. It is that of stacks at rest and bodies that slide without
 * lifting, and one factorisation gives its least-norm forces.
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

/** Sweeps before each guess. */
const GUESSES = [30, 70, 200] as const
/** Rounds without progress in which the first index set, and those of sweeps, are given up. */
const FIRST_PATIENCE = 3
const PATIENCE = 4

/**
 * Index sets guessed and repaired: the one in which everything holds, then those that some projected sweeps show. Each round of repair costs
 * one linear solve, and few are needed, where pivoting takes one step a row.
 */
function byGuesses(
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
    if (!f.every(Number.isFinite)) break
    const next = repair(problem, scaled, readIndexSet(scaled, f, a, null), tolerance, { patience: PATIENCE, near: f })
    rounds += next.rounds
    if (next.found) return { found: next.found, rounds }
  }
  return { rounds }
}

/** Sweeps between two looks, and at most; over-relaxation; residual from which on an index set is tried. */
const LOOK = 250
const MAX_SWEEPS = 10_000
const RELAXATION = 1.3
const SWEPT = 1e-4
/** Relative acceleration below which sweeps have a contact stick. */
const SWEPT_STILL = 1e-5

/** The index set that projected sweeps tend to: slow, but nothing stops them where the path to hard contact folds back. */
function bySweeps(problem: ContactProblem, scaled: ScaledProblem, friction: Float64Array, tolerance: number): Candidate | undefined {
  const sweeps = new Sweeps(scaled, friction)
  const f = new Float64Array(scaled.size)
  let best: Candidate | undefined
  for (let sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
    sweeps.sweep(f, RELAXATION)
    if (sweep % LOOK !== 0) continue
    const a = relativeAcceleration(scaled, f)
    const error = residual(scaled, f, a)
    if (!(error < Infinity)) return best
    if (error > SWEPT) continue
    const set = readIndexSet(scaled, f, a, SWEPT_STILL)
    const found = exactOnIndexSet(problem, scaled, set.basis, set.slip, f, tolerance)
    if (!best || found.residual < best.residual) best = found
    if (best.residual <= tolerance) return best
  }
  return best
}

/** No forces at all, and why. */
function unsolved(
  problem: ContactProblem, scaled: ScaledProblem, status: ContactSolution['status'], pivots: number, ray: Float64Array,
): ContactSolution {
  const f = new Float64Array(problem.size)
  const a = relativeAcceleration(problem, f)
  const set = readIndexSet(scaled, f, relativeAcceleration(scaled, f), STILL)
  return solution({ f, a, residual: residual(problem, f, a), ...set }, status, pivots, false, ray)
}

/** Residual of a solution that rounding alone keeps from the tolerance: no ray then. */
const NEAR_SOLUTION = 1e-7
/** Problems up to this many rows are given to Lemke's algorithm in the end, whose tableau grows with the square. */
const LEMKE_ROWS = 150

/** The pivoting solution if its forces already meet every condition, else the exact forces of its index set. */
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

/** Contacts at their cones that do not slip stick: other contacts hold them. */
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

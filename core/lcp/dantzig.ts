/**
 * The default solver: last index set, else Dantzig pivoting with friction (`drive.ts`), then the exact cone by Newton (`cone.ts`), then,
 * where pivoting has failed, the index set found by compliance (`compliant.ts`). Whatever is returned as solved has met `residual.ts`.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { followCompliance } from './compliant'
import { exactOnIndexSet, solution, unscale, type Candidate } from './cone'
import { frictionWhilePivoting, lowerSlipping } from './coefficients'
import { Drive } from './drive'
import { LIMITED, type Pivoting } from './pivoting'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem, type ContactSolution, type ContactSolver,
  type SolveOptions,
} from './problem'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'

export const dantzig: ContactSolver = { name: 'dantzig', solve }

function solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  if (options.start) {
    const hit = tryBasis(problem, options.start, tolerance)
    if (hit) return hit
  }
  const scaled = scaleProblem(problem)
  const maxPivots = options.maxPivots ?? 10 * problem.size + 50
  const friction = frictionWhilePivoting(problem)
  let pivots = 0
  let best: Candidate | undefined
  let ray: Float64Array | undefined
  let outcome: ContactSolution['status'] = 'limit'

  // Contacts found slipping at μ_s slip with μ_d; the set only grows.
  for (let round = 0; round <= problem.friction.length; round++) {
    const drive = new Drive(scaled, friction, maxPivots)
    outcome = drive.run()
    pivots += drive.state.pivots
    if (outcome === 'ray' || outcome === 'infeasible') ray = unscale(scaled, drive.state.df)
    const { basis, slip } = indexSet(drive.state)
    const found = outcome === 'solved' ? accept(problem, scaled, drive.state, basis, slip, tolerance) : undefined
    if (found && (!best || found.residual < best.residual)) best = found
    if (best && best.residual <= tolerance) return solution(best, 'solved', pivots, false)
    if (outcome !== 'solved' || !lowerSlipping(problem, friction, basis)) break
  }

  friction.set(frictionWhilePivoting(problem))
  for (let round = 0; round <= problem.friction.length; round++) {
    let basis: Uint8Array | undefined
    pivots += followCompliance(scaled, friction, set => {
      const found = exactOnIndexSet(problem, scaled, set.basis, set.slip, set.f, tolerance)
      basis = set.basis
      if (!best || found.residual < best.residual) best = found
      return best.residual <= tolerance
    })
    if (best && best.residual <= tolerance) return solution(best, 'solved', pivots, false)
    if (!basis || !lowerSlipping(problem, friction, basis)) break
  }
  const nothing = new Float64Array(problem.size)
  const a = relativeAcceleration(problem, nothing)
  best ??= {
    f: nothing, a, residual: residual(problem, nothing, a), basis: new Uint8Array(problem.size).fill(BASIS_FREE),
    slip: new Float64Array(2 * problem.friction.length),
  }
  return solution(best, outcome === 'solved' || (outcome === 'ray' && problem.level === 'velocity') ? 'limit' : outcome, pivots, false, ray)
}

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
  if (worst <= tolerance) return { f, a, residual: worst, basis, slip }
  return exactOnIndexSet(problem, scaled, basis, slip, start, tolerance)
}

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

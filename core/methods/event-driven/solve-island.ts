/** Solves the forces of one island by the chosen solver and its fallback; builds the error if both fail. */

import { contradictingIds } from '../../contact/contradiction'
import { guess } from '../../contact/guess'
import type { Island } from '../../contact/island'
import { dantzig, relativeAcceleration, residual, signGuess } from '../../lcp'
import { leastNorm, LEAST_NORM_RESIDUAL } from '../../lcp/least-norm'
import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_IDLE, BASIS_LOWER, BASIS_UPPER, ROW_UNILATERAL, type ContactProblem, type ContactSolution, type SolveOptions,
} from '../../lcp/problem'
import { StopError } from '../method'
import type { RunContext } from './context'
import { contradictory } from '../impacts'
import { iterateBounds } from './past-forces'
import { isSolved } from '../impacts/solved'
import { CLEAR_LOAD } from './tolerances'

/** Forces of an island, N and N m, and its accelerations. */
export function solveIsland(context: RunContext, island: Island): ContactSolution {
  const { law } = island
  if (law.name === 'lotstedt') {
    const settled = iterateBounds(island, () => { island.refill(context.equations.snapshot, context.equations.free) }, () => solvePosed(context, island))
    if (!settled) warnOnce(context, 'Lötstedt\'s friction bounds of new contacts did not converge: they start from the frictionless forces')
  }
  return solvePosed(context, island)
}

function solvePosed(context: RunContext, island: Island): ContactSolution {
  const { counts } = context
  const start = island.basis === null ? guess(island) : { basis: island.basis, slip: island.slip }
  const kept = byIndexSet(context, island, start)
  if (kept !== null) {
    counts.solverCalls++
    counts.basisHits++
    counts.maxContacts = Math.max(counts.maxContacts, island.points.length)
    return kept
  }
  let solution = byGuessedSigns(context, island) ?? context.settings.solver.solve(island.problem, { start })
  counts.solverCalls++
  counts.pivots += solution.pivots
  if (solution.basisHit) counts.basisHits++
  counts.maxContacts = Math.max(counts.maxContacts, island.points.length)
  if (!isSolved(solution) && context.settings.solver !== dantzig) {
    warnOnce(context, `${context.settings.solver.name} did not reach its tolerance in some solves: dantzig finished them`)
    solution = dantzig.solve(island.problem, { start })
  }
  if (solution.status === 'ray') return solution
  if (!isSolved(solution)) throw unsolved(context, island, solution)
  return leastNorm(island.problem, { ...solution, status: 'solved' })
}

/**
 * Forces of the guessed index set, by its sparse factor, if they meet every condition with no bound active. They are then the least-norm forces, and
 * neither a solver nor the search for others is needed. Only for the exact solver: other solvers are requested by name.
 */
function byIndexSet({ settings, equations }: RunContext, island: Island, start: NonNullable<SolveOptions['start']>): ContactSolution | null {
  const { problem } = island
  if (settings.solver !== dantzig || island.law.name !== 'exact' || problem.size === 0 || island.spins.length > 0) return null
  if (start.basis.some(place => place === BASIS_IDLE || place === BASIS_CONE || place === BASIS_LOWER || place === BASIS_UPPER)) return null
  const slip = start.slip.slice()
  problem.friction.forEach((contact, c) => {
    if (contact.state !== 'sliding') return
    slip[2 * c] = contact.slip1
    slip[2 * c + 1] = contact.slip2
  })
  const f = island.indexSet.solveOn(equations.snapshot, { basis: start.basis, slip })
  if (f === null) return null
  const a = relativeAcceleration(problem, f)
  const worst = residual(problem, f, a)
  if (!(worst <= LEAST_NORM_RESIDUAL) || !boundsAreLeft(problem, start.basis, f, a)) return null
  const none = new Float64Array(0)
  return { f, a, status: 'solved', pivots: 0, residual: worst, basis: start.basis.slice(), slip, ray: none, history: none, basisHit: true }
}

/** Whether separating contacts accelerate away and pressing ones press, both by more than rounding, and sticking friction is within its cone. */
function boundsAreLeft({ size, A, b, kind, friction }: ContactProblem, basis: Uint8Array, f: Float64Array, a: Float64Array): boolean {
  let load = 0
  for (let i = 0; i < size; i++) load = Math.max(load, Math.abs(b[i]!))
  for (let i = 0; i < size; i++) {
    if (kind[i] !== ROW_UNILATERAL) continue
    if (basis[i] === BASIS_CLAMPED ? !(f[i]! * A[i * size + i]! > CLEAR_LOAD * load) : !(a[i]! > CLEAR_LOAD * load)) return false
  }
  return friction.every(({ normal, tangent1, tangent2, staticFriction, state }) => state === 'sliding' || basis[tangent1] !== BASIS_CLAMPED
    || Math.sqrt(f[tangent1]! * f[tangent1]! + f[tangent2]! * f[tangent2]!) < (1 - CLEAR_LOAD) * staticFriction * f[normal]!)
}

/** Forces by the quadratic program of guessed signs, if the law requires it and it finds a solution. */
function byGuessedSigns(context: RunContext, island: Island): ContactSolution | null {
  if (island.law.name !== 'sign-guess' || island.axes.every(axes => axes === null)) return null
  const found = signGuess(island.exact)
  if (found.status === 'solved') return { ...found, residual: found.ownResidual }
  warnOnce(context, `guessed signs gave no friction forces in some solves: ${context.settings.solver.name} computed those of the same law`)
  return null
}

/** Reports a warning unless the run has reported it before. */
export function warnOnce(context: RunContext, message: string): void {
  if (context.warnings.includes(message)) return
  context.warnings.push(message)
  context.environment.observer.event({ kind: 'warning', time: context.time, message })
}

/** The error that ends the run if no solver has found forces. */
export function unsolved(context: RunContext, island: Island, solution: ContactSolution): StopError {
  const contradicting = solution.status === 'ray' || solution.status === 'limit' ? contradictingIds(context.world, island, island.problem.b) : null
  if (contradicting !== null) return contradictory(context, contradicting)
  const ids = island.bodies.map(body => context.world.bodies[body]!.id)
  switch (solution.status) {
    case 'infeasible':
      return new StopError('UnsatisfiableConstraints', `no forces satisfy the joints of ${ids.join(', ')}`, context.time, ids)
    case 'ray':
      return new StopError(
        'Inconsistent', `no contact forces satisfy Coulomb's law between ${ids.join(', ')}, and no impulse along the ray stops a slip`,
        context.time, ids)
    default:
      return new StopError(
        'SolverFailure', `the contact forces of ${ids.join(', ')} were found only to a residual of ${solution.residual}`, context.time, ids)
  }
}

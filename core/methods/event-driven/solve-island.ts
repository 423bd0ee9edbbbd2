/** Forces of one island: by the chosen solver and what stands behind it, and what to say where there are none. */

import { contradictingIds } from '../../contact/contradiction'
import { guess } from '../../contact/guess'
import type { Island } from '../../contact/island'
import { dantzig, signGuess } from '../../lcp'
import { leastNorm } from '../../lcp/least-norm'
import type { ContactSolution } from '../../lcp/problem'
import { StopError } from '../method'
import type { RunContext } from './context'
import { contradictory } from './impacts'
import { settleBounds } from './past-forces'
import { isSolved } from './solved'

export function solveIsland(context: RunContext, island: Island): ContactSolution {
  const { law } = island
  if (law.name === 'lotstedt') {
    const settled = settleBounds(island, () => { island.refill(context.equations.snapshot, context.equations.free) }, () => solvePosed(context, island))
    if (!settled) warnOnce(context, 'Lötstedt\'s bounds of friction did not settle where contacts had no past: they begin with the frictionless forces')
  }
  return solvePosed(context, island)
}

function solvePosed(context: RunContext, island: Island): ContactSolution {
  const { counts } = context
  const start = island.basis === null ? guess(island) : { basis: island.basis, slip: island.slip }
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

/** By the quadratic program of guessed signs, where that is the law and it finds forces. */
function byGuessedSigns(context: RunContext, island: Island): ContactSolution | null {
  if (island.law.name !== 'sign-guess' || island.axes.every(axes => axes === null)) return null
  const found = signGuess(island.exact)
  if (found.status === 'solved') return { ...found, residual: found.ownResidual }
  warnOnce(context, `guessed signs did not lead to friction forces in some solves: ${context.settings.solver.name} found those of the same law`)
  return null
}

export function warnOnce(context: RunContext, message: string): void {
  if (context.warnings.includes(message)) return
  context.warnings.push(message)
  context.environment.observer.event({ kind: 'warning', time: context.time, message })
}

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
        'SolverFailure', `the contact forces of ${ids.join(', ')} were found only to ${solution.residual}`, context.time, ids)
  }
}

/**
 * Static friction with μ_d < μ_s. A contact sticks while |f_t| ≤ μ_s f_N is possible; otherwise it slips with μ_d. The problem is first solved with μ_s.
 * Then slipping contacts get μ_d and the problem is solved again. The set of slipping contacts only grows, so the loop terminates. Each solver below
 * therefore uses one coefficient per contact.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import type { ContactProblem, ContactSolution } from './problem'
import { residual, residualScale } from './residual'
import { rowScales, slippingFriction } from './scaling'


/** The one coefficient of each contact: μ_d where it slides, μ_s where it is static. */
export function frictionOf(problem: Pick<ContactProblem, 'friction'>): Float64Array {
  return Float64Array.from(problem.friction, contact => contact.state === 'sliding' ? contact.dynamicFriction : contact.staticFriction)
}

/** Whether a sticking contact may start to slip with a lower coefficient. */
export function mayStartToSlip(problem: ContactProblem): boolean {
  return problem.friction.some(contact => slippingFriction(contact, problem.level) !== contact.staticFriction)
}

/** Solves a problem with μ_d < μ_s by a solver with one coefficient per contact. */
export function solveWithOnset(
  problem: ContactProblem, tolerance = SOLVED_RESIDUAL, solveUniform: (uniform: ContactProblem) => ContactSolution,
): ContactSolution {
  if (!mayStartToSlip(problem)) return solveUniform(problem)
  const friction = frictionOf(problem)
  let pivots = 0
  while (true) {
    const found = solveUniform({
      ...problem,
      friction: problem.friction.map((contact, c) => ({ ...contact, staticFriction: friction[c]!, dynamicFriction: friction[c]! })),
    })
    pivots += found.pivots
    const worst = residual(problem, found.f, found.a)
    if (found.status !== 'solved') return { ...found, pivots, residual: worst }
    if (!lowerSlipping(problem, friction, found, tolerance)) return { ...found, pivots, residual: worst, status: worst <= tolerance ? 'solved' : 'limit' }
  }
}

/** Gives slipping contacts their μ_d; false if none changes. */
function lowerSlipping(problem: ContactProblem, friction: Float64Array, { f, a }: ContactSolution, tolerance: number): boolean {
  const s = rowScales(problem)
  const scale = residualScale(problem.b, f, s)
  let changed = false
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const mu = slippingFriction(contact, problem.level)
    if (f[normal]! <= 0 || mu === friction[c]) return
    const size = Math.sqrt(a[tangent1]! * a[tangent1]! + a[tangent2]! * a[tangent2]!)
    if (size * s[normal]! <= tolerance * scale) return
    friction[c] = mu
    changed = true
  })
  return changed
}

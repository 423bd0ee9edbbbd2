/** Coefficients of friction while the index set is sought: μ_s until a contact is found slipping, its μ_d from then on. */

import { BASIS_LIMITED, type ContactProblem } from './problem'
import { slippingFriction } from './scaling'

export function frictionWhilePivoting(problem: ContactProblem): Float64Array {
  return Float64Array.from(problem.friction, contact => contact.state === 'sliding' ? contact.dynamicFriction : contact.staticFriction)
}

/** Gives contacts that slip their μ_d; false where none changes. The set of those only grows, so repeating this ends. */
export function lowerSlipping(problem: ContactProblem, friction: Float64Array, basis: Uint8Array): boolean {
  let changed = false
  problem.friction.forEach((contact, c) => {
    if (basis[contact.tangent1] !== BASIS_LIMITED) return
    const mu = slippingFriction(contact, problem.level)
    if (mu === friction[c]) return
    friction[c] = mu
    changed = true
  })
  return changed
}

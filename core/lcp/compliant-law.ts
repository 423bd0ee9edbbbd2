/**
 * The law of compliant contact: each force is an explicit function of y, the relative acceleration of its row ÷ −ε.
 *
 *   equality f = y      unilateral f = max(0, y)      box f = clamp(y)      contact f_N = max(0, y_N), f_t = P(y_t)
 *
 * P projects onto the disc of radius μ f_N; a sliding contact has f_t = −μ f_N ŝ.
 */

import { ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL, type FrictionRows } from './problem'
import type { ScaledProblem } from './scaling'

/** Forces f(y) of every row. */
export function respond(problem: ScaledProblem, friction: Float64Array, y: Float64Array, f: Float64Array): void {
  const { size: n, kind, lower, upper } = problem
  for (let i = 0; i < n; i++) {
    const type = kind[i]!
    if (type === ROW_EQUALITY) f[i] = y[i]!
    else if (type === ROW_UNILATERAL) f[i] = Math.max(0, y[i]!)
    else if (type === ROW_BOX) f[i] = Math.min(Math.max(y[i]!, lower[i]!), upper[i]!)
  }
  problem.friction.forEach((contact, c) => respondAt(contact, friction[c]!, y, f))
}

/** f_t of one contact from y_t and its f_N. */
export function respondAt(contact: FrictionRows, mu: number, y: Float64Array, f: Float64Array): void {
  const { normal, tangent1, tangent2 } = contact
  const bound = mu * f[normal]!
  if (contact.state === 'sliding') {
    f[tangent1] = -bound * contact.slip1
    f[tangent2] = -bound * contact.slip2
    return
  }
  const y1 = y[tangent1]!
  const y2 = y[tangent2]!
  const size = Math.sqrt(y1 * y1 + y2 * y2)
  const shrink = size > bound ? bound / size : 1
  f[tangent1] = y1 * shrink
  f[tangent2] = y2 * shrink
}

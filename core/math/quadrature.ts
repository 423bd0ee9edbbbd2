/** Gauss–Legendre quadrature. */

import { cos, PI } from './elementary'

export interface Quadrature {
  /** In (−1, 1), ascending. */
  readonly nodes: Float64Array
  readonly weights: Float64Array
}

const known = new Map<number, Quadrature>()

/**
 * Exact for polynomials of degree 2n − 1 on [−1, 1]. Nodes are the roots of the Legendre polynomial Pₙ, by Newton's method from their asymptotic
 * positions.
 */
export function gaussLegendre(n: number): Quadrature {
  let rule = known.get(n)
  if (rule === undefined) known.set(n, rule = makeRule(n))
  return rule
}

function makeRule(n: number): Quadrature {
  const nodes = new Float64Array(n)
  const weights = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let x = -cos(PI * (i + 0.75) / (n + 0.5))
    let slope = 1
    // Quadratic convergence from 1e-3: 5 steps reach rounding, and further ones stay there.
    for (let k = 0; k < 8; k++) {
      let [before, value] = [1, x]
      for (let degree = 2; degree <= n; degree++) [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree]
      slope = n * (x * value - before) / (x * x - 1)
      x -= value / slope
    }
    nodes[i] = x
    weights[i] = 2 / ((1 - x * x) * slope * slope)
  }
  return { nodes, weights }
}

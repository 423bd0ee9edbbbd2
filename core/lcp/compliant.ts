/**
 * Contact made slightly compliant: with ε > 0 every force is an explicit function of its own relative acceleration,
 *
 *   y = −a/ε      equality f = y      unilateral f = max(0, y)      box f = clamp(y)      contact f_N = max(0, y_N), f_t = P(y_t)
 *
 * (P projects onto the disc of radius μ f_N), which is the exact Coulomb law of the problem with A + ε. With A = L Lᵀ the only unknown left
 * is w = Lᵀf, of the size of the rank: w = Lᵀ f(L w − b). Newton's method with a line search follows w from a soft problem (ε = 1) to a
 * hard one. There are no ties, no cycles and no choice among redundant contacts here, and as ε → 0 the forces tend to those of least norm.
 * So it serves where pivoting fails, to find the index set that `newton.ts` then solves exactly.
 */

import { cholesky, choleskySolve, dot, gram, luFactor, luSolve, pivotedCholesky } from '../math/factor'
import { PIVOT_ZERO } from '../math/tolerances'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_UNILATERAL,
} from './problem'
import type { ScaledProblem } from './scaling'

export interface IndexSet {
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Forces near the solution, equilibrated. */
  readonly f: Float64Array
  readonly steps: number
}

/** Softness at which the path starts, and the hardest. */
const SOFTEST = 1
const HARDEST = 1e-9
/** Softness from which on index sets are worth trying. */
const TRIED_FROM = 1e-2
const MAX_STEPS = 30
const MAX_STAGES = 60

/**
 * Follows the path of solutions from soft to hard contact; `attempt` is shown the index set of every stage and ends the search by true.
 *
 * @param friction coefficient of each contact, where it sticks and where it slips alike
 * @returns Newton steps made
 */
export function followCompliance(problem: ScaledProblem, friction: Float64Array, attempt: (set: IndexSet) => boolean): number {
  const { size: n, A, b } = problem
  const { L, rank } = pivotedCholesky(A, n, PIVOT_ZERO)
  const rest = leastSquares(L, n, rank, b) // w at which every row is at rest: L w = b
  const w = new Float64Array(rank)
  const trial = new Float64Array(rank)
  const y = new Float64Array(n)
  const f = new Float64Array(n)
  const F = new Float64Array(rank)
  const J = new Float64Array(rank * rank)
  let epsilon = SOFTEST
  let steps = 0
  const evaluate = (at: Float64Array): number => {
    for (let i = 0; i < n; i++) y[i] = (b[i]! - dot(L, i * rank, at, 0, rank)) / epsilon
    respond(problem, friction, y, f)
    F.set(at)
    for (let i = 0; i < n; i++) {
      const force = f[i]!
      if (force !== 0) for (let j = 0; j < rank; j++) F[j]! -= force * L[i * rank + j]!
    }
    return Math.sqrt(dot(F, 0, F, 0, rank))
  }
  /** Newton's method at the present softness, from w; false where it stalls. */
  const converge = (): boolean => {
    let merit = evaluate(w)
    for (let step = 0; step < MAX_STEPS; step++) {
      const size = Math.sqrt(dot(w, 0, w, 0, rank))
      if (!(merit > 1e-10 * size)) return true
      J.fill(0)
      addResponse(problem, friction, y, L, rank, J)
      for (let i = 0; i < rank * rank; i++) J[i]! /= epsilon
      for (let j = 0; j < rank; j++) J[j * rank + j]! += 1
      const factor = luFactor(J, rank)
      if (factor.pivotRatio === 0) return false
      const delta = luSolve(factor, F)
      let part = 1
      let next = Infinity
      for (let halving = 0; halving < 10; halving++, part /= 2) {
        for (let j = 0; j < rank; j++) trial[j] = w[j]! - part * delta[j]!
        next = evaluate(trial)
        if (next <= (1 - 1e-3 * part) * merit) break
      }
      steps++
      if (!(next < merit)) return merit <= 1e-6 * size
      w.set(trial)
      merit = next
    }
    return false
  }

  let ratio = 0.1
  let solved = new Float64Array(rank)
  for (let stage = 0; stage < MAX_STAGES && epsilon >= HARDEST; stage++) {
    const before = epsilon
    if (stage > 0) {
      // The same forces at less compliance: a shrinks with ε, towards rest.
      epsilon *= ratio
      for (let j = 0; j < rank; j++) w[j] = rest[j]! + ratio * (solved[j]! - rest[j]!)
    }
    if (converge()) {
      evaluate(w)
      if (epsilon <= TRIED_FROM) {
        for (const threshold of [1, 30]) if (attempt({ ...classify(problem, friction, y, f, threshold), f: f.slice(), steps })) return steps
      }
      solved = w.slice()
      ratio = Math.max(ratio * ratio, 0.05)
    } else if (stage === 0) {
      epsilon = 10
      ratio = 0.5
      if (!converge()) return steps
      solved = w.slice()
    } else {
      epsilon = before
      ratio = Math.sqrt(ratio)
      if (ratio > 0.9) return steps
    }
  }
  return steps
}

/** Least-squares solution of L w = b. */
function leastSquares(L: Float64Array, n: number, rank: number, b: Float64Array): Float64Array {
  const w = new Float64Array(rank)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) w[j]! += L[i * rank + j]! * b[i]!
  choleskySolve(cholesky(gram(L, n, rank), rank, Number.MIN_VALUE), rank, w)
  return w
}

/** f(y). */
function respond(problem: ScaledProblem, friction: Float64Array, y: Float64Array, f: Float64Array): void {
  const { size: n, kind, lower, upper } = problem
  for (let i = 0; i < n; i++) {
    const type = kind[i]!
    if (type === ROW_EQUALITY) f[i] = y[i]!
    else if (type === ROW_UNILATERAL) f[i] = Math.max(0, y[i]!)
    else if (type === ROW_BOX) f[i] = Math.min(Math.max(y[i]!, lower[i]!), upper[i]!)
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const bound = friction[c]! * f[normal]!
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
  })
}

/** J += Lᵀ f′(y) L. */
function addResponse(
  problem: ScaledProblem, friction: Float64Array, y: Float64Array, L: Float64Array, rank: number, J: Float64Array,
): void {
  const { size: n, kind, lower, upper, contactOf } = problem
  const left = new Float64Array(rank)
  const addOuter = (x: Float64Array, xi: number, z: Float64Array, zi: number, weight: number): void => {
    for (let i = 0; i < rank; i++) {
      const value = weight * x[xi + i]!
      if (value !== 0) for (let j = 0; j < rank; j++) J[i * rank + j]! += value * z[zi + j]!
    }
  }
  for (let i = 0; i < n; i++) {
    const type = kind[i]!
    const active = type === ROW_EQUALITY || (type === ROW_BOX && y[i]! > lower[i]! && y[i]! < upper[i]!) ||
      (type === ROW_UNILATERAL && y[i]! > 0 && contactOf[i]! < 0)
    if (active) addOuter(L, i * rank, L, i * rank, 1)
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const yn = y[normal]!
    if (yn <= 0) return
    const n0 = normal * rank
    const p = tangent1 * rank
    const q = tangent2 * rank
    const mu = friction[c]!
    const y1 = y[tangent1]!
    const y2 = y[tangent2]!
    const size = Math.sqrt(y1 * y1 + y2 * y2)
    const sliding = contact.state === 'sliding'
    if (!sliding && size <= mu * yn) {
      addOuter(L, n0, L, n0, 1)
      addOuter(L, p, L, p, 1)
      addOuter(L, q, L, q, 1)
      return
    }
    const d1 = sliding ? -contact.slip1 : y1 / size
    const d2 = sliding ? -contact.slip2 : y2 / size
    for (let j = 0; j < rank; j++) left[j] = L[n0 + j]! + mu * (d1 * L[p + j]! + d2 * L[q + j]!)
    addOuter(left, 0, L, n0, 1)
    if (sliding) return
    for (let j = 0; j < rank; j++) left[j] = d1 * L[q + j]! - d2 * L[p + j]!
    addOuter(left, 0, left, 0, mu * yn / size)
  })
}

/** Index set at the last compliance: a contact slips where y_t exceeds its bound by more than `threshold` times. */
function classify(
  problem: ScaledProblem, friction: Float64Array, y: Float64Array, f: Float64Array, threshold: number,
): { basis: Uint8Array; slip: Float64Array } {
  const { size: n, kind, lower, upper } = problem
  const basis = new Uint8Array(n).fill(BASIS_FREE)
  const slip = new Float64Array(2 * problem.friction.length)
  for (let i = 0; i < n; i++) {
    const type = kind[i]!
    if (type === ROW_FRICTION) continue
    if (type === ROW_BOX && y[i]! <= lower[i]!) basis[i] = BASIS_LOWER
    else if (type === ROW_BOX && y[i]! >= upper[i]!) basis[i] = BASIS_UPPER
    else if (type !== ROW_UNILATERAL || y[i]! > 0) basis[i] = BASIS_CLAMPED
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    if (basis[normal] !== BASIS_CLAMPED) return
    const size = Math.sqrt(y[tangent1]! * y[tangent1]! + y[tangent2]! * y[tangent2]!)
    const bound = friction[c]! * f[normal]!
    const slips = contact.state === 'sliding' || bound === 0 || size > threshold * bound
    basis[tangent1] = basis[tangent2] = slips ? BASIS_LIMITED : BASIS_CLAMPED
    if (!slips) return
    slip[2 * c] = contact.state === 'sliding' ? contact.slip1 : size > 0 ? -y[tangent1]! / size : 0
    slip[2 * c + 1] = contact.state === 'sliding' ? contact.slip2 : size > 0 ? -y[tangent2]! / size : 0
  })
  return { basis, slip }
}

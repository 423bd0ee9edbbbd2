/**
 * The forces with the least Σ f² among those with the same motion, {f : A f = A f*, complementarity, cones}. The set is convex, so the least-norm force is
 * unique; in a symmetric scene it is symmetric: mg/4 on each leg of a chair.
 *
 * With orthonormal columns Q spanning the range of A, Qᵀf = c fixes the motion. The least-norm force is f = P(Qλ), with P the projection onto the admissible
 * forces, where λ maximises the concave dual cᵀλ − envelope(Qλ). Its gradient c − Qᵀ P(Qλ) is piecewise smooth. Newton's method with a line search converges
 * to λ from any start, in one step if no bound is active.
 */

import { cholesky, choleskySolve, dot } from '../math/factor'
import { orthonormalize, pivotedCholesky } from '../math/semidefinite'
import { PIVOT_ZERO } from '../math/tolerances'
import { allowedForces } from './allowed-forces'
import { solveFrozen } from './frozen'
import { placesIn } from './places'
import { BASIS_CLAMPED, BASIS_CONE, type ContactProblem, type ContactSolution } from './problem'
import { addProjectedGram, projectOnto, type ForceSet } from './projection'
import { relativeAcceleration, residual } from './residual'
import { rowScales } from './scaling'

const MAX_STEPS = 80
/**
 * Without admissible forces the dual is unbounded: λ grows along a ray, on which the gradient no longer changes. Steps after which this is accepted, if the
 * gradient keeps at least the share `ALMOST`.
 */
const STILL_STEPS = 5
const ALMOST = 0.999

/** Rounding error of Qᵀf, × the largest |z|. */
const ROUNDING = 4e-16

/** Orthonormal columns (n × rank) with the range of S⁻¹ L, where S A S ≈ L Lᵀ; Qᵀf then determines A f. */
export function rangeBasis(problem: ContactProblem): { Q: Float64Array; rank: number } {
  const { size: n, A } = problem
  const s = rowScales(problem)
  const scaled = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j]! * s[i]! * s[j]!
  const { L, rank } = pivotedCholesky(scaled, n, PIVOT_ZERO)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) L[i * rank + j]! /= s[i]!
  orthonormalize(L, n, rank)
  return { Q: L, rank }
}

/**
 * The forces f ∈ `sets` with Qᵀf = Qᵀ`target` that are nearest to `centre` (the origin unless given). `error` is the relative error of Qᵀf; f is the
 * projection of `z`. Without such forces `error` remains, after few `steps` of Newton's method.
 */
export function leastNormIn(
  sets: readonly ForceSet[], Q: Float64Array, n: number, rank: number, target: Float64Array, centre?: Float64Array,
): { f: Float64Array; z: Float64Array; error: number; steps: number } {
  const c = new Float64Array(rank)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) c[j]! += Q[i * rank + j]! * target[i]!
  let size = 0
  for (let j = 0; j < rank; j++) size = Math.max(size, Math.abs(c[j]!))
  const lambda = c.slice()
  if (centre) for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) lambda[j]! -= Q[i * rank + j]! * centre[i]!
  const trial = new Float64Array(rank)
  const z = new Float64Array(n)
  const f = new Float64Array(n)
  const gradient = new Float64Array(rank)
  const evaluate = (at: Float64Array): number => {
    for (let i = 0; i < n; i++) z[i] = dot(Q, i * rank, at, 0, rank) + (centre ? centre[i]! : 0)
    return projectOnto(sets, z, f) - dot(c, 0, at, 0, rank)
  }
  const slope = (): number => {
    for (let j = 0; j < rank; j++) gradient[j] = -c[j]!
    for (let i = 0; i < n; i++) {
      const force = f[i]!
      if (force !== 0) for (let j = 0; j < rank; j++) gradient[j]! += Q[i * rank + j]! * force
    }
    let worst = 0
    for (let j = 0; j < rank; j++) worst = Math.max(worst, Math.abs(gradient[j]!))
    return worst
  }
  let value = evaluate(lambda)
  let error = slope()
  const H = new Float64Array(rank * rank)
  let still = 0
  let step = 0
  for (; step < MAX_STEPS && still < STILL_STEPS && error > ROUNDING * reach(z); step++) {
    const before = error
    H.fill(0)
    addProjectedGram(sets, z, Q, rank, H)
    const shift = Math.max(1e-14, Math.min(1e-3, 1e-2 * error / size))
    for (let j = 0; j < rank; j++) H[j * rank + j]! += shift
    const R = cholesky(H, rank, 1e-300)
    const delta = new Float64Array(rank)
    for (let j = 0; j < rank; j++) delta[j] = -gradient[j]!
    choleskySolve(R, rank, delta)
    const descent = dot(gradient, 0, delta, 0, rank)
    let part = 1
    let accepted = false
    for (let halving = 0; halving < 30 && !accepted; halving++, part /= 2) {
      for (let j = 0; j < rank; j++) trial[j] = lambda[j]! + part * delta[j]!
      const next = evaluate(trial)
      const nextError = slope()
      accepted = next <= value + 1e-4 * part * descent || nextError < 0.9 * error
      if (accepted) {
        lambda.set(trial)
        value = next
        error = nextError
      }
    }
    if (!accepted) {
      evaluate(lambda)
      slope()
      break
    }
    still = error > ALMOST * before ? still + 1 : 0
    // Rounding is reached when Newton's method no longer halves a small error.
    if (error > 0.5 * before && error <= 1e-11 * reach(z)) break
  }
  return { f, z, error: size > 0 ? error / size : 0, steps: step }
}

function reach(z: Float64Array): number {
  let largest = 0
  for (const value of z) largest = Math.max(largest, Math.abs(value))
  return largest
}

/**
 * The solution with its forces replaced by the least-norm ones of the same motion, and with an updated basis: `IDLE` and `CONE` mark bounds that are active
 * without motion. Returned unchanged if the forces were already unique or no better ones were found.
 */
export function leastNorm(problem: ContactProblem, solution: ContactSolution): ContactSolution {
  if (solution.status !== 'solved' || problem.size === 0) return solution
  const n = problem.size
  const sets = allowedForces(problem, solution.f, solution.a)
  const held = inside(problem, sets)
  const free = solveFrozen(problem, held.basis, held.slip)
  const unbounded = residual(problem, free.f, free.a)
  if (unbounded <= LEAST_NORM_RESIDUAL) {
    // No bound is active: the least-norm solution of the equations alone.
    return { ...solution, ...held, f: free.f, a: free.a, residual: unbounded, rank: free.rank }
  }
  const { Q, rank } = rangeBasis(problem)
  const { f, z } = leastNormIn(sets, Q, n, rank, solution.f)
  const worst = residual(problem, f)
  if (!(worst <= Math.max(solution.residual, LEAST_NORM_RESIDUAL))) return solution
  const { basis, slip } = placesIn(problem, sets, z)
  return freeze(problem, { ...solution, f, a: relativeAcceleration(problem, f), residual: worst, basis, slip })
}

/**
 * The least-norm solution that `solveFrozen` gives for its basis, so that forces continue without a jump. Contacts on their cones are slaved only if the
 * other rows still hold every clamped row; otherwise they count as clamped.
 */
function freeze(problem: ContactProblem, solution: ContactSolution): ContactSolution {
  const { basis, slip } = solution
  const unslaved = basis.map(place => place === BASIS_CONE ? BASIS_CLAMPED : place)
  const slaved = basis.includes(BASIS_CONE)
  let frozen = solveFrozen(problem, basis, slip)
  let places = basis
  if (slaved) {
    const free = solveFrozen(problem, unslaved, slip)
    if (frozen.rank < free.rank) {
      frozen = free
      places = unslaved
    }
  }
  const worst = residual(problem, frozen.f, frozen.a)
  if (worst <= Math.max(solution.residual, LEAST_NORM_RESIDUAL)) {
    return { ...solution, f: frozen.f, a: frozen.a, residual: worst, basis: places, rank: frozen.rank }
  }
  return { ...solution, basis: places, rank: frozen.rank }
}

/** Residual that the least-norm forces may have, even if the residual of the given ones was smaller. */
export const LEAST_NORM_RESIDUAL = 1e-11

/** A number inside an interval. */
function middle(lower: number, upper: number): number {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper - 1
  return upper === Infinity ? lower + 1 : (lower + upper) / 2
}

/** The index set in which every force lies inside its set. */
function inside(problem: ContactProblem, sets: readonly ForceSet[]): { basis: Uint8Array; slip: Float64Array } {
  const z = new Float64Array(problem.size)
  for (const set of sets) {
    if (set.kind === 'coupled') z[set.normal] = 1
    else if (set.kind === 'interval') z[set.row] = middle(set.lower, set.upper)
  }
  return placesIn(problem, sets, z)
}

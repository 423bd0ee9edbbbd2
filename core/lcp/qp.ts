/**
 * Contact forces as a quadratic program. For symmetric positive semidefinite A
 *
 *   minimise ½ fᵀA f − bᵀf   subject to   lower ≤ f ≤ upper                                                   [Baraff92 eq. 8-11]
 *
 * has exactly the conditions of equality, unilateral and box rows as its optimality conditions. Every solution makes the objective fᵀA f − bᵀf of eq. 8-10
 * (subject to A f ≥ b, f ≥ 0) zero, its least value. A primal active-set method with least-norm steps solves it, so a semidefinite A needs no special
 * treatment.
 *
 * Friction is not a QP, because the bound μ f_N depends on the solution. The solver iterates (each QP has the bounds of the last f_N); Newton's method then
 * gives the exact cone.
 */

import { dot } from '../math/factor'
import { semidefiniteLeastNorm } from '../math/least-norm'
import { PIVOT_ZERO, SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { exactOnIndexSet, solution, type Candidate } from './cone'
import { frictionOf, solveWithOnset } from './coefficients'
import { readIndexSet } from './index-set'
import {
  ROW_BOX, ROW_UNILATERAL, type ContactProblem, type ContactSolution, type ContactSolver, type SolveOptions,
} from './problem'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'

export interface QpResult {
  readonly status: 'solved' | 'ray' | 'limit'
  readonly f: Float64Array
  /** Direction along which the objective has no lower bound, for `ray`; empty otherwise. */
  readonly ray: Float64Array
  readonly steps: number
}

/** Step length at which the free variables are at their minimum, × scale. */
const STATIONARY = 1e-13
/** Multiplier of the wrong sign that releases a bound, × scale. */
const WRONG_SIGN = 1e-12

/** Minimises ½ fᵀA f − bᵀf over lower ≤ f ≤ upper (row-major n × n, bounds may be infinite), starting from the projection of `start` onto the bounds. */
export function boxQp(
  A: Float64Array, b: Float64Array, lower: Float64Array, upper: Float64Array, start: Float64Array = new Float64Array(b.length),
  maxSteps = 10 * b.length + 50,
): QpResult {
  const n = b.length
  const f = start.map((value, i) => Math.min(Math.max(value, lower[i]!), upper[i]!))
  const active = f.map((value, i) => value === lower[i]! ? -1 : value === upper[i]! ? 1 : 0)
  const g = new Float64Array(n)
  const empty = new Float64Array(0)
  for (let steps = 0; steps < maxSteps; steps++) {
    let scale = 0
    for (let i = 0; i < n; i++) {
      g[i] = dot(A, i * n, f, 0, n) - b[i]!
      scale = Math.max(scale, Math.abs(b[i]!), Math.abs(f[i]!))
    }
    const free: number[] = []
    for (let i = 0; i < n; i++) if (active[i] === 0) free.push(i)
    const p = direction(A, n, g, free, scale)
    let moves = 0
    for (const value of p.step) moves = Math.max(moves, Math.abs(value))
    if (moves <= STATIONARY * scale) {
      let worst = WRONG_SIGN * scale
      let release = -1
      for (let i = 0; i < n; i++) {
        const wrong = lower[i] === upper[i] ? 0 : active[i]! * g[i]!
        if (active[i] !== 0 && wrong > worst) {
          worst = wrong
          release = i
        }
      }
      if (release < 0) return { status: 'solved', f, ray: empty, steps }
      active[release] = 0
      continue
    }
    let part = p.unbounded ? Infinity : 1
    let blocking = -1
    free.forEach((i, k) => {
      const change = p.step[k]!
      if (change === 0) return
      const limit = ((change < 0 ? lower[i]! : upper[i]!) - f[i]!) / change
      if (limit < part) {
        part = limit
        blocking = i
      }
    })
    if (part === Infinity) {
      const ray = new Float64Array(n)
      free.forEach((i, k) => {
        ray[i] = p.step[k]!
      })
      return { status: 'ray', f, ray, steps }
    }
    free.forEach((i, k) => {
      f[i]! += part * p.step[k]!
    })
    if (blocking >= 0) {
      active[blocking] = p.step[free.indexOf(blocking)]! < 0 ? -1 : 1
      f[blocking] = active[blocking]! < 0 ? lower[blocking]! : upper[blocking]!
    }
  }
  return { status: 'limit', f, ray: empty, steps: maxSteps }
}

/** Step of the free variables to their minimum, or along the descending null direction if there is no minimum. */
function direction(
  A: Float64Array, n: number, g: Float64Array, free: readonly number[], scale: number,
): { step: Float64Array; unbounded: boolean } {
  const m = free.length
  const C = new Float64Array(m * m)
  const r = new Float64Array(m)
  free.forEach((i, k) => {
    r[k] = -g[i]!
    free.forEach((j, l) => {
      C[k * m + l] = A[i * n + j]!
    })
  })
  const { x } = semidefiniteLeastNorm(C, m, r, PIVOT_ZERO)
  const rest = new Float64Array(m)
  let left = 0
  for (let k = 0; k < m; k++) {
    rest[k] = r[k]! - dot(C, k * m, x, 0, m)
    left = Math.max(left, Math.abs(rest[k]!))
  }
  return left > 1e-9 * scale ? { step: rest, unbounded: true } : { step: x, unbounded: false }
}

export const qp: ContactSolver = { name: 'qp', solve }

const MAX_ROUNDS = 100
const STILL = 1e-7

function solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  if (options.start) {
    const hit = tryBasis(problem, options.start, tolerance)
    if (hit) return hit
  }
  return solveWithOnset(problem, tolerance, uniform => solveUniform(uniform, tolerance, options.maxPivots))
}

function solveUniform(problem: ContactProblem, tolerance: number, maxPivots?: number): ContactSolution {
  const scaled = scaleProblem(problem)
  const friction = frictionOf(problem)
  let f: Float64Array = new Float64Array(problem.size)
  let pivots = 0
  let best: Candidate | undefined
  let last = Infinity
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { lower, upper, A, b } = laggedBounds(scaled, friction, f)
    const found = boxQp(A, b, lower, upper, f, maxPivots)
    pivots += found.steps
    if (found.status === 'ray') {
      const a = relativeAcceleration(problem, new Float64Array(problem.size))
      const nothing = new Float64Array(problem.size)
      const set = readIndexSet(scaled, nothing, relativeAcceleration(scaled, nothing), STILL)
      return solution({ f: nothing, a, residual: residual(problem, nothing, a), ...set }, 'infeasible', pivots, false, found.ray)
    }
    f = restoreFriction(scaled, friction, found.f)
    const a = relativeAcceleration(scaled, f)
    const error = residual(scaled, f, a)
    const set = readIndexSet(scaled, f, a, STILL)
    if (error <= 1e-4 || round === MAX_ROUNDS - 1 || !(error < 0.9 * last)) {
      const exact = exactOnIndexSet(problem, scaled, set.basis, set.slip, f, tolerance)
      if (!best || exact.residual < best.residual) best = exact
      if (best.residual <= tolerance) return solution(best, 'solved', pivots, false)
    }
    last = error
  }
  return solution(best!, 'limit', pivots, false)
}

/** The QP with friction bounded by the last normal forces; tangential forces of sliding contacts are known and fixed. */
function laggedBounds(
  problem: ScaledProblem, friction: Float64Array, f: Float64Array,
): { A: Float64Array; b: Float64Array; lower: Float64Array; upper: Float64Array } {
  const { size: n, kind } = problem
  const lower = new Float64Array(n)
  const upper = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const type = kind[i]!
    lower[i] = type === ROW_UNILATERAL ? 0 : type === ROW_BOX ? problem.lower[i]! : -Infinity
    upper[i] = type === ROW_BOX ? problem.upper[i]! : Infinity
  }
  const a = relativeAcceleration(problem, f)
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const bound = friction[c]! * Math.max(0, f[normal]!)
    let d1 = contact.slip1
    let d2 = contact.slip2
    if (contact.state === 'static') {
      // A square around the disc, aligned with the friction direction of the last forces.
      d1 = a[tangent1]! - f[tangent1]!
      d2 = a[tangent2]! - f[tangent2]!
      const size = Math.sqrt(d1 * d1 + d2 * d2)
      lower[tangent1] = -bound
      upper[tangent1] = bound
      lower[tangent2] = -bound
      upper[tangent2] = bound
      if (size > bound && size > 0) {
        lower[tangent1] = upper[tangent1] = -bound * d1 / size
        lower[tangent2] = upper[tangent2] = -bound * d2 / size
      }
      return
    }
    lower[tangent1] = upper[tangent1] = -bound * d1
    lower[tangent2] = upper[tangent2] = -bound * d2
  })
  return { A: problem.A, b: problem.b, lower, upper }
}

/** Scales friction into the disc of the new normal forces. */
function restoreFriction(problem: ScaledProblem, friction: Float64Array, f: Float64Array): Float64Array {
  const out = f.slice()
  problem.friction.forEach(({ normal, tangent1, tangent2 }, c) => {
    const size = Math.sqrt(f[tangent1]! * f[tangent1]! + f[tangent2]! * f[tangent2]!)
    const bound = friction[c]! * f[normal]!
    if (size <= bound) return
    out[tangent1] = f[tangent1]! * bound / size
    out[tangent2] = f[tangent2]! * bound / size
  })
  return out
}

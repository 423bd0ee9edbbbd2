/**
 * Projected iterations [CS248B; Baraff92 app. C] with the exact cone. Each row is corrected by −a/D and projected onto its bounds; the two tangents of a
 * contact are projected together onto the disc of radius μ f_N. Gauss–Seidel uses each new value at once, Jacobi only after the sweep; SOR over-relaxes
 * Gauss–Seidel. They converge slowly but satisfy their bounds after every sweep. The residual of each sweep is recorded.
 *
 * Jacobi's correction is divided by the largest number of rows that any row is coupled to; otherwise it diverges on stacks.
 */

import { addScaledRow } from '../math/factor'
import { SOLVED_RESIDUAL } from '../math/tolerances'
import { tryBasis } from './basis'
import { candidate, solution, unscale } from './cone'
import { frictionOf, solveWithOnset } from './coefficients'
import { readIndexSet } from './index-set'
import {
  ROW_BOX, ROW_FRICTION, ROW_UNILATERAL, type ContactProblem, type ContactSolution, type ContactSolver, type SolveOptions,
} from './problem'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'

/** Maximum number of sweeps if `maxPivots` is absent. */
const MAX_SWEEPS = 5000
/** Over-relaxation of SOR. */
const RELAXATION = 1.3
/** Relative acceleration below which a contact counts as sticking in the final index set. */
const STILL = 1e-8

type Scheme = 'jacobi' | 'gauss-seidel' | 'sor'

export const projectedJacobi = projected('jacobi', 'jacobi')
export const projectedGaussSeidel = projected('gauss-seidel', 'gauss-seidel')
export const projectedSor = projected('sor', 'sor')

function projected(name: string, scheme: Scheme): ContactSolver {
  return {
    name,
    solve(problem: ContactProblem, options: SolveOptions = {}): ContactSolution {
      const tolerance = options.tolerance ?? SOLVED_RESIDUAL
      if (options.start) {
        const hit = tryBasis(problem, options.start, tolerance)
        if (hit) return hit
      }
      return solveWithOnset(problem, tolerance, uniform => iterate(uniform, scheme, tolerance, options.maxPivots ?? MAX_SWEEPS))
    },
  }
}

function iterate(problem: ContactProblem, scheme: Scheme, tolerance: number, maxSweeps: number): ContactSolution {
  const scaled = scaleProblem(problem)
  const friction = frictionOf(problem)
  const f = new Float64Array(scaled.size)
  const history: number[] = []
  let error = residual(scaled, f)
  const step = scheme === 'jacobi' ? 1 / coupling(scaled) : scheme === 'sor' ? RELAXATION : 1
  const rows = new Sweeps(scaled, friction)
  for (let sweepIndex = 0; sweepIndex < maxSweeps && error > tolerance; sweepIndex++) {
    if (scheme === 'jacobi') jacobiSweep(scaled, friction, f, step)
    else rows.sweep(f, step)
    error = residual(scaled, f)
    history.push(error)
  }
  const a = relativeAcceleration(scaled, f)
  const set = readIndexSet(scaled, f, a, STILL)
  const forces = unscale(scaled, f)
  const rates = relativeAcceleration(problem, forces)
  const found = candidate(problem, scaled, set.basis, set.slip, forces, rates, residual(problem, forces, rates))
  const status = found.residual <= tolerance ? 'solved' : 'limit'
  return solution(found, status, history.length, false, undefined, Float64Array.from(history))
}

/** Largest row sum of |Â|: an upper bound of its largest eigenvalue. */
function coupling({ size: n, A }: ScaledProblem): number {
  let largest = 1
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += Math.abs(A[i * n + j]!)
    largest = Math.max(largest, sum)
  }
  return largest
}

/** Gauss–Seidel sweeps over the rows of one problem, with a list of its nonzero elements. */
export class Sweeps {
  /** Columns and values of row i are at `first[i]` … `first[i + 1]`. */
  private readonly first: Int32Array
  private readonly columns: Int32Array
  private readonly values: Float64Array
  /** Largest eigenvalue of the tangent block of each contact. */
  private readonly spread: Float64Array

  constructor(private readonly problem: ScaledProblem, private readonly friction: Float64Array) {
    const { size: n, A } = problem
    this.first = new Int32Array(n + 1)
    let count = 0
    for (let k = 0; k < n * n; k++) if (A[k] !== 0) count++
    this.columns = new Int32Array(count)
    this.values = new Float64Array(count)
    let at = 0
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const value = A[i * n + j]!
        if (value === 0) continue
        this.columns[at] = j
        this.values[at++] = value
      }
      this.first[i + 1] = at
    }
    this.spread = Float64Array.from(problem.friction, ({ tangent1, tangent2 }) => spread(problem, tangent1, tangent2))
  }

  /** One sweep over all rows, in place; `step` is the relaxation factor. */
  sweep(f: Float64Array, step: number): void {
    const { problem } = this
    const { size: n, A, kind, friction } = problem
    for (let i = 0; i < n; i++) {
      if (kind[i] !== ROW_FRICTION) f[i] = bounded(problem, i, f[i]! - step * this.rate(i, f) / positive(A[i * n + i]!))
    }
    for (let c = 0; c < friction.length; c++) {
      const { tangent1, tangent2 } = friction[c]!
      const share = step / this.spread[c]!
      setFriction(problem, this.friction, c, f, f[tangent1]! - share * this.rate(tangent1, f), f[tangent2]! - share * this.rate(tangent2, f))
    }
  }

  /** (A f − b)ᵢ. */
  private rate(i: number, f: Float64Array): number {
    const { columns, values } = this
    const end = this.first[i + 1]!
    let s = -this.problem.b[i]!
    for (let k = this.first[i]!; k < end; k++) s += values[k]! * f[columns[k]!]!
    return s
  }
}

function jacobiSweep(problem: ScaledProblem, friction: Float64Array, f: Float64Array, step: number): void {
  const { size: n, A, kind } = problem
  const next = f.slice()
  const a = problem.b.map(value => -value)
  for (let j = 0; j < n; j++) if (f[j] !== 0) addScaledRow(a, 0, A, j * n, f[j]!, n)
  for (let i = 0; i < n; i++) if (kind[i] !== ROW_FRICTION) next[i] = bounded(problem, i, f[i]! - step * a[i]!)
  problem.friction.forEach(({ tangent1, tangent2 }, c) => {
    setFriction(problem, friction, c, next, f[tangent1]! - step * a[tangent1]!, f[tangent2]! - step * a[tangent2]!)
  })
  f.set(next)
}

function bounded(problem: ScaledProblem, i: number, value: number): number {
  if (problem.kind[i] === ROW_UNILATERAL) return Math.max(0, value)
  return problem.kind[i] === ROW_BOX ? Math.min(Math.max(value, problem.lower[i]!), problem.upper[i]!) : value
}

/** f_t of contact c: (x, y) projected onto the disc, or slaved if it slides. */
function setFriction(problem: ScaledProblem, friction: Float64Array, c: number, f: Float64Array, x: number, y: number): void {
  const contact = problem.friction[c]!
  const bound = friction[c]! * f[contact.normal]!
  if (contact.state === 'sliding') {
    f[contact.tangent1] = -bound * contact.slip1
    f[contact.tangent2] = -bound * contact.slip2
    return
  }
  const size = Math.sqrt(x * x + y * y)
  const shrink = size > bound ? bound / size : 1
  f[contact.tangent1] = x * shrink
  f[contact.tangent2] = y * shrink
}

/** Largest eigenvalue of the 2 × 2 block of a contact's tangents. */
function spread({ A, size: n }: ScaledProblem, p: number, q: number): number {
  const mean = (A[p * n + p]! + A[q * n + q]!) / 2
  const half = (A[p * n + p]! - A[q * n + q]!) / 2
  return positive(mean + Math.sqrt(half * half + A[p * n + q]! * A[p * n + q]!))
}

function positive(x: number): number {
  return x > 0 ? x : 1
}

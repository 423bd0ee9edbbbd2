/**
 * How far each normal force may vary with the motion unchanged: two linear programs per contact, over the forces that the solution's motion
 * allows (`allowedForces`), a sticking contact's cone replaced by the inscribed one of 32 edges, the first along the friction found, so that
 * the solution itself is always inside.
 *
 * The solver's vertex is solved anew as a linear system, so that the ends of an interval are as exact as the forces are.
 */

import { solve as solveLinearProgram } from 'yalps'
import { cos, sin } from '../math/elementary'
import { leastNormSolve } from '../math/orthogonal'
import { allowedForces, rangeBasis } from './least-norm'
import { ROW_UNILATERAL, type ContactProblem, type ContactSolution } from './problem'

export interface ForceIntervals {
  /** The unilateral rows, in their order. */
  readonly rows: Int32Array
  /** Least and greatest normal force of each, N; greatest may be Infinity (a wedged contact). */
  readonly least: Float64Array
  readonly greatest: Float64Array
}

/** Why there are no intervals. */
export type NoIntervals = 'too many contacts' | 'not solved' | 'linear program failed'

export const MAX_INTERVAL_CONTACTS = 64
const EDGES = 32
/** Accuracy asked of the linear programs, in units of the largest force; their vertices are made exact afterwards. */
const LP_PRECISION = 1e-9
/** Interval narrower than this is a point, × the largest force. */
const SETTLED = 1e-12

/** A generator of the set of forces: f = Σ coefficient · generator, coefficients ≥ 0. */
interface Generator {
  readonly rows: readonly number[]
  readonly values: readonly number[]
}

export function forceIntervals(problem: ContactProblem, solution: ContactSolution): ForceIntervals | NoIntervals {
  if (solution.status !== 'solved') return 'not solved'
  const n = problem.size
  const rows = Int32Array.from([...problem.kind.keys()].filter(i => problem.kind[i] === ROW_UNILATERAL))
  if (rows.length > MAX_INTERVAL_CONTACTS) return 'too many contacts'
  const { f } = solution
  let size = 0
  for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(f[i]!))
  const least = Float64Array.from(rows, i => f[i]!)
  const greatest = least.slice()
  if (size === 0) return { rows, least, greatest }
  const { generators, fixed } = generate(problem, solution)
  const { Q, rank } = rangeBasis(problem)
  const target = new Float64Array(rank)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) target[j]! += Q[i * rank + j]! * (f[i]! - fixed[i]!) / size
  const columns = generators.map(({ rows: at, values }) => {
    const column = new Float64Array(rank)
    at.forEach((row, k) => {
      for (let j = 0; j < rank; j++) column[j]! += Q[row * rank + j]! * values[k]!
    })
    return column
  })
  if (isUnique(columns, rank)) return { rows, least, greatest }
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]!
    const weights = generators.map(g => g.rows.reduce((sum, at, p) => at === row ? sum + g.values[p]! : sum, 0))
    if (weights.every(weight => weight === 0)) continue
    for (const direction of ['minimize', 'maximize'] as const) {
      const end = optimum(columns, weights, target, rank, direction)
      if (end === undefined) return 'linear program failed'
      const force = end * size + fixed[row]!
      if (direction === 'minimize') least[k] = Math.min(least[k]!, Math.max(0, force))
      else greatest[k] = Math.max(greatest[k]!, force)
    }
    if (greatest[k]! - least[k]! <= SETTLED * size) least[k] = greatest[k] = f[row]!
  }
  return { rows, least, greatest }
}

function generate(problem: ContactProblem, { f, a }: ContactSolution): { generators: Generator[]; fixed: Float64Array } {
  const generators: Generator[] = []
  const fixed = new Float64Array(problem.size)
  for (const set of allowedForces(problem, f, a)) {
    if (set.kind === 'free') {
      generators.push({ rows: [set.row], values: [1] }, { rows: [set.row], values: [-1] })
    } else if (set.kind === 'interval') {
      if (set.upper === Infinity && set.lower === 0) generators.push({ rows: [set.row], values: [1] })
      else fixed[set.row] = f[set.row]! // a motor's or joint's own force is not a contact force: held as it is
    } else if (set.kind === 'ray') generators.push({ rows: set.rows, values: [1, set.x, set.y] })
    else {
      const f1 = f[set.rows[1]]!
      const f2 = f[set.rows[2]]!
      const length = Math.sqrt(f1 * f1 + f2 * f2)
      const x = length > 0 ? f1 / length : 1
      const y = length > 0 ? f2 / length : 0
      if (set.mu === 0) generators.push({ rows: [set.rows[0]], values: [1] })
      else {
        for (let k = 0; k < EDGES; k++) {
          const c = cos(2 * Math.PI * k / EDGES)
          const s = sin(2 * Math.PI * k / EDGES)
          generators.push({ rows: set.rows, values: [1, set.mu * (c * x - s * y), set.mu * (s * x + c * y)] })
        }
      }
    }
  }
  return { generators, fixed }
}

/** Whether the columns are independent, so that the forces are unique. */
function isUnique(columns: readonly Float64Array[], rank: number): boolean {
  const count = columns.length
  if (count > rank) return false
  const flat = new Float64Array(rank * count)
  columns.forEach((column, j) => flat.set(column, j * rank))
  return leastNormSolve(flat, rank, count, new Float64Array(rank), 1e-9).rank === count
}

/** Least or greatest Σ weight · x over Σ column · x = target, x ≥ 0; ±Infinity where unbounded, undefined where the solver fails. */
function optimum(
  columns: readonly Float64Array[], weights: readonly number[], target: Float64Array, rank: number, direction: 'minimize' | 'maximize',
): number | undefined {
  const constraints = new Map<number, { equal: number }>()
  for (let j = 0; j < rank; j++) constraints.set(j, { equal: target[j]! })
  const variables = new Map<number, [number, number][]>()
  columns.forEach((column, k) => {
    const coefficients: [number, number][] = [[rank, weights[k]!]]
    for (let j = 0; j < rank; j++) if (column[j] !== 0) coefficients.push([j, column[j]!])
    variables.set(k, coefficients)
  })
  const found = solveLinearProgram({ direction, objective: rank, constraints, variables }, { precision: LP_PRECISION })
  if (found.status === 'unbounded') return direction === 'maximize' ? Infinity : 0
  if (found.status !== 'optimal') return undefined
  const support = found.variables.map(([k]) => k)
  const flat = new Float64Array(rank * support.length)
  support.forEach((k, j) => flat.set(columns[k]!, j * rank))
  const { x } = leastNormSolve(flat, rank, support.length, target.slice(), 1e-10)
  let value = 0
  support.forEach((k, j) => {
    value += weights[k]! * x[j]!
  })
  return value
}

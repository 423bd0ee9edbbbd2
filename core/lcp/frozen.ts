/**
 * Forces of a frozen index set: one linear solve, for the right-hand side of the equations of motion between two events.
 *
 *   clamped rows           a = 0
 *   free and idle rows     f = 0
 *   rows at a bound        f = lower or upper
 *   limited rows           f_t = −μ f_N ŝ, likewise for spins
 *   cone rows              a = 0 and −f_t·ŝ = μ f_N
 *
 * The system is consistent but often rank-deficient; the returned forces are those of least norm. A least-norm solution is a smooth function of A and b as
 * long as the rank is constant, so the caller passes the rank found at the start of the step. Integrator stages lie at a small distance from the contact
 * manifold, where redundant rows look independent by the square of that distance; with a rank decided at every stage the forces would jump. The order of
 * pivots does not affect the result.
 */

import { dot } from '../math/factor'
import { rangeLeastNorm, semidefiniteLeastNorm } from '../math/least-norm'
import { leastNormSolve } from '../math/orthogonal'
import { cross, perpendicular } from '../math/vector'
import { PIVOT_ZERO } from '../math/tolerances'
import { BASIS_CLAMPED, BASIS_CONE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem } from './problem'
import { rowScales, slippingFriction, stickingFriction } from './scaling'
import { relativeAcceleration, residualScale } from './residual'
import { spinsOf } from './spin'

export interface FrozenForces {
  /** Multipliers, size. */
  readonly f: Float64Array
  /** A f − b, size. */
  readonly a: Float64Array
  /** Rank of the linear system. */
  readonly rank: number
  /** Largest |a| of a clamped row, normalised as in `residual.ts`: a measure of the consistency of the frozen equations. */
  readonly residual: number
}

/**
 * Forces of the index set `basis` with slip directions `slip` (as in `ContactSolution`, of unit length where the contact is limited).
 *
 * @param rank prescribed rank of the system; determined with `PIVOT_ZERO` if absent
 * @param reference the result is nearest to these forces, instead of the origin (least norm). With the forces at the start of a step the result is
 * continuous, even where a contact at its cone cannot be slaved without releasing a row
 */
export function solveFrozen(
  problem: ContactProblem, basis: Uint8Array, slip: Float64Array, rank?: number, reference?: Float64Array,
): FrozenForces {
  const { size: n, A, b } = problem
  const s = rowScales(problem)
  const f = new Float64Array(n)
  const rows: number[] = []
  let bounded = false
  for (let i = 0; i < n; i++) {
    const place = basis[i]!
    if (place === BASIS_CLAMPED || place === BASIS_CONE) rows.push(i)
    else if (place === BASIS_LOWER || place === BASIS_UPPER) {
      f[i] = place === BASIS_LOWER ? problem.lower[i]! : problem.upper[i]!
      bounded ||= f[i] !== 0
    }
  }
  for (const { spin, at } of spinsOf(problem)) {
    if (spin.normal >= 0 || (basis[spin.rows[0]!] !== BASIS_LIMITED && basis[spin.rows[0]!] !== BASIS_CONE)) continue
    spin.rows.forEach((row, k) => { f[row] = -spin.limit * slip[at + k]! })
    bounded = true
  }
  const m = rows.length
  const rhs = new Float64Array(m)
  rows.forEach((i, r) => {
    rhs[r] = (b[i]! - (bounded ? dot(A, i * n, f, 0, n) : 0)) * s[i]!
  })
  const slaves = slavedForces(problem, basis, slip)
  let found: { x: Float64Array; rank: number }
  if (slaves.length === 0) {
    const from = reference && Float64Array.from(rows, i => reference[i]!)
    if (from) rows.forEach((i, r) => rows.forEach((j, k) => {
      rhs[r]! -= A[i * n + j]! * s[i]! * from[k]!
    }))
    found = symmetric(A, n, s, rows, rhs, rank)
    rows.forEach((i, k) => {
      f[i] = found.x[k]! + (from ? from[k]! : 0)
    })
  } else {
    const bound = new Set(slaves.flatMap(slave => slave.rows))
    const unknowns = [...rows.filter(i => !bound.has(i)).map(i => ({ rows: [i], values: [1] })), ...slaves]
    // The reference of a slaved contact is its normal force, the first of its rows; friction across the direction of a cone has none.
    const from = unknowns.map(unknown => reference && !('across' in unknown) ? reference[unknown.rows[0]!]! : 0)
    found = unsymmetric(A, n, s, rows, unknowns, rhs, from, rank)
    unknowns.forEach((unknown, k) => unknown.rows.forEach((i, p) => {
      f[i]! += unknown.values[p]! * (found.x[k]! + from[k]!)
    }))
  }
  const a = relativeAcceleration(problem, f)
  const scale = residualScale(b, f, s)
  let worst = 0
  for (const i of rows) worst = Math.max(worst, Math.abs(a[i]! * s[i]!))
  return { f, a, rank: found.rank, residual: scale > 0 ? worst / scale : 0 }
}

/** An unknown that changes several forces at once: f = Σ values · x. */
interface Unknown {
  readonly rows: readonly number[]
  readonly values: readonly number[]
  /** Changes a force at its bound perpendicular to its direction. */
  readonly across?: true
}

/**
 * The unknowns of contacts with slaved friction or spin. A limited contact has one, f_N (1, −μ ŝ, …). A contact at its cone also has friction perpendicular
 * to its direction: it leaves the cone only in second order, and the direction follows the load.
 */
function slavedForces(problem: ContactProblem, basis: Uint8Array, slip: Float64Array): Unknown[] {
  const slaves = new Map<number, { rows: number[]; values: number[] }>()
  const across: Unknown[] = []
  const slave = (normal: number, row: number, value: number): void => {
    const known = slaves.get(normal)
    if (known === undefined) slaves.set(normal, { rows: [normal, row], values: [1, value] })
    else {
      known.rows.push(row)
      known.values.push(value)
    }
  }
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    const place = basis[tangent1]!
    if (basis[normal] !== BASIS_CLAMPED || (place !== BASIS_LIMITED && place !== BASIS_CONE)) return
    const mu = place === BASIS_CONE ? stickingFriction(contact) : slippingFriction(contact, problem.level)
    const x = slip[2 * c]!
    const y = slip[2 * c + 1]!
    slave(normal, tangent1, -mu * x)
    slave(normal, tangent2, -mu * y)
    if (place === BASIS_CONE) across.push({ rows: [tangent1, tangent2], values: [-y, x], across: true })
  })
  for (const { spin: { normal, rows, limit }, at } of spinsOf(problem)) {
    const place = basis[rows[0]!]!
    if (place !== BASIS_LIMITED && place !== BASIS_CONE) continue
    const direction = rows.map((_, k) => slip[at + k]!)
    if (normal >= 0 && basis[normal] === BASIS_CLAMPED) rows.forEach((row, k) => slave(normal, row, -limit * direction[k]!))
    if (place === BASIS_CONE) across.push(...acrossDirection(direction).map((values): Unknown => ({ rows, values, across: true })))
  }
  return [...slaves.values(), ...across]
}

/** Unit vectors perpendicular to a unit vector of up to three components, and to each other. */
function acrossDirection(direction: readonly number[]): (readonly number[])[] {
  const [x = 0, y = 0, z = 0] = direction
  if (direction.length === 1) return []
  if (direction.length === 2) return [[-y, x]]
  const first = perpendicular([x, y, z])
  return [first, cross([x, y, z], first)]
}

/** min |f| with A_CC f = rhs, solved in equilibrated unknowns f = s f̂ with weights s. */
function symmetric(
  A: Float64Array, n: number, s: Float64Array, rows: readonly number[], rhs: Float64Array, rank: number | undefined,
): { x: Float64Array; rank: number } {
  const m = rows.length
  const C = new Float64Array(m * m)
  const weights = new Float64Array(m)
  let uniform = true
  for (let r = 0; r < m; r++) {
    const i = rows[r]!
    weights[r] = s[i]!
    uniform &&= weights[r] === weights[0]
    for (let k = 0; k < m; k++) C[r * m + k] = A[i * n + rows[k]!]! * s[i]! * s[rows[k]!]!
  }
  const found = semidefiniteLeastNorm(C, m, rhs, PIVOT_ZERO, rank, uniform ? undefined : weights)
  for (let r = 0; r < m; r++) found.x[r]! *= weights[r]!
  return found
}

/** The same with unsymmetric columns, one per unknown; |f|² includes slaved friction. The result is the change from `from`. */
function unsymmetric(
  A: Float64Array, n: number, s: Float64Array, rows: readonly number[], unknowns: readonly Unknown[], rhs: Float64Array,
  from: readonly number[], rank: number | undefined,
): { x: Float64Array; rank: number } {
  const m = rows.length
  const count = unknowns.length
  const M = new Float64Array(m * count)
  const weights = unknowns.map(({ values }) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)))
  for (let r = 0; r < m; r++) {
    const at = rows[r]! * n
    const share = s[rows[r]!]!
    for (let k = 0; k < count; k++) {
      const unknown = unknowns[k]!
      let sum = 0
      for (let p = 0; p < unknown.rows.length; p++) sum += A[at + unknown.rows[p]!]! * unknown.values[p]!
      M[r * count + k] = sum * share / weights[k]!
      if (from[k] !== 0) rhs[r]! -= sum * share * from[k]!
    }
  }
  const found = inRange(A, n, s, rows, M, count, rhs, rank) ?? leastNormSolve(transposed(M, m, count), m, count, rhs, PIVOT_ZERO, rank)
  for (let k = 0; k < count; k++) found.x[k]! /= weights[k]!
  return found
}

/** Solution from the factor of the rows alone; null if the range of the unknowns does not contain the range of the rows. */
function inRange(
  A: Float64Array, n: number, s: Float64Array, rows: readonly number[], M: Float64Array, count: number, rhs: Float64Array,
  rank: number | undefined,
): { x: Float64Array; rank: number } | null {
  const m = rows.length
  if (count < m) return null
  const C = new Float64Array(m * m)
  for (let r = 0; r < m; r++) {
    const i = rows[r]!
    for (let k = 0; k < m; k++) C[r * m + k] = A[i * n + rows[k]!]! * s[i]! * s[rows[k]!]!
  }
  return rangeLeastNorm(C, m, M, count, rhs, PIVOT_ZERO, rank)
}

function transposed(M: Float64Array, m: number, n: number): Float64Array {
  const T = new Float64Array(m * n)
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) T[j * m + i] = M[i * n + j]!
  return T
}

/**
 * Forces of a frozen index set: one linear solve, for the right-hand side of the equations of motion between two events.
 *
 *   clamped rows           a = 0
 *   free and idle rows     f = 0
 *   rows at a bound        f = lower or upper
 *   limited and cone rows  f_t = −μ f_N ŝ
 *
 * The system is consistent but commonly rank-deficient, and the forces returned are those of least norm. A least-norm solution is a smooth
 * function of A and b as long as the rank is constant, so the caller passes on the rank found at the start of the step: integrator stages
 * lie a little off the contact manifold, where redundant rows look independent by the square of that little, and a rank decided afresh
 * at every stage would jump. The order of pivots does not matter to the result.
 */

import { semidefiniteLeastNorm, dot } from '../math/factor'
import { leastNormSolve } from '../math/orthogonal'
import { PIVOT_ZERO } from '../math/tolerances'
import { BASIS_CLAMPED, BASIS_CONE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem } from './problem'
import { rowScales, slippingFriction, stickingFriction } from './scaling'
import { relativeAcceleration, residualScale } from './residual'

export interface FrozenForces {
  /** Multipliers, size. */
  readonly f: Float64Array
  /** A f − b, size. */
  readonly a: Float64Array
  /** Rank of the linear system. */
  readonly rank: number
  /** Largest |a| of a clamped row, normalised as in `residual.ts`: how consistent the frozen equations are. */
  readonly residual: number
}

/**
 * Forces of the index set `basis` with slip directions `slip` (2 per contact, of unit length where the contact is limited).
 *
 * @param rank rank to hold the system at; found from `PIVOT_ZERO` when absent
 */
export function solveFrozen(problem: ContactProblem, basis: Uint8Array, slip: Float64Array, rank?: number): FrozenForces {
  const { size: n, A, b } = problem
  const s = rowScales(problem)
  const f = new Float64Array(n)
  const rows: number[] = []
  const unknowns: number[] = []
  let bounded = false
  for (let i = 0; i < n; i++) {
    const place = basis[i]!
    if (place === BASIS_CLAMPED) {
      rows.push(i)
      unknowns.push(i)
    } else if (place === BASIS_CONE) rows.push(i)
    else if (place === BASIS_LOWER || place === BASIS_UPPER) {
      f[i] = place === BASIS_LOWER ? problem.lower[i]! : problem.upper[i]!
      bounded ||= f[i] !== 0
    }
  }
  const slaves = slavedContacts(problem, basis, slip)
  const m = rows.length
  const rhs = new Float64Array(m)
  rows.forEach((i, r) => {
    rhs[r] = (b[i]! - (bounded ? dot(A, i * n, f, 0, n) : 0)) * s[i]!
  })
  const found = slaves.size === 0
    ? symmetric(A, n, s, rows, rhs, rank)
    : slaved(A, n, s, rows, unknowns, slaves, rhs, rank)
  unknowns.forEach((i, k) => {
    f[i] = found.x[k]!
    const slave = slaves.get(i)
    if (slave) {
      f[slave.tangent1] = slave.x * f[i]!
      f[slave.tangent2] = slave.y * f[i]!
    }
  })
  const a = relativeAcceleration(problem, f)
  const scale = residualScale(b, f, s)
  let worst = 0
  for (const i of rows) worst = Math.max(worst, Math.abs(a[i]! * s[i]!))
  return { f, a, rank: found.rank, residual: scale > 0 ? worst / scale : 0 }
}

interface Slave {
  readonly tangent1: number
  readonly tangent2: number
  /** f_t = (x, y) f_N. */
  readonly x: number
  readonly y: number
}

/** Contacts whose friction is slaved to a clamped normal force, by their normal row. */
function slavedContacts(problem: ContactProblem, basis: Uint8Array, slip: Float64Array): Map<number, Slave> {
  const slaves = new Map<number, Slave>()
  problem.friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2 } = contact
    if (basis[normal] !== BASIS_CLAMPED) return
    const place = basis[tangent1]!
    if (place !== BASIS_LIMITED && place !== BASIS_CONE) return
    const mu = place === BASIS_CONE ? stickingFriction(contact) : slippingFriction(contact, problem.level)
    slaves.set(normal, { tangent1, tangent2, x: -mu * slip[2 * c]!, y: -mu * slip[2 * c + 1]! })
  })
  return slaves
}

/** min |f| with A_CC f = rhs, found in equilibrated unknowns f = s f̂, whose weights are therefore s. */
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

/** The same with unsymmetric columns A_N + x A_t1 + y A_t2 for slaved contacts; |f|² counts their friction too. */
function slaved(
  A: Float64Array, n: number, s: Float64Array, rows: readonly number[], unknowns: readonly number[], slaves: Map<number, Slave>,
  rhs: Float64Array, rank: number | undefined,
): { x: Float64Array; rank: number } {
  const m = rows.length
  const columns = new Float64Array(m * unknowns.length)
  const weights = new Float64Array(unknowns.length)
  unknowns.forEach((j, k) => {
    const slave = slaves.get(j)
    const weight = slave ? Math.sqrt(1 + slave.x * slave.x + slave.y * slave.y) : 1
    weights[k] = weight
    for (let r = 0; r < m; r++) {
      const at = rows[r]! * n
      let value = A[at + j]!
      if (slave) value += slave.x * A[at + slave.tangent1]! + slave.y * A[at + slave.tangent2]!
      columns[k * m + r] = value * s[rows[r]!]! / weight
    }
  })
  const found = leastNormSolve(columns, m, unknowns.length, rhs, PIVOT_ZERO, rank)
  for (let k = 0; k < unknowns.length; k++) found.x[k]! /= weights[k]!
  return found
}

/**
 * The three approximations of static friction of [Baraff92 §14.2], for comparison with the exact law. Each converts a problem with exact friction, row by
 * row, into one with rows that every solver supports (`lotstedtProblem`, `crawlProblem`, `decoupledProblem`), so its index sets can be frozen like others.
 * Results state their approximation and report two residuals: `ownResidual` of the approximate problem, which decides the status, and `residual` of the
 * exact Coulomb conditions.
 */

import { SOLVED_RESIDUAL } from '../math/tolerances'
import { unscale } from './cone'
import { dantzig } from './dantzig'
import { solveFrozen } from './frozen'
import { readIndexSet } from './index-set'
import { lemke } from './lemke'
import {
  BASIS_CLAMPED, BASIS_LIMITED, ROW_BOX, ROW_EQUALITY, ROW_SPIN, ROW_UNILATERAL, type ContactProblem, type ContactSolution, type SpinRows,
} from './problem'
import { qp } from './qp'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'
import { slipLength, spinsOf } from './spin'

export type StaticApproximation = 'lotstedt' | 'crawl' | 'sign-guess'

/** The index set is that of the approximate problem. */
export interface ApproximateSolution extends ContactSolution {
  readonly approximation: StaticApproximation
  /** Largest violation of the conditions of the approximation, normalised; `status` refers to these. */
  readonly ownResidual: number
}

/** Relative acceleration below which an axis sticks, × the largest of |b| and |f|. */
const STILL = 1e-8
const EMPTY = new Float64Array(0)

/**
 * Lötstedt's approximation [§14.2.1]: friction along each tangent axis is bounded by μ times the normal force of the *previous* step. This gives a convex QP
 * (eq. 14-10, with μ in both bounds). Dynamic friction is μ_d times the previous normal force, known in advance.
 *
 * @param previousNormals f_N of each contact at the previous step, N, in the order of `friction`
 */
export function lotstedtProblem(problem: ContactProblem, previousNormals: Float64Array): ContactProblem {
  const kind = problem.kind.slice()
  const lower = problem.lower.slice()
  const upper = problem.upper.slice()
  problem.friction.forEach(({ tangent1, tangent2, state, slip1, slip2, staticFriction, dynamicFriction }, c) => {
    const previous = Math.max(0, previousNormals[c]!)
    for (const [t, slip] of [[tangent1, slip1], [tangent2, slip2]] as const) {
      kind[t] = ROW_BOX
      lower[t] = state === 'sliding' ? -dynamicFriction * previous * slip : -staticFriction * previous
      upper[t] = state === 'sliding' ? lower[t]! : staticFriction * previous
    }
  })
  return { ...problem, kind, lower, upper, friction: [] }
}

/** Solves `lotstedtProblem` as a quadratic program, with the same parameters. */
export function lotstedt(problem: ContactProblem, previousNormals: Float64Array): ApproximateSolution {
  const posed = lotstedtProblem(problem, previousNormals)
  const found = qp.solve(posed)
  return { ...found, residual: residual(problem, found.f, found.a), approximation: 'lotstedt', ownResidual: found.residual }
}

/**
 * The crawl threshold [§14.2.2]: below the tangential speed ε friction grows linearly with the speed, f_t = −μ f_N v_t / ε (eq. 14-12). Static friction
 * becomes dynamic friction, and bodies at rest creep.
 *
 * @param velocities tangential velocity of each contact along its two tangents, m/s, 2 per contact
 * @param epsilon ε, m/s
 */
export function crawlProblem(problem: ContactProblem, velocities: Float64Array, epsilon: number): ContactProblem {
  return {
    ...problem,
    friction: problem.friction.map((contact, c) => {
      if (contact.state === 'sliding') return contact
      const v1 = velocities[2 * c]!
      const v2 = velocities[2 * c + 1]!
      const speed = Math.sqrt(v1 * v1 + v2 * v2)
      const mu = contact.dynamicFriction * Math.min(1, speed / epsilon)
      return {
        ...contact, state: 'sliding', staticFriction: mu, dynamicFriction: mu, slip1: speed > 0 ? v1 / speed : 1, slip2: speed > 0 ? v2 / speed : 0,
      }
    }),
  }
}

/** Solves `crawlProblem` by Dantzig's method, with the same parameters. */
export function crawl(problem: ContactProblem, velocities: Float64Array, epsilon: number): ApproximateSolution {
  const found = dantzig.solve(crawlProblem(problem, velocities, epsilon))
  return { ...found, residual: residual(problem, found.f, found.a), approximation: 'crawl', ownResidual: found.residual }
}

/**
 * Static friction with decoupled axes (eq. 14-14, 14-15, 14-17): each of the two is bounded by μ_s f_N separately. The cone becomes a pyramid, and each axis
 * is a friction of one row. These spins follow those of the problem, in the order of `friction`.
 */
export function decoupledProblem(problem: ContactProblem): ContactProblem {
  const kind = problem.kind.slice()
  const held = problem.friction.filter(contact => contact.state === 'static')
  const spin = held.flatMap(({ normal, tangent1, tangent2, staticFriction }) => [tangent1, tangent2].map((row): SpinRows => {
    kind[row] = ROW_SPIN
    return { normal, rows: [row], limit: staticFriction, state: 'static', slip: [0] }
  }))
  return { ...problem, kind, friction: problem.friction.filter(contact => contact.state === 'sliding'), spin: [...problem.spin ?? [], ...spin] }
}

/**
 * The sign-guessing QP [§14.2.3]. The axes are decoupled, and the Jacobi-like iteration of app. C guesses the signs of f_x and f_y. With the signs σ,
 * Lemke's algorithm solves the QP of eq. 14-14 … 14-19 in its complementary form:
 *
 *   0 ≤ f_N ⟂ a_N ≥ 0,   0 ≤ μ f_N − σ f ⟂ −σ a ≥ 0
 *
 * Signs that violate σ f ≥ 0 are reversed, in a limited number of rounds.
 */
export function signGuess(problem: ContactProblem, sweeps = 200, rounds = 20): ApproximateSolution {
  const scaled = scaleProblem(problem)
  const guess = staticFrictionIteration(scaled, sweeps)
  const signs = guess.map(value => value >= 0 ? 1 : -1)
  let pivots = sweeps
  let best: { f: Float64Array; own: number } = { f: guess, own: Infinity }
  for (let round = 0; round < rounds; round++) {
    const { M, q, forces } = signedProblem(scaled, signs)
    const found = lemke(M, q)
    pivots += found.pivots
    if (found.status !== 'solved') break
    const f = forces(found.z)
    const own = decoupledResidual(scaled, f)
    if (own < best.own) best = { f, own }
    let turned = false
    for (const contact of scaled.friction) {
      if (contact.state === 'sliding') continue
      for (const t of [contact.tangent1, contact.tangent2]) {
        if (f[t]! * signs[t]! >= -1e-12) continue
        signs[t] = -signs[t]!
        turned = true
      }
    }
    if (!turned) break
  }
  return decoupledSolution(problem, unscale(scaled, best.f), pivots)
}

/** The Jacobi-like iteration of [Baraff92 app. C] for static friction, equilibrated: f after `sweeps`. */
export function staticFrictionIteration(problem: ScaledProblem, sweeps: number): Float64Array {
  const { size: n, A, kind } = problem
  const f = new Float64Array(n)
  let relaxation = 1
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < n; j++) sum += Math.abs(A[i * n + j]!)
    relaxation = Math.max(relaxation, sum)
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const a = relativeAcceleration(problem, f)
    const before = f.slice()
    for (let i = 0; i < n; i++) {
      const value = before[i]! - a[i]! / relaxation
      if (kind[i] === ROW_UNILATERAL) f[i] = Math.max(0, value)
      else if (kind[i] === ROW_EQUALITY) f[i] = value
      else if (kind[i] === ROW_BOX) f[i] = Math.min(Math.max(value, problem.lower[i]!), problem.upper[i]!)
    }
    for (const contact of problem.friction) {
      const { normal, tangent1, tangent2, staticFriction, dynamicFriction, state, slip1, slip2 } = contact
      if (state === 'sliding') {
        f[tangent1] = -dynamicFriction * f[normal]! * slip1
        f[tangent2] = -dynamicFriction * f[normal]! * slip2
        continue
      }
      const bound = staticFriction * f[normal]!
      const x = before[tangent1]! - a[tangent1]! / relaxation
      const y = before[tangent2]! - a[tangent2]! / relaxation
      const size = Math.sqrt(x * x + y * y)
      const shrink = size > bound ? bound / size : 1
      f[tangent1] = x * shrink
      f[tangent2] = y * shrink
    }
  }
  return f
}

/** The LCP in (f_N, g = μ f_N − σ f) of each static contact; equalities as two opposed unilateral rows each. */
function signedProblem(
  problem: ScaledProblem, signs: Float64Array,
): { M: Float64Array; q: Float64Array; forces: (z: Float64Array) => Float64Array } {
  const { size: n, A, b, kind } = problem
  const enters: [number, number][][] = []
  const watches: [number, number][] = []
  const frictional = new Map(problem.friction.map(contact => [contact.normal, contact]))
  for (let i = 0; i < n; i++) {
    if (kind[i] === ROW_EQUALITY || kind[i] === ROW_BOX) {
      enters.push([[i, 1]], [[i, -1]])
      watches.push([i, 1], [i, -1])
    } else if (kind[i] === ROW_UNILATERAL) {
      const contact = frictional.get(i)
      if (!contact) enters.push([[i, 1]])
      else if (contact.state === 'sliding') {
        const mu = contact.dynamicFriction
        enters.push([[i, 1], [contact.tangent1, -mu * contact.slip1], [contact.tangent2, -mu * contact.slip2]])
      } else {
        const mu = contact.staticFriction
        const t = [contact.tangent1, contact.tangent2]
        enters.push([[i, 1], ...t.map(row => [row, mu * signs[row]!] as [number, number])])
        enters.push(...t.map(row => [[row, -signs[row]!] as [number, number]]))
        watches.push([i, 1], ...t.map(row => [row, -signs[row]!] as [number, number]))
        continue
      }
      watches.push([i, 1])
    }
  }
  const size = enters.length
  const M = new Float64Array(size * size)
  const q = new Float64Array(size)
  watches.forEach(([row, factor], i) => {
    q[i] = -factor * b[row]!
    enters.forEach((column, j) => {
      for (const [at, weight] of column) M[i * size + j]! += factor * weight * A[row * n + at]!
    })
  })
  const forces = (z: Float64Array): Float64Array => {
    const f = new Float64Array(n)
    enters.forEach((column, j) => {
      for (const [at, weight] of column) f[at]! += weight * z[j]!
    })
    return f
  }
  return { M, q, forces }
}

/** Violation of the decoupled conditions: |f| ≤ μ f_N for each tangent separately. */
function decoupledResidual(problem: ScaledProblem, f: Float64Array): number {
  const a = relativeAcceleration(problem, f)
  let worst = 0
  let scale = 0
  for (let i = 0; i < problem.size; i++) {
    scale = Math.max(scale, Math.abs(problem.b[i]!), Math.abs(f[i]!))
    if (problem.kind[i] === ROW_UNILATERAL) worst = Math.max(worst, Math.abs(Math.min(f[i]!, a[i]!)))
    else if (problem.kind[i] === ROW_EQUALITY) worst = Math.max(worst, Math.abs(a[i]!))
    else if (problem.kind[i] === ROW_BOX) {
      worst = Math.max(worst, Math.abs(f[i]! - Math.min(Math.max(f[i]! - a[i]!, problem.lower[i]!), problem.upper[i]!)))
    }
  }
  for (const contact of problem.friction) {
    if (contact.state === 'sliding') continue
    const bound = contact.staticFriction * Math.max(0, f[contact.normal]!)
    for (const t of [contact.tangent1, contact.tangent2]) {
      worst = Math.max(worst, Math.abs(f[t]! - Math.min(Math.max(f[t]! - a[t]!, -bound), bound)))
    }
  }
  return scale > 0 ? worst / scale : 0
}

/** Forces as a solution of the decoupled problem; the forces of their index set are used if these are better. */
function decoupledSolution(problem: ContactProblem, given: Float64Array, pivots: number): ApproximateSolution {
  const posed = decoupledProblem(problem)
  const rates = relativeAcceleration(posed, given)
  const { basis, slip } = indexSetOf(posed, given, rates)
  const exact = solveFrozen(posed, basis, slip)
  const [before, after] = [residual(posed, given, rates), residual(posed, exact.f, exact.a)]
  const [f, a, ownResidual] = after < before ? [exact.f, exact.a, after] : [given, rates, before]
  return {
    f, a, status: ownResidual <= SOLVED_RESIDUAL ? 'solved' : 'limit', pivots, residual: residual(problem, f, a), basis, slip,
    ray: EMPTY, history: EMPTY, basisHit: false, approximation: 'sign-guess', ownResidual,
  }
}

function indexSetOf(posed: ContactProblem, forces: Float64Array, rates: Float64Array): { basis: Uint8Array; slip: Float64Array } {
  const scaled = scaleProblem(posed)
  const f = forces.map((value, i) => value / scaled.scale[i]!)
  const a = rates.map((value, i) => value * scaled.scale[i]!)
  const set = readIndexSet(scaled, f, a, STILL)
  const slip = new Float64Array(slipLength(posed))
  slip.set(set.slip)
  const still = STILL * [...f, ...scaled.b].reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (const { spin: { normal, rows }, at } of spinsOf(posed)) {
    if (normal >= 0 && set.basis[normal] !== BASIS_CLAMPED) continue
    rows.forEach((row, k) => {
      const slips = Math.abs(a[row]!) > still
      set.basis[row] = slips ? BASIS_LIMITED : BASIS_CLAMPED
      if (slips) slip[at + k] = a[row]! > 0 ? 1 : -1
    })
  }
  return { basis: set.basis, slip }
}

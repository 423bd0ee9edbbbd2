/**
 * Semismooth Newton method on the natural map of a whole problem, including spins and exact cones (Alart and Curnier 1991), from given forces or from the
 * result of projected Gauss–Seidel sweeps:
 *
 *   Φ = f − P(f − a),   P onto the half-line, interval or disc of each row, with disc radii that depend on the normal force
 *
 * in equilibrated units. Each step solves the linear system of the active pieces of P for the least-norm correction, because the system is often
 * rank-deficient. A line search prevents growth of |Φ|.
 */

import { dot } from '../math/factor'
import { leastNormSolve } from '../math/orthogonal'
import { PIVOT_ZERO } from '../math/tolerances'
import { frictionOf } from './coefficients'
import { ROW_BOX, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type ContactProblem } from './problem'
import { relativeAcceleration, residual } from './residual'
import { scaleProblem, type ScaledProblem } from './scaling'
import { sizeOf } from './spin'

/** Numbers of sweeps after which Newton's method is tried from their result. */
const NEWTON_TRIALS = [0, 20, 100, 400, 1500, 5000]
const MAX_STEPS = 40
const MAX_HALVINGS = 10
/** Newton steps without progress after which sweeps continue. */
const PATIENCE = 6

/** Rows with a common bound: |f| ≤ μ f_N, |f| ≤ radius, or f = −μ f_N ŝ where the direction is given. */
interface Disc {
  readonly rows: readonly number[]
  /** −1: `mu` is the radius. */
  readonly normal: number
  readonly mu: number
  readonly slip: readonly number[] | null
}

/**
 * Forces that solve a problem with one coefficient per contact, or the best found, from `start` (default: zero).
 *
 * @param trials numbers of sweeps after which Newton's method is tried
 */
export function solveSemismooth(
  problem: ContactProblem, tolerance: number, start?: Float64Array, trials: readonly number[] = NEWTON_TRIALS,
): { f: Float64Array; residual: number; iterations: number } {
  const map = new NaturalMap(problem)
  let swept = 0
  let best = { f: new Float64Array(problem.size), residual: Infinity, iterations: 0 }
  const f = new Float64Array(problem.size)
  start?.forEach((value, i) => { f[i] = value / map.scaled.scale[i]! })
  for (const look of trials) {
    for (; swept < look; swept++) map.sweep(f)
    const found = map.newton(f)
    const forces = found.map((value, i) => value * map.scaled.scale[i]!)
    const worst = residual(problem, forces)
    if (worst < best.residual) best = { f: forces, residual: worst, iterations: swept }
    if (best.residual <= tolerance) break
  }
  return best
}

class NaturalMap {
  readonly scaled: ScaledProblem
  private readonly discs: readonly Disc[]

  constructor(problem: ContactProblem) {
    const scaled = this.scaled = scaleProblem(problem)
    const friction = frictionOf(problem)
    const { scale } = scaled
    this.discs = [
      ...problem.friction.map(({ normal, tangent1, tangent2, state, slip1, slip2 }, c): Disc =>
        ({ normal, rows: [tangent1, tangent2], mu: friction[c]!, slip: state === 'sliding' ? [slip1, slip2] : null })),
      ...(problem.spin ?? []).map(({ normal, rows, limit, state, slip }): Disc =>
        ({ normal, rows, mu: limit * (normal < 0 ? 1 : scale[normal]!) / scale[rows[0]!]!, slip: state === 'sliding' ? slip : null })),
    ]
  }

  /** One projected Gauss–Seidel sweep, in place. */
  sweep(f: Float64Array): void {
    const { size: n, A, b, kind } = this.scaled
    const rate = (i: number): number => dot(A, i * n, f, 0, n) - b[i]!
    for (let i = 0; i < n; i++) {
      if (kind[i] !== ROW_FRICTION && kind[i] !== ROW_SPIN) f[i] = this.bounded(i, f[i]! - rate(i) / positive(A[i * n + i]!))
    }
    for (const disc of this.discs) {
      const radius = this.radius(disc, f)
      const step = disc.rows.reduce((most, i) => Math.max(most, disc.rows.reduce((sum, j) => sum + Math.abs(A[i * n + j]!), 0)), 0)
      const aim = disc.rows.map((row, k) => disc.slip === null ? f[row]! - rate(row) / positive(step) : -disc.slip[k]! * radius)
      const shrink = disc.slip === null ? Math.min(1, radius / Math.max(sizeOf(aim), Number.MIN_VALUE)) : 1
      disc.rows.forEach((row, k) => { f[row] = shrink * aim[k]! })
    }
  }

  private radius({ normal, mu }: Disc, f: Float64Array): number {
    return mu * (normal < 0 ? 1 : Math.max(0, f[normal]!))
  }

  private bounded(i: number, value: number): number {
    const { kind, lower, upper } = this.scaled
    if (kind[i] === ROW_UNILATERAL) return Math.max(0, value)
    return kind[i] === ROW_BOX ? Math.min(Math.max(value, lower[i]!), upper[i]!) : value
  }

  newton(start: Float64Array): Float64Array {
    const { size: n } = this.scaled
    let f = start.slice()
    let phi = this.evaluate(f)
    let size = sizeOf(phi)
    let best = f
    let bestSize = size
    let waited = 0
    for (let step = 0; step < MAX_STEPS && size > 0 && waited < PATIENCE; step++) {
      const { x } = leastNormSolve(this.jacobian(f), n, n, phi.map(value => -value), PIVOT_ZERO)
      let part = 1
      for (let halving = 0; ; halving++, part /= 2) {
        const trial = f.map((value, i) => value + part * x[i]!)
        const tried = this.evaluate(trial)
        const next = sizeOf(tried)
        if (!(next < (1 - 1e-4 * part) * size) && halving < MAX_HALVINGS) continue
        f = trial
        phi = tried
        size = next
        break
      }
      waited = size < 0.9 * bestSize ? 0 : waited + 1
      if (size < bestSize) {
        best = f
        bestSize = size
      }
    }
    return best
  }

  private evaluate(f: Float64Array): Float64Array {
    const { size: n, kind } = this.scaled
    const a = relativeAcceleration(this.scaled, f)
    const phi = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      if (kind[i] !== ROW_FRICTION && kind[i] !== ROW_SPIN) phi[i] = f[i]! - this.bounded(i, f[i]! - a[i]!)
    }
    for (const disc of this.discs) {
      const radius = this.radius(disc, f)
      const aim = disc.rows.map((row, k) => disc.slip === null ? f[row]! - a[row]! : -disc.slip[k]! * radius)
      const reach = sizeOf(aim)
      const shrink = disc.slip === null && reach > radius ? radius / reach : 1
      disc.rows.forEach((row, k) => { phi[row] = f[row]! - shrink * aim[k]! })
    }
    return phi
  }

  /** Column-major, as `leastNormSolve` requires. */
  private jacobian(f: Float64Array): Float64Array {
    const { size: n, A, kind, lower, upper } = this.scaled
    const a = relativeAcceleration(this.scaled, f)
    const J = new Float64Array(n * n)
    const rate = (i: number, row = i, weight = 1): void => { for (let j = 0; j < n; j++) J[j * n + i]! += weight * A[row * n + j]! }
    const own = (i: number, j = i, weight = 1): void => { J[j * n + i]! += weight }
    for (let i = 0; i < n; i++) {
      if (kind[i] === ROW_FRICTION || kind[i] === ROW_SPIN) continue
      const aim = f[i]! - a[i]!
      const inside = kind[i] === ROW_UNILATERAL ? aim > 0 : kind[i] !== ROW_BOX || (aim > lower[i]! && aim < upper[i]!)
      if (inside) rate(i)
      else own(i)
    }
    for (const disc of this.discs) {
      const radius = this.radius(disc, f)
      const aim = disc.rows.map((row, k) => disc.slip === null ? f[row]! - a[row]! : -disc.slip[k]!)
      const reach = sizeOf(aim)
      if (disc.slip === null && reach <= radius && radius > 0) {
        for (const row of disc.rows) rate(row)
        continue
      }
      const follows = disc.normal >= 0 && f[disc.normal]! > 0
      disc.rows.forEach((row, k) => {
        own(row)
        if (reach === 0) return
        if (follows) own(row, disc.normal, -disc.mu * aim[k]! / reach)
        if (disc.slip !== null || radius === 0) return
        disc.rows.forEach((other, l) => {
          const across = radius / reach * ((k === l ? 1 : 0) - aim[k]! * aim[l]! / (reach * reach))
          own(row, other, -across)
          rate(row, other, across)
        })
      })
    }
    return J
  }
}

function positive(x: number): number {
  return x > 0 ? x : 1
}

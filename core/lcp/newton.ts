/**
 * Newton's method on a given index set with the exact circular cone. The unknowns are the forces of the clamped rows and all three forces of each slipping
 * static contact. The equations are
 *
 *   a = 0                          clamped rows
 *   f_t + μ f_N a_t / |a_t| = 0    slipping static contacts, maximum dissipation
 *   |f_t| = μ f_N                  contacts at their cones that other contacts hold
 *
 * Friction of a sliding contact is slaved to its normal force. The equations do not depend on the tangent axes, so neither does the solution. Each step is
 * the least-norm correction, because the system is often rank-deficient.
 */

import { dot } from '../math/factor'
import { leastNormSolve } from '../math/orthogonal'
import { PIVOT_ZERO } from '../math/tolerances'
import { BASIS_CLAMPED, BASIS_CONE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER } from './problem'
import { slippingFriction, type ScaledProblem } from './scaling'

export interface NewtonResult {
  readonly f: Float64Array
  readonly a: Float64Array
  /** Largest equation error ÷ the largest of |b| and |f|. */
  readonly error: number
  /** Number of decompositions. */
  readonly steps: number
}

interface SlipRows {
  readonly normal: number
  readonly tangent1: number
  readonly tangent2: number
  readonly mu: number
  /** Slip direction to assume if a_t is too small to define one. */
  readonly slip1: number
  readonly slip2: number
}

const MAX_STEPS = 25
const MAX_HALVINGS = 12
/**
 * Steps in succession that leave more than half of the error, after which a set of more than `LARGE` unknowns is given up: near the forces of the right set
 * each step squares the error. In a spiral of dominoes and a struck wall 97 % of the sets that were solved needed no more, and sets that were not solved took
 * half of the whole time of the spiral.
 */
const SLOW_STEPS = 2
const LARGE = 60
/** Correction at which Newton's method has reached rounding, × scale. */
const CONVERGED = 1e-15

/** Solves the index set from `start` (equilibrated). Does not change `basis` or `slip`. */
export function newtonOnIndexSet(problem: ScaledProblem, basis: Uint8Array, slip: Float64Array, start: Float64Array): NewtonResult {
  const { size: n, A, b } = problem
  const f = start.slice()
  const clamped: number[] = []
  for (let i = 0; i < n; i++) {
    const place = basis[i]!
    if (place === BASIS_CLAMPED || place === BASIS_CONE) clamped.push(i)
    else if (place === BASIS_LOWER) f[i] = problem.lower[i]!
    else if (place === BASIS_UPPER) f[i] = problem.upper[i]!
    else if (place !== BASIS_LIMITED) f[i] = 0
  }
  const slipping: SlipRows[] = []
  const slaveOf = new Map<number, SlipRows>()
  problem.friction.forEach((contact, c) => {
    if (basis[contact.tangent1] !== BASIS_LIMITED) return
    const mu = slippingFriction(contact, problem.level)
    const { normal, tangent1, tangent2 } = contact
    if (contact.state === 'sliding') {
      slaveOf.set(normal, { normal, tangent1, tangent2, mu, slip1: contact.slip1, slip2: contact.slip2 })
    } else slipping.push({ normal, tangent1, tangent2, mu, slip1: slip[2 * c]!, slip2: slip[2 * c + 1]! })
  })
  for (const slave of slaveOf.values()) {
    f[slave.tangent1] = -slave.mu * f[slave.normal]! * slave.slip1
    f[slave.tangent2] = -slave.mu * f[slave.normal]! * slave.slip2
  }
  const cones = problem.friction.filter(contact => basis[contact.tangent1] === BASIS_CONE)
  const unknowns = clamped.slice()
  for (const { tangent1, tangent2 } of slipping) unknowns.push(tangent1, tangent2)

  const m = unknowns.length
  const rows = m + cones.length
  const a = new Float64Array(n)
  const F = new Float64Array(rows)
  const trial = new Float64Array(n)
  let scale = 0
  const evaluate = (forces: Float64Array): number => {
    for (let i = 0; i < n; i++) a[i] = dot(A, i * n, forces, 0, n) - b[i]!
    scale = 0
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(b[i]!), Math.abs(forces[i]!))
    let worst = 0
    for (let k = 0; k < clamped.length; k++) F[k] = a[clamped[k]!]!
    slipping.forEach((contact, c) => {
      const { normal, tangent1, tangent2, mu } = contact
      const [d1, d2] = direction(contact, a, scale)
      F[clamped.length + 2 * c] = forces[tangent1]! + mu * forces[normal]! * d1
      F[clamped.length + 2 * c + 1] = forces[tangent2]! + mu * forces[normal]! * d2
    })
    cones.forEach(({ normal, tangent1, tangent2, staticFriction }, c) => {
      F[m + c] = length(forces[tangent1]!, forces[tangent2]!) - staticFriction * forces[normal]!
    })
    for (let k = 0; k < rows; k++) worst = Math.max(worst, Math.abs(F[k]!))
    return worst
  }

  let error = evaluate(f)
  let slow = 0
  let steps = 0
  while (steps < MAX_STEPS && m > 0 && error > CONVERGED * scale && (slow < SLOW_STEPS || m <= LARGE)) {
    steps++
    const columns = new Float64Array(rows * m)
    unknowns.forEach((j, k) => {
      const slave = slaveOf.get(j)
      const column = (i: number): number => {
        const at = i * n
        return slave
          ? A[at + j]! - slave.mu * (slave.slip1 * A[at + slave.tangent1]! + slave.slip2 * A[at + slave.tangent2]!)
          : A[at + j]!
      }
      for (let r = 0; r < clamped.length; r++) columns[k * rows + r] = column(clamped[r]!)
      slipping.forEach((contact, c) => {
        const { normal, tangent1, tangent2, mu } = contact
        const [d1, d2] = direction(contact, a, scale)
        const size = length(a[tangent1]!, a[tangent2]!)
        let g1 = j === tangent1 ? 1 : j === normal ? mu * d1 : 0
        let g2 = j === tangent2 ? 1 : j === normal ? mu * d2 : 0
        if (size > DIRECTIONLESS * scale) {
          const t = mu * Math.max(f[normal]!, 0) / size * (d1 * column(tangent2) - d2 * column(tangent1))
          g1 -= t * d2
          g2 += t * d1
        }
        columns[k * rows + clamped.length + 2 * c] = g1
        columns[k * rows + clamped.length + 2 * c + 1] = g2
      })
      cones.forEach(({ normal, tangent1, tangent2, staticFriction }, c) => {
        const size = length(f[tangent1]!, f[tangent2]!)
        if (j === normal) columns[k * rows + m + c] = -staticFriction
        else if (size > 0 && (j === tangent1 || j === tangent2)) columns[k * rows + m + c] = f[j]! / size
      })
    })
    const rhs = F.map(value => -value)
    const { x } = leastNormSolve(columns, rows, m, rhs, PIVOT_ZERO)
    let part = 1
    let best = Infinity
    for (let halving = 0; halving <= MAX_HALVINGS; halving++, part /= 2) {
      trial.set(f)
      for (let k = 0; k < m; k++) trial[unknowns[k]!]! += part * x[k]!
      for (const slave of slaveOf.values()) {
        trial[slave.tangent1] = -slave.mu * trial[slave.normal]! * slave.slip1
        trial[slave.tangent2] = -slave.mu * trial[slave.normal]! * slave.slip2
      }
      best = evaluate(trial)
      if (best < error) break
    }
    if (!(best < error)) break
    f.set(trial)
    slow = best > error / 2 ? slow + 1 : 0
    error = best
  }
  error = evaluate(f)
  return { f, a, error: scale > 0 ? error / scale : error, steps }
}

/** |a_t| below which its direction is undefined, × scale. */
const DIRECTIONLESS = 1e-13

function direction(contact: SlipRows, a: Float64Array, scale: number): [number, number] {
  const x = a[contact.tangent1]!
  const y = a[contact.tangent2]!
  const size = length(x, y)
  return size > DIRECTIONLESS * scale ? [x / size, y / size] : [contact.slip1, contact.slip2]
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

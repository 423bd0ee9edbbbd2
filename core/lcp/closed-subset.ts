/**
 * A problem with sliding contacts, each taken as closed (a_N = 0) or separated (f_N = 0): one of the 2ᵏ cases of [Baraff92 ch. 10–11]. The remaining problem
 * has no undecided sliding contact.
 */

import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, ROW_EQUALITY, type ContactProblem, type ContactSolution, type FrictionRows,
} from './problem'
import { relativeAcceleration, residual } from './residual'
import { slipLength, spinsOf } from './spin'

/**
 * Solutions with each subset of the sliding contacts closed, the empty subset first, where `solve` finds them. A generator: subsets after an early exit are
 * not solved.
 *
 * @param solve receives problems in which no sliding contact can separate
 */
export function* bySubsets(
  problem: ContactProblem, tolerance: number, solve: (reduced: ContactProblem) => ContactSolution,
): Generator<ContactSolution, void> {
  const sliding = slidingContacts(problem)
  for (let subset = 0; subset < 1 << sliding.length; subset++) {
    const closed = new Set(sliding.filter((_, k) => (subset >> k) & 1).map(contact => contact.normal))
    const found = closeSubset(problem, closed, tolerance, solve)
    if (found) yield found
  }
}

/** Sliding contacts that may be closed or separated. */
export function slidingContacts({ friction, kind }: ContactProblem): FrictionRows[] {
  return friction.filter(contact => contact.state === 'sliding' && kind[contact.normal] !== ROW_EQUALITY)
}

/** The solution with the given sliding contacts (by normal row) closed and the others separated, if `solve` finds a valid one. */
function closeSubset(
  problem: ContactProblem, closed: ReadonlySet<number>, tolerance: number, solve: (reduced: ContactProblem) => ContactSolution,
): ContactSolution | undefined {
  const n = problem.size
  const removed = new Uint8Array(n)
  const kind = problem.kind.slice()
  for (const contact of problem.friction) {
    if (contact.state !== 'sliding') continue
    if (closed.has(contact.normal)) kind[contact.normal] = ROW_EQUALITY
    else removed[contact.normal] = removed[contact.tangent1] = removed[contact.tangent2] = 1
  }
  for (const { normal, rows: own } of problem.spin ?? []) if (normal >= 0 && removed[normal] === 1) for (const row of own) removed[row] = 1
  const rows = [...kind.keys()].filter(i => removed[i] === 0)
  const index = new Int32Array(n).fill(-1)
  rows.forEach((row, k) => {
    index[row] = k
  })
  const m = rows.length
  const A = new Float64Array(m * m)
  rows.forEach((i, r) => rows.forEach((j, s) => {
    A[r * m + s] = problem.A[i * n + j]!
  }))
  const pick = (x: Float64Array): Float64Array => Float64Array.from(rows, i => x[i]!)
  const kept = problem.friction.filter(contact => removed[contact.normal] === 0)
  const spins = spinsOf(problem).filter(({ spin }) => spin.normal < 0 || removed[spin.normal] === 0)
  const reduced = solve({
    size: m, A, b: pick(problem.b), kind: Uint8Array.from(rows, i => kind[i]!), lower: pick(problem.lower), upper: pick(problem.upper),
    friction: kept.map(contact => ({
      ...contact, normal: index[contact.normal]!, tangent1: index[contact.tangent1]!, tangent2: index[contact.tangent2]!,
    })),
    spin: spins.map(({ spin }) => ({ ...spin, normal: spin.normal < 0 ? -1 : index[spin.normal]!, rows: spin.rows.map(row => index[row]!) })),
    level: problem.level, ...problem.interrupt === undefined ? {} : { interrupt: problem.interrupt },
  })
  if (reduced.status !== 'solved') return undefined
  const f = new Float64Array(n)
  const basis = new Uint8Array(n).fill(BASIS_FREE)
  rows.forEach((row, k) => {
    f[row] = reduced.f[k]!
    basis[row] = reduced.basis[k]!
  })
  const slip = new Float64Array(slipLength(problem))
  let from = 2 * kept.length
  for (const { spin, at } of spins) slip.set(reduced.slip.subarray(from, from += spin.rows.length), at)
  problem.friction.forEach((contact, c) => {
    if (contact.state === 'sliding' && !closed.has(contact.normal)) return
    if (contact.state === 'sliding') {
      slip[2 * c] = contact.slip1
      slip[2 * c + 1] = contact.slip2
      basis[contact.normal] = BASIS_CLAMPED
      basis[contact.tangent1] = basis[contact.tangent2] = BASIS_LIMITED
    } else {
      const at = 2 * kept.indexOf(contact)
      slip[2 * c] = reduced.slip[at]!
      slip[2 * c + 1] = reduced.slip[at + 1]!
    }
  })
  const a = relativeAcceleration(problem, f)
  const worst = residual(problem, f, a)
  return worst <= tolerance ? { ...reduced, f, a, basis, slip, residual: worst, basisHit: false } : undefined
}

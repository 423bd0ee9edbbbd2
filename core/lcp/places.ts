/** The state of each row (index set) of forces projected onto the admissible set. */

import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_FREE, BASIS_IDLE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem,
} from './problem'
import { coupledNormal, type CoupledForces, type ForceSet } from './projection'
import { sizeOf, slipLength, spinsOf } from './spin'

/** The index set of the projection of z onto the sets. */
export function placesIn(
  problem: Pick<ContactProblem, 'size' | 'friction' | 'spin'>, sets: readonly ForceSet[], z: Float64Array,
): { basis: Uint8Array; slip: Float64Array } {
  const basis = new Uint8Array(problem.size).fill(BASIS_FREE)
  const slip = new Float64Array(slipLength(problem))
  const spins = spinsOf(problem)
  for (const set of sets) place(set, z, basis, slip, spins)
  return { basis, slip }
}

function place(set: ForceSet, z: Float64Array, basis: Uint8Array, slip: Float64Array, spins: ReturnType<typeof spinsOf>): void {
  if (set.kind === 'free') basis[set.row] = BASIS_CLAMPED
  else if (set.kind === 'interval' && set.bound) basis[set.row] = set.bound === 'lower' ? BASIS_LOWER : BASIS_UPPER
  else if (set.kind === 'interval') {
    const value = z[set.row]!
    const unilateral = set.lower === 0 && set.upper === Infinity
    basis[set.row] = value <= set.lower ? (unilateral ? BASIS_IDLE : BASIS_LOWER) : value >= set.upper ? BASIS_UPPER : BASIS_CLAMPED
  } else if (set.kind === 'fixed') {
    mark(set.rows, BASIS_LIMITED, against(set.values), basis, slip, spins[set.spin]!.at)
  } else if (set.kind === 'ball') {
    const torque = set.rows.map(row => z[row]!)
    const rests = sizeOf(torque) <= set.radius
    mark(set.rows, rests ? BASIS_CLAMPED : BASIS_CONE, rests ? [] : against(torque), basis, slip, spins[set.spin]!.at)
  } else placeCoupled(set, z, basis, slip, spins)
}

function placeCoupled(set: CoupledForces, z: Float64Array, basis: Uint8Array, slip: Float64Array, spins: ReturnType<typeof spinsOf>): void {
  const { fn, active } = coupledNormal(set, z)
  if (fn < 0 || (fn === 0 && (set.slaved.length > 0 || active.includes(true)))) {
    basis[set.normal] = BASIS_IDLE
    return
  }
  basis[set.normal] = BASIS_CLAMPED
  // In the order of insertion: friction first.
  let slaved = 0
  let disc = 0
  const next = (slides: boolean, count: number, at: number): void => {
    if (slides) {
      const rows = set.slaved.slice(slaved, slaved += count)
      mark(rows.map(({ row }) => row), BASIS_LIMITED, against(rows.map(({ x }) => x)), basis, slip, at)
      return
    }
    const { rows } = set.discs[disc]!
    const limited = active[disc++]!
    mark(rows, limited ? BASIS_CONE : BASIS_CLAMPED, limited ? against(rows.map(row => z[row]!)) : [], basis, slip, at)
  }
  if (set.contact >= 0) next(set.slides, 2, 2 * set.contact)
  for (const { spin, slides } of set.spins) next(slides, spins[spin]!.spin.rows.length, spins[spin]!.at)
}

function mark(rows: readonly number[], where: number, direction: readonly number[], basis: Uint8Array, slip: Float64Array, at: number): void {
  for (const row of rows) basis[row] = where
  slip.set(direction, at)
}

/** The unit vector opposite to x; zero for zero. */
function against(x: readonly number[]): number[] {
  const size = sizeOf(x)
  return x.map(value => size > 0 ? -value / size : 0)
}

/** Access to the rows of `SpinRows` in a solution: positions of their slip directions, and their bounds. */

import type { ContactProblem, SpinRows } from './problem'

type Spinning = Pick<ContactProblem, 'friction' | 'spin'>

/** Length of `slip` in a solution: two per contact, then one per spin row. */
export function slipLength({ friction, spin = [] }: Spinning): number {
  return spin.reduce((sum, { rows }) => sum + rows.length, 2 * friction.length)
}

/** Each spin with the index of its first component in `slip`. */
export function spinsOf({ friction, spin = [] }: Spinning): { readonly spin: SpinRows; readonly at: number }[] {
  let at = 2 * friction.length
  return spin.map(rows => {
    const found = { spin: rows, at }
    at += rows.rows.length
    return found
  })
}

/** N m: the largest torque of a spin under the forces f. */
export function spinBound({ normal, limit }: SpinRows, f: Float64Array): number {
  return limit * (normal < 0 ? 1 : Math.max(f[normal]!, 0))
}

/** √Σ x². */
export function sizeOf(x: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i]! * x[i]!
  return Math.sqrt(sum)
}

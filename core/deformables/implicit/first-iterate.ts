/**
 * The first iterate of a stage with contacts: the free motion, from which fewer contacts have to be found than from the start of the stage. It is halved as
 * long as that lowers the potential. Where many contacts close in a step, the end of the free motion is deep inside all of them, with forces hundreds of times
 * those of the solution: the first renewal would store them as multipliers, and the rest of the step would remove them. From a halved motion 289 vertices on a
 * ball take 28 iterations a step instead of 39, and 625 vertices 50 instead of 84.
 */

import type { StageContacts } from '../contact/stage-contacts'
import type { StageProblem, StageStart } from './stage-problem'

/** Most halvings: less than a thousandth of the motion is left. */
const HALVINGS = 10

export class FirstIterate {
  /** Motion to the end of the free motion, and the velocity without any. */
  private readonly d: Float64Array
  private readonly still: Float64Array
  private readonly kept: Float64Array

  constructor(private readonly held: Uint8Array) {
    this.d = new Float64Array(3 * held.length)
    this.still = this.d.slice()
    this.kept = this.d.slice()
  }

  /** Moves free particles at X with their old velocity, as far as contacts allow, and writes V. */
  move(a: number, { positions, velocities, guess = velocities }: StageStart, X: Float64Array, V: Float64Array, links: StageContacts | null): void {
    const { held, d, still } = this
    const count = d.length
    for (let k = 0; k < count; k++) {
      if (held[Math.floor(k / 3)]) continue
      still[k] = (X[k]! - positions[k]!) / a
      d[k] = positions[k]! + a * guess[k]! - X[k]!
    }
    if (links && links.links.count > 0) {
      const share = links.limit(X, d)
      for (let k = 0; k < count; k++) X[k]! += share * d[k]!
    }
    for (let k = 0; k < count; k++) if (!held[Math.floor(k / 3)]) V[k] = (X[k]! - positions[k]!) / a
  }

  /** Halves the motion, if there are contacts. @returns the largest residual at the result, N */
  shorten(problem: StageProblem, t: number, a: number, start: StageStart, X: Float64Array, V: Float64Array, links: StageContacts | null): number {
    const { held, still, kept } = this
    let largest = problem.residual(t, a, start, X, V, links)
    if (!links || links.links.count === 0) return largest
    for (let round = 0; round < HALVINGS; round++) {
      const before = problem.sums.potential
      kept.set(V)
      for (let k = 0; k < kept.length; k++) if (!held[Math.floor(k / 3)]) V[k] = 0.5 * (V[k]! + still[k]!)
      largest = problem.residual(t, a, start, X, V, links)
      if (problem.sums.potential < before) continue
      V.set(kept)
      return problem.residual(t, a, start, X, V, links)
    }
    return largest
  }
}

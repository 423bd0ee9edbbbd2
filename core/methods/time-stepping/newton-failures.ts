/**
 * Counts the failures of Newton's method for bodies of resting piles, to avoid repeated attempts. It solves walls and pyramids quickly, but rarely a
 * heap.
 */

import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'

/** Consecutive failures after which it is not tried again. */
const MAX_FAILURES = 3

export class NewtonFailures {
  /** By body: consecutive failures for its island. */
  private readonly failures: Uint8Array

  /** @param count of the world's bodies */
  constructor(count: number) {
    this.failures = new Uint8Array(count)
  }

  /** Updates the counts for an island solved by `solver`, or by its fallback. */
  note({ bodies, solver: found }: StepIsland, solver: StepSolver): void {
    if (solver.name !== 'newton') return
    for (const body of bodies) this.failures[body] = found === solver.name ? 0 : Math.min(this.failures[body]! + 1, MAX_FAILURES)
  }

  /** Whether Newton's method has failed too often for most bodies of an island. */
  prevail({ bodies }: StepIsland): boolean {
    let count = 0
    for (const body of bodies) if (this.failures[body]! === MAX_FAILURES) count++
    return 2 * count > bodies.length
  }
}

/**
 * Bodies whose resting crowds Newton's method has failed to solve, so that it is not tried at every step. It solves walls and pyramids quickly, and wastes time
 * on heaps.
 */

import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'

/** Times in a row that it has found nothing, after which it is not tried again. */
const STUBBORN = 3

export class StubbornBodies {
  /** By body: how often Newton's method has found nothing, one time after the other, for the island that it was in. */
  private readonly missed: Uint8Array

  /** @param count of the world's bodies */
  constructor(count: number) {
    this.missed = new Uint8Array(count)
  }

  /** Of an island that has been solved by `solver`, or by what it falls back on. */
  note({ bodies, solver: found }: StepIsland, solver: StepSolver): void {
    if (solver.name !== 'newton') return
    for (const body of bodies) this.missed[body] = found === solver.name ? 0 : Math.min(this.missed[body]! + 1, STUBBORN)
  }

  /** Whether most bodies of an island are. */
  prevail({ bodies }: StepIsland): boolean {
    let count = 0
    for (const body of bodies) if (this.missed[body]! === STUBBORN) count++
    return 2 * count > bodies.length
  }
}

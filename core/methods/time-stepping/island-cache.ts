/** Last solution of each body: its island, and its forces at the start of the step. */

import type { EquationsOfMotion } from '../../contact/equations'
import { AppliedWrenches } from '../../contact/applied'
import type { ProblemWorkspaces } from './problem-workspace'
import type { StepIsland } from './step-island'

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}

export class IslandCache {
  /** By first body. */
  list: StepIsland[] = []
  private readonly sources: AppliedWrenches[]

  constructor(private readonly equations: EquationsOfMotion, private readonly workspaces: ProblemWorkspaces) {
    const none = new AppliedWrenches(equations)
    this.sources = equations.world.bodies.map(() => none)
  }

  /**
   * Replaces the islands of bodies by those of an attempt; the rows of the old ones become invalid.
   *
   * @param part by body: whether it took part
   * @returns the replaced islands
   */
  keep(islands: readonly StepIsland[], bodies: readonly number[], part: Uint8Array, applied: AppliedWrenches): readonly StepIsland[] {
    for (const body of bodies) this.sources[body] = applied
    const replaced = this.list.filter(island => island.bodies.some(body => part[body] === 1))
    const removed = new Set(replaced)
    this.list = [...this.list.filter(island => !removed.has(island)), ...islands].sort((a, b) => a.bodies[0]! - b.bodies[0]!)
    const kept = new Set(islands)
    for (const island of replaced) if (!kept.has(island)) island.leave(this.workspaces)
    return replaced
  }

  /** Whether an island of the same bodies is cached with identical impulses and warm start, bit for bit. */
  has({ bodies, problem }: StepIsland): boolean {
    const known = this.startingWith(bodies[0]!)
    if (known?.problem == null || problem === null || known.problem.warm !== problem.warm) return false
    const { p, basis, slip } = known.problem
    return equal(bodies, known.bodies) && equal(problem.p, p) && equal(problem.basis, basis) && equal(problem.slip, slip)
  }

  /** The island with that first body; the list is sorted by first bodies. */
  private startingWith(body: number): StepIsland | undefined {
    let low = 0
    for (let high = this.list.length; low < high;) {
      const middle = (low + high) >> 1
      if (this.list[middle]!.bodies[0]! < body) low = middle + 1
      else high = middle
    }
    return this.list[low]?.bodies[0] === body ? this.list[low] : undefined
  }

  /** Releases islands of an attempt, unless they are cached. */
  drop(islands: readonly StepIsland[]): void {
    const kept = new Set(this.list)
    for (const island of islands) if (!kept.has(island)) island.leave(this.workspaces)
  }

  /** Forces by source at the start of the last step of each body. */
  appliedForces(): AppliedWrenches {
    const { sources } = this
    const all = new AppliedWrenches(this.equations)
    for (const applied of new Set(sources)) all.addAll(applied.list.filter(({ body }) => sources[body] === applied))
    return all
  }
}

/** What was solved last of each body, in whichever attempt that was: its island, and the forces that acted when its step began. */

import type { EquationsOfMotion } from '../../contact/equations'
import { AppliedWrenches } from '../../contact/applied'
import type { ProblemRooms } from './problem-room'
import type { StepIsland } from './step-island'

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}

export class KeptIslands {
  /** By first body. */
  list: StepIsland[] = []
  private readonly sources: AppliedWrenches[]

  constructor(private readonly equations: EquationsOfMotion, private readonly rooms: ProblemRooms) {
    const none = new AppliedWrenches(equations)
    this.sources = equations.world.bodies.map(() => none)
  }

  /**
   * Takes the islands of an attempt in the place of those that held its bodies before, whose rows are gone with that.
   *
   * @param part by body: whether it took part
   * @returns the islands that were replaced
   */
  keep(islands: readonly StepIsland[], bodies: readonly number[], part: Uint8Array, applied: AppliedWrenches): readonly StepIsland[] {
    for (const body of bodies) this.sources[body] = applied
    const replaced = this.list.filter(island => island.bodies.some(body => part[body] === 1))
    const gone = new Set(replaced)
    this.list = [...this.list.filter(island => !gone.has(island)), ...islands].sort((a, b) => a.bodies[0]! - b.bodies[0]!)
    const kept = new Set(islands)
    for (const island of replaced) if (!kept.has(island)) island.leave(this.rooms)
    return replaced
  }

  /** Whether an island of the same bodies was kept before, with the same impulses and the same guess for the next step, to the bit. */
  has({ bodies, problem }: StepIsland): boolean {
    const known = this.startingWith(bodies[0]!)
    if (known?.problem == null || problem === null || known.problem.warm !== problem.warm) return false
    const { p, basis, slip } = known.problem
    return equal(bodies, known.bodies) && equal(problem.p, p) && equal(problem.basis, basis) && equal(problem.slip, slip)
  }

  /** The island whose first body that is; the list is sorted by these. */
  private startingWith(body: number): StepIsland | undefined {
    let low = 0
    for (let high = this.list.length; low < high;) {
      const middle = (low + high) >> 1
      if (this.list[middle]!.bodies[0]! < body) low = middle + 1
      else high = middle
    }
    return this.list[low]?.bodies[0] === body ? this.list[low] : undefined
  }

  /** Islands that an attempt does not need any more, unless they are kept. */
  drop(islands: readonly StepIsland[]): void {
    const kept = new Set(this.list)
    for (const island of islands) if (!kept.has(island)) island.leave(this.rooms)
  }

  /** Forces by source at the start of the last step of each body. */
  appliedForces(): AppliedWrenches {
    const { sources } = this
    const all = new AppliedWrenches(this.equations)
    for (const applied of new Set(sources)) all.addAll(applied.list.filter(({ body }) => sources[body] === applied))
    return all
  }
}

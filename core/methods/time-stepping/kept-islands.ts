/** What was solved last of each body, in whichever attempt that was: its island, and the forces that acted when its step began. */

import type { EquationsOfMotion } from '../../contact/equations'
import { AppliedWrenches } from '../event-driven/applied'
import type { ProblemRooms } from './problem-room'
import type { StepIsland } from './step-island'

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

/** Solvers of an island's frozen index set: one for the set in force, and one for the set that a restart has just tried. */

import type { ContactSolution } from '../lcp/problem'
import { FrozenSystem } from './frozen'
import type { FrozenRows } from './frozen-shape'
import type { Snapshot } from './snapshot'

/** Share of the largest force up to which two solutions count as equal. */
const SAME_FORCES = 1e-8

export class FrozenIndexSet {
  /** Multipliers at the restart: reference for sliding contacts if they are not the least-norm ones of the index set. */
  private reference: Float64Array | undefined = undefined
  /** Null until forces have been solved. */
  private system: FrozenSystem | null = null
  /** Solver of the last index set tried, reused by `freeze` for the same set. */
  private tried: { readonly system: FrozenSystem; readonly basis: Uint8Array; readonly slip: Float64Array } | null = null

  constructor(private readonly island: FrozenRows) {}

  /**
   * The least-norm multipliers of an index set, by its sparse factor; a restart tries this before a solver. A and b must be current.
   *
   * @returns in storage of the caller; null if friction slides and the forces are not unique: then the motion depends on the choice
   */
  solveOn(snapshot: Snapshot, { basis, slip }: Pick<ContactSolution, 'basis' | 'slip'>): Float64Array | null {
    const { island } = this
    const present = island.slip.slice()
    island.slip.set(slip)
    const system = new FrozenSystem(island, snapshot, basis)
    const f = system.solve(snapshot, island.problem.b).slice()
    island.slip.set(present)
    if (system.slaved && !system.unique) return null
    this.tried = { system, basis: basis.slice(), slip: slip.slice() }
    return f
  }

  /** Freezes the index set of a solution. The choice of independent rows is kept: a solver of the same index set at the same instant is reused. */
  freeze(snapshot: Snapshot, { basis, slip, f }: Pick<ContactSolution, 'basis' | 'slip' | 'f'>): void {
    const { tried, island } = this
    this.tried = null
    this.system = tried !== null && same(tried.basis, basis) && same(tried.slip, slip) ? tried.system : new FrozenSystem(island, snapshot, basis)
    this.reference = nearlySame(this.system.solve(snapshot, island.problem.b), f) ? undefined : f
  }

  /** Multipliers at the snapshot that the rows were last filled from, in storage that the next call overwrites. */
  multipliers(snapshot: Snapshot): Float64Array {
    if (this.system === null) throw new Error('an island was integrated before its forces were solved')
    return this.system.solve(snapshot, this.island.problem.b, this.reference)
  }

  /** Whether the multipliers are those of least norm, rather than the continuation of those at the restart. */
  get isLeastNorm(): boolean {
    return this.reference === undefined
  }

  /** The least-norm multipliers, regardless of those of the restart. */
  leastNorm(snapshot: Snapshot): Float64Array {
    if (this.system === null) throw new Error('the forces of an island were read before they were solved')
    return this.system.solve(snapshot, this.island.problem.b)
  }
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Whether two sets of multipliers are equal up to the rounding of their solvers. */
function nearlySame(a: Float64Array, b: Float64Array): boolean {
  let size = 0
  let difference = 0
  for (let i = 0; i < a.length; i++) {
    size = Math.max(size, Math.abs(a[i]!), Math.abs(b[i]!))
    difference = Math.max(difference, Math.abs(a[i]! - b[i]!))
  }
  return difference <= SAME_FORCES * size
}


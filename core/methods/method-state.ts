/**
 * State from which a run continues at a frame. At a checkpoint every method ends and restarts from this state, so that no other memory (warm starts, cached
 * features, index sets, groups) can make a resumed run differ from an uninterrupted one.
 */

/** What JSON holds; numbers may be any. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

export interface MethodCounts {
  frames: number
  steps: number
  solverCalls: number
  basisHits: number
  pivots: number
  maxContacts: number
  /**
   * Times that the method fell back: intervals finished by time-stepping, steps halved or solved with another contact model, steps that stiff forces
   * shortened; and the simulated time in that, s, of the latter until they are as long as asked for again.
   */
  fallbacks: number
  fallbackTime: number
}

export interface MethodState {
  /** s: of the frame. */
  readonly time: number
  /** Number of the frame on the grid of the output rate. */
  readonly frame: number
  /** State vector: bodies, and works behind them. */
  readonly state: Float64Array
  /** Positions and velocities of all particles, 3 + 3 each; empty if there are none. */
  readonly particles: Float64Array
  /** By body. */
  readonly exists: readonly boolean[]
  /** Positions near which angles are unwrapped, by joint and coordinate. */
  readonly jointPositions: readonly Float64Array[]
  /** Indices of the joints that have parted. */
  readonly broken: readonly number[]
  /** J. */
  readonly impactWork: number
  readonly kinematicImpactWork: number
  readonly spawnedEnergy: number
  readonly counts: MethodCounts
  readonly warnings: readonly string[]
  /** State specific to this method; null: the run starts at this instant, and the frame is still to be written. */
  readonly own: Plain
}

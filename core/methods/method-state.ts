/**
 * State from which a run continues at a frame. At a checkpoint every method ends and restarts from this state, so that other memory (warm starts,
 * cached features, index sets, groups) cannot make a resumed run differ from an uninterrupted one.
 */

/** JSON data, in which numbers may also be infinite or NaN. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

export interface MethodCounts {
  frames: number
  steps: number
  /** Bodies and particles that were moved, summed over all steps: the measure by which checkpoints are spaced. */
  work: number
  solverCalls: number
  basisHits: number
  pivots: number
  maxContacts: number
  /**
   * Number of fallbacks of the method: intervals finished by time-stepping, steps halved or solved with another contact model, and steps shortened
   * for stiff forces; and the simulated time in them, s. For shortened steps it counts until the steps have the requested length again.
   */
  fallbacks: number
  fallbackTime: number
}

export interface MethodState {
  /** s, time of the frame. */
  readonly time: number
  /** Number of the frame on the grid of the output rate. */
  readonly frame: number
  /** State vector: bodies, followed by works. */
  readonly state: Float64Array
  /** Positions and velocities of all particles, 3 + 3 each; empty without particles. */
  readonly particles: Float64Array
  /** By body. */
  readonly exists: readonly boolean[]
  /** Positions near which angles are unwrapped, by joint and coordinate. */
  readonly jointPositions: readonly Float64Array[]
  /** Indices of the broken joints. */
  readonly broken: readonly number[]
  /** J. */
  readonly impactWork: number
  readonly kinematicImpactWork: number
  readonly spawnedEnergy: number
  readonly numericalWork: number
  readonly counts: MethodCounts
  readonly warnings: readonly string[]
  /** State specific to this method; null: the run starts at this instant, and the frame is still to be written. */
  readonly own: Plain
}

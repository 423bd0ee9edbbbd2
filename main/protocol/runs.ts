/** State of runs, their quantities over time, and comparisons of two runs. */

import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'
import type { Problem } from './problem'

export type RunStatus = 'running' | 'completed' | 'cancelled' | 'stopped' | 'failed'

export interface RunInfo {
  readonly id: string
  /** Given by the user, else made from the time of the run. */
  readonly name: string
  readonly status: RunStatus
  /** Key of the cache: canonical scene hash and engine version. */
  readonly sceneHash: string
  readonly header: TrajectoryHeader | null
  /** Number of readable frames. */
  readonly frames: number
  /** s, of the last readable frame. */
  readonly simulatedTime: number
  /** s: time of its first frame. */
  readonly startTime: number
  /** s of wall clock so far. */
  readonly wallTime: number
  /** Estimated s until the end; null before there is an estimate. */
  readonly timeLeft: number | null
  readonly end: TrajectoryEnd | null
  /** Description of work before the next frame that takes time, such as moving overlapping bodies apart. */
  readonly preparing: string | null
  /** Why a run stopped or failed, for users. */
  readonly problem: Problem | null
  readonly warnings: readonly string[]
  /** File size, bytes. */
  readonly bytes: number
}

/** A frame of a run. */
export interface RunMoment {
  readonly run: string
  /** s: selects the frame at this time, or the one before. */
  readonly time: number
}

/** An example that is being recorded ahead. */
export interface AheadStatus {
  /** Title of the scene. */
  readonly name: string
  /** Number of examples that have a recorded run, and of all. */
  readonly done: number
  readonly of: number
}

/** Forces at t = 0. */
export interface ForcePreview {
  readonly forceIds: readonly string[]
  /** A message of the channel `forces`. */
  readonly frame: Uint8Array
}

/** What the scripts of a scene do in its first moments. */
export interface ScriptPreview {
  /** s: simulated time of the preview, and whether the scene ends then. */
  readonly until: number
  readonly whole: boolean
  /** Magnitudes of the forces and torques of script forces, by body, and what the scripts plot. */
  readonly series: readonly Series[]
}

/** Messages `from … to − 1` of a channel: frame indices, or numbers of events and script messages. */
export interface MessageRange {
  readonly channel: Channel
  readonly from: number
  readonly to: number
}

export type Channel = 'frames' | 'contacts' | 'joints' | 'forces' | 'deformables' | 'events' | 'certificate' | 'script' | 'sensors'

/** Tables of a run, as `cairn table --what`. */
export const TABLES = [
  'bodies', 'contacts', 'joints', 'forces', 'rates', 'sensors', 'deformables', 'vertices', 'elements', 'reactions', 'events', 'certificate', 'solves', 'plots',
  'logs',
] as const
export type TableName = typeof TABLES[number]
/** As `cairn table --to`. */
export const TABLE_FORMATS = ['csv', 'npy', 'parquet'] as const
export type TableFormat = typeof TABLE_FORMATS[number]

/** One quantity over a whole run. Components: x y z magnitude. `coordinate`: index of a joint's coordinate, if it has several. */
export type SeriesRequest =
  | { readonly what: 'body'; readonly body: string; readonly quantity: 'position' | 'linearVelocity' | 'angularVelocity'; readonly component: SeriesComponent }
  | { readonly what: 'contact'; readonly contact: ContactKey; readonly quantity: 'normalForce' | 'frictionForce' | 'gap' | 'coneUsage' }
  | { readonly what: 'pair'; readonly bodyA: string; readonly bodyB: string; readonly quantity: 'normalForce' | 'frictionForce' | 'contacts' }
  | { readonly what: 'joint'; readonly joint: string; readonly quantity: 'position' | 'velocity' | 'force' | 'torque' | 'error' | 'motorForce' | 'limitForce'; readonly coordinate?: number }
  /** Of all moving bodies; angular momentum is about the world's origin. */
  | { readonly what: 'momentum'; readonly quantity: 'linear' | 'angular'; readonly component: SeriesComponent }
  | { readonly what: 'energy'; readonly quantity: EnergyQuantity }
  | { readonly what: 'certificate'; readonly quantity: 'maxPenetration' | 'maxComplementarity' | 'maxJointError' | 'maxConeViolation' | 'contacts' | 'pivots' }
  | { readonly what: 'script'; readonly name: string }
  /** A quantity as `core/trajectory/sensors` names it; a distance has the component x. */
  | { readonly what: 'sensor'; readonly sensor: string; readonly quantity: string; readonly component: SeriesComponent }
  /** Of a whole deformable. Of a reaction its magnitude, of one constraint as numbered by `core/analysis/deformable-state`. */
  | { readonly what: 'deformable'; readonly deformable: string; readonly quantity: DeformableQuantity; readonly hold?: number }
  /** Over recorded quantities, in the language of `core/analysis/curve`. */
  | { readonly what: 'formula'; readonly text: string }

export type DeformableQuantity = 'kinetic' | 'stretching' | 'bending' | 'worstStrain' | 'meanStrain' | 'largestTension' | 'reaction'

export type SeriesComponent = 'x' | 'y' | 'z' | 'magnitude'

export type EnergyQuantity =
  'kinetic' | 'potential' | 'total' | 'friction' | 'impacts' | 'drag' | 'scripts' | 'joints' | 'kinematic' | 'spawned' | 'elastic' | 'damping' | 'numerical' | 'residual'

/** A contact over time: its bodies, primitives and features. */
export interface ContactKey {
  readonly bodyA: string
  readonly bodyB: string
  readonly shapeA: number
  readonly shapeB: number
  readonly features: readonly [string, string]
}

export interface Series {
  /** s */
  readonly time: Float64Array
  /** NaN if the element does not exist at that time. */
  readonly values: Float64Array
  readonly unit: string
  readonly label: string
}

/** Differences between two runs at the frames with equal times. */
export interface RunComparison {
  /** Bodies, by id, that both runs have; others are not compared. */
  readonly common: number
  readonly alone: readonly string[]
  /** s, of the last frame with equal times. */
  readonly until: number
  /** s: the first frame in which a body is more than 10 nm away from its position in the other run; null if none is. */
  readonly divergence: number | null
  /** Bodies that differ, the largest distance first: m, its time, and since when, s. */
  readonly bodies: readonly { readonly body: string; readonly distance: number; readonly time: number; readonly since: number }[]
  /** s, and the largest distance of a body, m. */
  readonly time: Float64Array
  readonly distance: Float64Array
}

/** The interval of each normal force of a frame that is possible with the same motion. */
export interface ContactIntervals {
  /** N: minimum and maximum of each contact, 2 n; NaN without an interval. */
  readonly ends: Float64Array
  /** Why some contacts have no interval. */
  readonly reasons: readonly string[]
}

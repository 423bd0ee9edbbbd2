/** Interface of every method that computes frames and events from a world; `core/simulation` processes them. */

import type { Feature } from '../collision/contact'
import type { AppliedWrench } from '../contact/applied'
import type { Snapshot } from '../contact/snapshot'
import type { Vec3 } from '../math/vector'
import type { ConstraintKind, ContactMode, EventKind } from '../vocabulary'
import type { SolvedDeformables } from './deformables/solved'
import type { MethodCounts, MethodState } from './method-state'

export type { MethodCounts } from './method-state'

export type { AppliedWrench } from '../contact/applied'

/** One contact with its solved force. Units and frames as in the trajectory's contact columns. */
export interface SolvedContact {
  readonly bodyA: number
  readonly bodyB: number
  readonly shapeA: number
  readonly shapeB: number
  readonly featureA: Feature
  readonly featureB: Feature
  readonly point: Vec3
  /** From B to A. */
  readonly normal: Vec3
  readonly gap: number
  readonly normalForce: number
  readonly frictionForce: Vec3
  /** Torque of torsional and rolling friction on A, N m. */
  readonly frictionTorque: Vec3
  readonly staticFriction: number
  readonly dynamicFriction: number
  /** m. */
  readonly torsionalFriction: number
  readonly rollingFriction: number
  readonly mode: ContactMode
  /** Friction as a fraction of the bound of an approximate friction law; null or absent for Coulomb's law, |f_t| ÷ (μ f_N). */
  readonly frictionUsage?: number | null
  readonly relativeVelocity: Vec3
  /** Normal forces compatible with the same motion, N; null if not computed. */
  readonly interval: readonly [number, number] | null
  /** In the index set C. */
  readonly clamped: boolean
  readonly island: number
  readonly normalAcceleration: number
  /** Along the tangents, m/s²; NaN if not computed. */
  readonly tangentialAcceleration: Vec3
  /** Kind of constraint in a time-stepping problem. */
  readonly constraint?: Exclude<ConstraintKind, 'none'>
}

/** Statistics of the solve of one island in the last step. */
export interface IslandSolve {
  readonly island: number
  /** Sweeps or pivots. */
  readonly sweeps: number
  readonly residual: number
}

/** The solve of a frame's interval with the most sweeps; among equals, the one with the largest residual. */
export interface HardSolve {
  /** s: end of its step. */
  readonly time: number
  /** m/s: residual after each sweep; empty for solvers that do not sweep. */
  readonly history: Float64Array
}

/** Value of a vector that is not part of the problem, such as tangential accelerations of frictionless contacts. */
export const NOT_COMPUTED: Vec3 = [NaN, NaN, NaN]

export interface SolvedJoint {
  /** N and N m on A, at and about the anchor. */
  readonly force: Vec3
  readonly torque: Vec3
  /** m, world frame. */
  readonly anchor: Vec3
  readonly error: number
  /** NaN if the joint has no coordinate. */
  readonly position: number
  readonly velocity: number
  /** Of the second coordinate; NaN if there is none. */
  readonly secondPosition: number
  readonly secondVelocity: number
  readonly motorForce: number
  readonly limitForce: number
  /** Whether the joint is broken; at the end of the step in which it breaks, its load is given. */
  readonly broken: boolean
}

/** All data of one output time. Valid during the call only: arrays are reused. */
export interface MethodFrame {
  readonly index: number
  /** s */
  readonly time: number
  readonly snapshot: Snapshot
  /** The raw state from which the hash is computed. */
  readonly state: Float64Array
  readonly contacts: readonly SolvedContact[]
  /** By joint. */
  readonly joints: readonly SolvedJoint[]
  readonly applied: readonly AppliedWrench[]
  /** m a and rate of angular momentum about the centre of mass, N and N m, 6 doubles per body: the sum of all loads. */
  readonly rates: Float64Array
  /** Potential energy of gravity, springs and other conservative forces, J. */
  readonly potential: number
  /** Works since t = 0, J, in the order of `WORKS` in `core/contact/works`. */
  readonly works: Float64Array
  /** Energy lost in impacts (≤ 0), given by kinematic bodies in impacts, and brought by spawned bodies, J. */
  readonly impactWork: number
  readonly kinematicImpactWork: number
  readonly spawnedEnergy: number
  /** Energy that the steps of the method lose (< 0) or gain by themselves, as far as it is known exactly, J. */
  readonly numericalWork: number
  /** m */
  readonly maxPenetration: number
  readonly maxComplementarity: number
  readonly maxConeViolation: number
  readonly degraded: boolean
  /** Sleeping bodies, which are skipped until they are woken; absent: none. */
  readonly asleep?: readonly number[]
  /** Of the step that ends at the frame, for time-stepping. */
  readonly solves?: readonly IslandSolve[]
  readonly hardest?: HardSolve | null
  /** Deformables at the frame; absent: none. */
  readonly deformables?: SolvedDeformables
}

export type MethodEventKind = Exclude<EventKind, 'stopped'>

/**
 * Cause of a restart of the event-driven method: a monitor (a vanished force, a slip that ended or left its onset, a closed gap, a point that left
 * its feature …), a collision, or an external change. It is the message of the `restart` event. If there is no other event at the same instant, the
 * integrator restarted and nothing else changed.
 */
export type RestartCause =
  | 'start' | 'end' | 'breakpoint' | 'control' | 'checkpoint' | 'degraded' | 'collision' | 'index set'
  | 'release' | 'slip' | 'stick' | 'onset' | 'gap' | 'grow' | 'feature' | 'limit' | 'drive' | 'part' | 'flat spot'

export interface MethodEvent {
  readonly kind: MethodEventKind
  /** s */
  readonly time: number
  readonly bodyA?: number
  readonly bodyB?: number
  readonly shapeA?: number
  readonly shapeB?: number
  readonly featureA?: Feature
  readonly featureB?: Feature
  readonly joint?: number
  /** m, world frame; the normal points from B to A. */
  readonly point?: Vec3
  readonly normal?: Vec3
  /** N s on A. */
  readonly impulse?: Vec3
  /** m/s, along the normal. */
  readonly approachSpeed?: number
  readonly reboundSpeed?: number
  /** Motions of A and B before and after an impact. */
  readonly before?: Snapshot
  readonly after?: Snapshot
  /** J */
  readonly energyLoss?: number
  /** s: end of an infinite sequence of bounces, for an approach below the resting speed. */
  readonly restTime?: number
  /** Basic solutions of an indeterminate instant, and the chosen one. */
  readonly solutions?: readonly (readonly SolvedContact[])[]
  readonly solution?: number
  readonly message?: string
}

export interface MethodObserver {
  frame(frame: MethodFrame): void
  event(event: MethodEvent): void
  /** Bodies have reached the next frame: commands that are set now take effect at its time and are part of it. For methods with live sessions. */
  reached?(frame: () => MethodFrame): void
}

export interface MethodSettings {
  /** s */
  readonly duration: number
  /** Hz */
  readonly outputRate: number
}

export interface MethodEnvironment {
  readonly observer: MethodObserver
  /** Called once with the counts and the list of warnings, which the run updates. */
  started(counts: MethodCounts, warnings: readonly string[]): void
  /** Checked between steps, where true ends the run after the present frame, and within long operations (`stopWhereCancelled`). */
  cancelled(): boolean
  /** Receives a text on the progress of the work before the next step: before the first frame there is no other progress to show. */
  preparing?(progress: string): void
  /** State to start from; absent: the run starts at 0. */
  readonly start?: MethodState
  /** Called after frames; true: the run pauses at the next possible frame. Absent: never. */
  pauses?(): boolean
}

/** Counts before a run begins. */
export function noCounts(): MethodCounts {
  return { frames: 0, steps: 0, work: 0, solverCalls: 0, basisHits: 0, pivots: 0, maxContacts: 0, fallbacks: 0, fallbackTime: 0 }
}

export interface MethodEnd {
  readonly status: 'completed' | 'cancelled' | 'paused'
  /** State from which a paused run continues. */
  readonly next?: MethodState
  readonly simulatedTime: number
  readonly counts: MethodCounts
  /** Solvers used, with counts, if the method chose them. */
  readonly solver?: string
  readonly warnings: readonly string[]
}

/** Ends a cancelled run from within any operation; the output up to then is kept. Caught once, at the end of runs. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** For loops that may run long between two steps. @throws Cancelled */
export function stopWhereCancelled({ cancelled }: Pick<MethodEnvironment, 'cancelled'>): void {
  if (cancelled()) throw new Cancelled('the run was cancelled')
}

/** Error that ends a run: the output up to `time` is kept. */
export class StopError extends Error {
  constructor(
    override readonly name: StopReason,
    message: string,
    /** s */
    readonly time: number,
    /** Of bodies, joints, forces or scripts. */
    readonly ids: readonly string[],
  ) {
    super(message)
  }
}

export type StopReason =
  | 'InitialPenetration' | 'JointApart' | 'UnsatisfiableConstraints' | 'StepSizeUnderflow' | 'ScriptError' | 'Inconsistent' | 'Penetration'
  | 'TooManyEvents' | 'SolverFailure' | 'InvalidBranch'

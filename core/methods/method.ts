/** Interface of every method that turns a world into frames and events; `core/simulation` processes them. */

import type { Feature } from '../collision/contact'
import type { AppliedWrench } from '../contact/applied'
import type { Snapshot } from '../contact/snapshot'
import type { Vec3 } from '../math/vector'
import type { ConstraintKind, ContactMode, EventKind } from '../vocabulary'
import type { SolvedDeformables } from './deformables/solved'
import type { MethodCounts, MethodState } from './method-state'

export type { MethodCounts } from './method-state'

export type { AppliedWrench } from '../contact/applied'

/** One contact with the force that was solved for it. Units and frames as in the trajectory's contact columns. */
export interface SolvedContact {
  readonly bodyA: number
  readonly bodyB: number
  readonly shapeA: number
  readonly shapeB: number
  readonly featureA: Feature
  readonly featureB: Feature
  readonly point: Vec3
  /** Out of B towards A. */
  readonly normal: Vec3
  readonly gap: number
  readonly normalForce: number
  readonly frictionForce: Vec3
  /** Of torsional and rolling friction on A, N m. */
  readonly frictionTorque: Vec3
  readonly staticFriction: number
  readonly dynamicFriction: number
  /** m. */
  readonly torsionalFriction: number
  readonly rollingFriction: number
  readonly mode: ContactMode
  /** Share of the friction that the law in force allows; null or absent where that is Coulomb's, |f_t| ÷ (μ f_N). */
  readonly frictionUsage?: number | null
  readonly relativeVelocity: Vec3
  /** Normal forces compatible with the same motion, N; null where not computed. */
  readonly interval: readonly [number, number] | null
  /** In the index set C. */
  readonly clamped: boolean
  readonly island: number
  readonly normalAcceleration: number
  /** Along the tangents, m/s²; NaN where not computed. */
  readonly tangentialAcceleration: Vec3
  /** What it is in a time-stepping problem. */
  readonly constraint?: Exclude<ConstraintKind, 'none'>
}

/** How the problem of one island of the last step was solved. */
export interface IslandSolve {
  readonly island: number
  /** Sweeps or pivots. */
  readonly sweeps: number
  readonly residual: number
}

/** The solve of a frame's interval with the most sweeps, and of those the one that left most. */
export interface HardSolve {
  /** s: end of its step. */
  readonly time: number
  /** m/s: residual after each sweep; empty for solvers that do not sweep. */
  readonly history: Float64Array
}

/** Where a vector was no part of the problem: tangential accelerations of frictionless contacts. */
export const NOT_COMPUTED: Vec3 = [NaN, NaN, NaN]

export interface SolvedJoint {
  /** N and N m on A, at and about the anchor. */
  readonly force: Vec3
  readonly torque: Vec3
  /** m, world frame. */
  readonly anchor: Vec3
  readonly error: number
  /** NaN where the joint has no coordinate. */
  readonly position: number
  readonly velocity: number
  /** Of the second coordinate; NaN where there is none. */
  readonly secondPosition: number
  readonly secondVelocity: number
  readonly motorForce: number
  readonly limitForce: number
  /** The joint is broken; at the end of the step of the break, with its load. */
  readonly broken: boolean
}

/** Everything about one output time. Valid during the call only: arrays are reused. */
export interface MethodFrame {
  readonly index: number
  readonly time: number
  readonly snapshot: Snapshot
  /** The raw state that the hash is taken of. */
  readonly state: Float64Array
  readonly contacts: readonly SolvedContact[]
  /** By joint. */
  readonly joints: readonly SolvedJoint[]
  readonly applied: readonly AppliedWrench[]
  /** m a and rate of angular momentum about the centre of mass, N and N m, 6 doubles a body: the sum of everything that acts. */
  readonly rates: Float64Array
  /** Potential energy of gravity, springs and other forces that have one, J. */
  readonly potential: number
  /** Works since t = 0, J, in the order of `WORKS` in `core/contact/equations`. */
  readonly works: Float64Array
  /** Energy lost in impacts (≤ 0), given by kinematic bodies in impacts, and brought by spawned bodies, J. */
  readonly impactWork: number
  readonly kinematicImpactWork: number
  readonly spawnedEnergy: number
  readonly maxPenetration: number
  readonly maxComplementarity: number
  readonly maxConeViolation: number
  readonly degraded: boolean
  /** Sleeping bodies, skipped until something moves them; absent: none. */
  readonly asleep?: readonly number[]
  /** Of the step that ends at the frame, for time-stepping. */
  readonly solves?: readonly IslandSolve[]
  readonly hardest?: HardSolve | null
  /** Deformables at the frame; absent: none. */
  readonly deformables?: SolvedDeformables
}

export type MethodEventKind = Exclude<EventKind, 'stopped'>

/**
 * Why the event-driven method decided everything anew: what a monitor saw (a force that vanished, a slip that ended or grew out of its onset,
 * a gap that closed, a point that left its feature …), a collision, or what comes from outside. It is the message of the `restart` event; where no
 * other event stands at the same instant, it was a restart of the integrator and nothing changed.
 */
export type RestartCause =
  | 'start' | 'end' | 'breakpoint' | 'control' | 'checkpoint' | 'degraded' | 'collision' | 'index set'
  | 'release' | 'slip' | 'stick' | 'onset' | 'gap' | 'grow' | 'feature' | 'limit' | 'drive' | 'part' | 'flat spot'

export interface MethodEvent {
  readonly kind: MethodEventKind
  readonly time: number
  readonly bodyA?: number
  readonly bodyB?: number
  readonly shapeA?: number
  readonly shapeB?: number
  readonly featureA?: Feature
  readonly featureB?: Feature
  readonly joint?: number
  readonly point?: Vec3
  readonly normal?: Vec3
  /** N s on A. */
  readonly impulse?: Vec3
  readonly approachSpeed?: number
  readonly reboundSpeed?: number
  /** Motions of A and B before and after an impact. */
  readonly before?: Snapshot
  readonly after?: Snapshot
  readonly energyLoss?: number
  readonly restTime?: number
  /** Basic solutions of an indeterminate instant, and the chosen one. */
  readonly solutions?: readonly (readonly SolvedContact[])[]
  readonly solution?: number
  readonly message?: string
}

export interface MethodObserver {
  frame(frame: MethodFrame): void
  event(event: MethodEvent): void
  /** Bodies have reached the next frame: commands set now take effect at its time and are in it. For methods with live sessions. */
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
  /** Called once with the counts that the run will keep up to date. */
  started(counts: MethodCounts): void
  /** Checked between steps, where true ends the run after the present frame, and within long operations (`stopWhereCancelled`). */
  cancelled(): boolean
  /** Told, in words, how far the work before the next step has come: before the first frame there is no other progress to show. */
  preparing?(progress: string): void
  /** Where to begin; absent: at 0. */
  readonly start?: MethodState
  /** Asked after frames; true: the run is to pause at the next frame at which it can. Absent: never. */
  pauses?(): boolean
}

/** Before a run begins. */
export function noCounts(): MethodCounts {
  return { frames: 0, steps: 0, solverCalls: 0, basisHits: 0, pivots: 0, maxContacts: 0, fallbacks: 0, fallbackTime: 0 }
}

export interface MethodEnd {
  readonly status: 'completed' | 'cancelled' | 'paused'
  /** Where a run that paused goes on. */
  readonly next?: MethodState
  readonly simulatedTime: number
  readonly counts: MethodCounts
  /** Solvers used, if the method chose them, with counts. */
  readonly solver?: string
  readonly warnings: readonly string[]
}

/** Ends a cancelled run from within any operation: everything written up to then is kept. Caught once, at the end of runs. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** For loops that may run long between two steps. @throws Cancelled */
export function stopWhereCancelled({ cancelled }: Pick<MethodEnvironment, 'cancelled'>): void {
  if (cancelled()) throw new Cancelled('the run was cancelled')
}

/** A run that cannot go on: everything up to `time` is kept. */
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

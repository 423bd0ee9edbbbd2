/**
 * The output of a run: frames at the output rate, events at their exact times, and a certificate for each frame.
 *
 * SI units, world frame, bodies and joints by their index in the scene document. Columns are packed, one typed array per quantity, so that a frame of
 * 1,000 bodies is copied, encoded and drawn without an object per body. A frame at `time` is the state after all events at that time, including frame 0.
 */

import type { CertificateFrame } from './certificate-frame'
import type { ContactFrame } from './contact-frame'
import type { TrajectoryEvent } from './event'

export { MAX_RESIDUALS, MAX_SOLVED_ISLANDS, type CertificateFrame, type EnergyAudit } from './certificate-frame'
export { INDEX_SETS, type ContactFrame } from './contact-frame'
export type { TrajectoryEvent } from './event'

/** Doubles per body in `Frame.bodies`: position 3, orientation 4, linear velocity 3, angular velocity 3. */
export const BODY_STRIDE = 13

/** Constants of a run, written before its first frame. */
export interface TrajectoryHeader {
  /** Version of the engine that computed the run. */
  readonly engine: string
  /** SHA-256 of the canonical scene, 64 hex digits. */
  readonly sceneHash: string
  readonly sceneName: string
  /** Ids in document order; the columns' indices refer to them. */
  readonly bodyIds: readonly string[]
  readonly jointIds: readonly string[]
  /** By joint: indices of its bodies; −1 is the world. For a gear, those of its first joint. */
  readonly jointBodyA: Int32Array
  readonly jointBodyB: Int32Array
  /**
   * Ids of the scene's forces without gravity and guides, of its deformables for their loads on bodies, `GRAVITY_CHANGE` if gravity has keys, and
   * of guides; `ForceFrame.source` refers to them.
   */
  readonly forceIds: readonly string[]
  /** Ids of the scene's deformables; empty in older files. */
  readonly deformableIds: readonly string[]
  /** By deformable: number of particles, of elements with a strain, and of supports, in the order of `holdsOf` [analysis/deformable-state.ts]. */
  readonly deformableParticles: Int32Array
  readonly deformableElements: Int32Array
  readonly deformableHeld: Int32Array
  /**
   * N, 3 per body: gravity's force at the centre of mass at the start, zero unless dynamic; later differences are in `ForceFrame`, as
   * `GRAVITY_CHANGE`.
   */
  readonly weights: Float64Array
  /** Ids and types of the scene's sensors; the types define the values (`core/trajectory/sensors`). Empty in older files. */
  readonly sensorIds: readonly string[]
  readonly sensorTypes: readonly string[]
  /** s, Hz. */
  readonly duration: number
  readonly outputRate: number
  /** The method of the run: the choice of `auto`, never `auto` itself. */
  readonly method: string
  readonly solver: string
  /** Law of static friction between impacts: `exact`, or the selected approximation of [Baraff92 §14.2]. */
  readonly staticFriction: string
}

/** Pose and velocity of every body at one output time. */
export interface Frame {
  readonly index: number
  /** s */
  readonly time: number
  /**
   * `BODY_STRIDE` doubles per body: position of the body frame's origin (m), orientation `[x, y, z, w]`, velocity of the centre of mass (m/s),
   * angular velocity (rad/s). All NaN for a body that does not exist yet (`spawnTime`).
   */
  readonly bodies: Float64Array
  /** 64-bit hash of the exact state of all bodies in id order, 16 hex digits. */
  readonly hash: string
}

/** Reactions at one output time, columns over all joints of the document. */
export interface JointFrame {
  readonly index: number
  readonly time: number
  /** N, 3 per joint: on A, at the anchor. */
  readonly force: Float64Array
  /** N m, 3 per joint: on A, about the anchor. */
  readonly torque: Float64Array
  /** m, 3 per joint. */
  readonly anchor: Float64Array
  /** Worst violation of the joint's equations, m or rad. */
  readonly error: Float64Array
  /** A relative to B about or along the axis, 0 at the initial pose, rad or m; NaN for joints without a single coordinate. */
  readonly position: Float64Array
  readonly velocity: Float64Array
  /** Second coordinate of universal (rad, about B's axis) and cylindrical joints (m, along the axis); NaN for all others and in older files. */
  readonly secondPosition: Float64Array
  readonly secondVelocity: Float64Array
  /** N or N m: of the motor and Coulomb friction (magnitude for a ball joint), and of the limit stop. */
  readonly motorForce: Float64Array
  readonly limitForce: Float64Array
  /** Indices of the broken joints. */
  readonly broken: Int32Array
}

/**
 * Source of a wrench. `force`: a force of the scene, by its index in `TrajectoryHeader.forceIds`; the others are joints. `element`: springs, damping,
 * and motors or friction at their limit. `drive`: a motor or friction that holds its velocity, solved with the contacts. `reaction`: the load of a
 * gear on the bodies of its second joint.
 */
export const WRENCH_SOURCES = ['force', 'element', 'drive', 'reaction'] as const
export type WrenchSource = (typeof WRENCH_SOURCES)[number]

/**
 * Loads on bodies except weights, contacts and joint reactions, which are in the header, `ContactFrame` and `JointFrame`; and the total of all loads.
 * `core/analysis/force-balance` combines them.
 */
export interface ForceFrame {
  readonly index: number
  readonly time: number
  /** Dynamic bodies with loads other than gravity; for other bodies the total load is their weight. */
  readonly body: Int32Array
  /** N and N m, 6 per body: m a and the rate of angular momentum about the centre of mass, as used by the integrator. */
  readonly rate: Float64Array
  /** One entry per source and body: indices into `WRENCH_SOURCES` and of the force or joint; the body. */
  readonly sourceKind: Int32Array
  readonly source: Int32Array
  readonly sourceBody: Int32Array
  /** N and N m, 6 per entry: force, and torque about the body's centre of mass. */
  readonly wrench: Float64Array
}

/**
 * Deformables at one output time: columns over the particles, elements etc. of all of them, one deformable after another. Only in runs with
 * deformables.
 */
export interface DeformableFrame {
  readonly index: number
  readonly time: number
  /** m, m/s: 3 per particle. */
  readonly position: Float64Array
  readonly velocity: Float64Array
  /** By spring, segment and triangle: change of length ÷ length; for a triangle the larger of warp and weft. */
  readonly strain: Float64Array
  /** N: for springs and segments; NaN for triangles. */
  readonly tension: Float64Array
  /** N on particles by their supports, 3 each: for each deformable in the order of `holdsOf` [analysis/deformable-state.ts]. */
  readonly reaction: Float64Array
  /** J, 3 per deformable: kinetic, stretching and shearing, bending. */
  readonly energy: Float64Array
  /**
   * Of the last step: implicit steps, iterations of Newton's method and of the linear solver, residual of the equation of motion ÷ the largest force.
   */
  readonly steps: number
  readonly iterations: number
  readonly linearIterations: number
  readonly residual: number
}

/** Plots and logs of scripts at one output time. */
export interface ScriptFrame {
  readonly index: number
  readonly time: number
  readonly names: readonly string[]
  readonly values: Float64Array
  readonly logs: readonly string[]
}

/**
 * Number of fallbacks of a run: an interval of an event-driven run finished by time-stepping, a time step halved or solved with another contact
 * model, or steps shortened for stiff forces. Each is an event of kind `degraded`.
 */
export interface Fallbacks {
  readonly count: number
  /** s, simulated time in such intervals and steps. */
  readonly time: number
}

/** End of a run; the last record of a complete trajectory. */
export interface TrajectoryEnd {
  readonly status: 'completed' | 'cancelled' | 'stopped'
  /** Name of the typed reason of a stop, e.g. `ScriptError`; empty otherwise. */
  readonly reason: string
  readonly message: string
  /** Ids of the bodies, joints, forces or scripts that the stop concerns. */
  readonly ids: readonly string[]
  /** Simulated time and wall-clock time, s. */
  readonly simulatedTime: number
  readonly wallTime: number
  readonly frames: number
  readonly steps: number
  readonly finalHash: string
  readonly solver: { readonly name: string; readonly calls: number; readonly basisHits: number; readonly pivots: number; readonly maxContacts: number }
  readonly fallbacks: Fallbacks
  readonly warnings: readonly string[]
}

/** State from which an interrupted run can resume: after the frame of the same number. */
export interface CheckpointFrame {
  readonly index: number
  /** s */
  readonly time: number
  /** State from which the engine that wrote it continues. */
  readonly state: string
}

/** Sensor values at one output time. Only in runs with sensors. */
export interface SensorFrame {
  readonly index: number
  /** s */
  readonly time: number
  /** One sensor after another; NaN for absent bodies. */
  readonly values: Float64Array
}

/** State of controllers after a frame, so that a run can start with it. Only in runs with controllers. */
export interface ControlStateFrame {
  readonly index: number
  /** s */
  readonly time: number
  /** JSON: for each controller its last call, state, forces and commands. */
  readonly held: string
}

/** Receives all output of a method, in order of time. */
export interface TrajectorySink {
  frame(frame: Frame): void
  contacts(contacts: ContactFrame): void
  joints(joints: JointFrame): void
  forces(forces: ForceFrame): void
  certificate(certificate: CertificateFrame): void
  script(script: ScriptFrame): void
  control?(control: ControlStateFrame): void
  sensors?(sensors: SensorFrame): void
  /** Only in runs with deformables. */
  deformables(deformables: DeformableFrame): void
  event(event: TrajectoryEvent): void
  /** Called after everything else of its frame. */
  checkpoint?(checkpoint: CheckpointFrame): void
}

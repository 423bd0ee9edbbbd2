/**
 * The output of a run: frames at the output rate, events at their exact times, and a certificate for each frame.
 *
 * SI units, world frame, bodies and joints by their index in the scene document. Columns are packed, one typed array per quantity, so that a frame of
 * 1,000 bodies is copied, encoded and drawn without an object per body. A frame at `time` is the state after all events at that time, including frame
 * 0 [physics.md §0].
 */

import type { EventKind } from '../vocabulary'

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
  /** Ids of the scene's forces without gravity, followed by `GRAVITY_CHANGE` if gravity has keys; `ForceFrame.source` refers to them. */
  readonly forceIds: readonly string[]
  /** Ids of the scene's deformables; empty in older files. In `ForceFrame.source` their loads on bodies are numbered after `forceIds`. */
  readonly deformableIds: readonly string[]
  /** By deformable: number of particles, of elements with a strain, and of pins and attachments, including roots of hair. */
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

/** Index set of a contact's normal row in the solver's partition [Baraff94 §4.2]. */
export const INDEX_SETS = ['C', 'NC'] as const

/** All contacts at one output time; `n` contacts, columns of length n (or 3 n). The force acts on A, its opposite on B. */
export interface ContactFrame {
  readonly index: number
  readonly time: number
  /** Number of contacts. */
  readonly count: number
  /** Numbers after those of the bodies are deformables, named by `ownerId`. Their feature is a vertex, numbered as in the deformable. */
  readonly bodyA: Int32Array
  readonly bodyB: Int32Array
  /** Index of the primitive in its body's `shapes`. */
  readonly shapeA: Int32Array
  readonly shapeB: Int32Array
  /** Index into `FEATURE_KINDS`, and the feature's index in its primitive. */
  readonly featureKindA: Int32Array
  readonly featureA: Int32Array
  readonly featureKindB: Int32Array
  readonly featureB: Int32Array
  /** m, 3 n. */
  readonly point: Float64Array
  /** Unit vector from B to A, 3 n. */
  readonly normal: Float64Array
  /** m; negative values are penetration. */
  readonly gap: Float64Array
  /** N. */
  readonly normalForce: Float64Array
  /** N, 3 n, tangential. */
  readonly frictionForce: Float64Array
  /** N m, 3 n: torsional and rolling friction about the point; zero without such coefficients. */
  readonly frictionTorque: Float64Array
  /** Effective coefficients at the point. */
  readonly staticFriction: Float64Array
  readonly dynamicFriction: Float64Array
  /** |f_t| ÷ (μ f_N), with μ the coefficient for the mode; for an approximate law, the fraction of its bound; 0 without friction. */
  readonly coneUsage: Float64Array
  /** Index into `CONTACT_MODES`. */
  readonly mode: Int32Array
  /** m/s, 3 n: velocity of A relative to B at the point. */
  readonly relativeVelocity: Float64Array
  /** Normal force compatible with the same motion, N: lower and upper ends, 2 n; NaN if not computed. The upper end may be Infinity. */
  readonly interval: Float64Array
  /** Index into `INDEX_SETS`. */
  readonly indexSet: Int32Array
  /** Number of the contact's island in this frame. */
  readonly island: Int32Array
  /** m/s²: normal acceleration after the solve, zero if the contact holds. */
  readonly normalAcceleration: Float64Array
  /** m: effective coefficients of torsional and rolling friction. */
  readonly torsionalFriction: Float64Array
  readonly rollingFriction: Float64Array
  /** m/s², 3 n: tangential acceleration after the solve, zero if the contact sticks; NaN if not computed. */
  readonly tangentialAcceleration: Float64Array
  /** Index into `CONSTRAINT_KINDS`. */
  readonly constraint: Int32Array
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
  /** N on particles by their supports, 3 per pin or attachment: for each deformable first its pins, then roots of hair, then attachments. */
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

/** Energy audit since t = 0, J. Work done *on* the bodies is positive, so friction, drag and impacts are ≤ 0. */
export interface EnergyAudit {
  readonly kinetic: number
  readonly potential: number
  /** Kinetic + potential at t = 0. */
  readonly initial: number
  readonly friction: number
  readonly impacts: number
  /** Drag, wind and spring damping. */
  readonly drag: number
  /** Script forces, keyframed forces and every other force without a potential. */
  readonly scripts: number
  /** Motors, joint damping and joint friction; joint reactions do no work. */
  readonly joints: number
  /** Work of kinematic bodies through contacts and joints. */
  readonly kinematic: number
  /** Energy of bodies spawned since t = 0. */
  readonly spawned: number
  /** Energy stored in deformables: part of the sum besides kinetic and potential, and of `initial`. */
  readonly elastic: number
  /** Losses in deformables, ≤ 0: by damping, and by the implicit method. */
  readonly damping: number
  readonly numerical: number
  /** Unexplained energy ÷ (max kinetic + max |potential − initial potential|) so far. */
  readonly residual: number
}

/** Maximum numbers of islands, and of residuals of one island, in a certificate. */
export const MAX_SOLVED_ISLANDS = 64
export const MAX_RESIDUALS = 256

/** Residuals of the laws in one frame [physics.md §0]. */
export interface CertificateFrame {
  readonly index: number
  readonly time: number
  /** Deepest penetration, m, ≥ 0. */
  readonly maxPenetration: number
  /** Worst complementarity residual, normalised. */
  readonly maxComplementarity: number
  /** Worst joint error, m or rad. */
  readonly maxJointError: number
  /** Worst friction-cone violation, normalised by the largest contact force. */
  readonly maxConeViolation: number
  readonly energy: EnergyAudit
  /** Since the previous frame. */
  readonly steps: number
  readonly solverCalls: number
  readonly basisHits: number
  readonly pivots: number
  readonly contacts: number
  /** 1 if a less exact method finished this frame's interval. */
  readonly degraded: number
  /**
   * Islands solved by the step that ends at the frame, those with the largest residual first; only for time-stepping. Number of the island as in
   * `ContactFrame.island`, sweeps or pivots of its last solve, and its final residual.
   */
  readonly solvedIsland: Int32Array
  readonly solvedSweeps: Int32Array
  readonly solvedResidual: Float64Array
  /**
   * m/s: worst residual after each sweep, of the solve with the most sweeps of all steps since the previous frame; among equals, the one with the
   * largest final residual. Only every second, fourth … value if there are too many.
   */
  readonly residualHistory: Float64Array
  /** s: end of that solve's step; NaN if there is none. */
  readonly residualTime: number
  /** Sleeping bodies of time-stepping: exactly at rest until they are woken. */
  readonly asleep: Int32Array
}

/** An event at an exact time. Indices of bodies, shapes and joints are −1 if they do not apply. */
export interface TrajectoryEvent {
  /** Number of the event in the run, from 0. */
  readonly index: number
  readonly kind: EventKind
  /** s, exact. */
  readonly time: number
  readonly bodyA: number
  readonly bodyB: number
  readonly shapeA: number
  readonly shapeB: number
  /** Index into `FEATURE_KINDS` and of the feature; −1 if none. */
  readonly featureKindA: number
  readonly featureA: number
  readonly featureKindB: number
  readonly featureB: number
  readonly joint: number
  /** m; empty if it does not apply. */
  readonly point: Float64Array
  readonly normal: Float64Array
  /** N s on A; for impacts. */
  readonly impulse: Float64Array
  /** m/s, ≥ 0: normal speeds before and after an impact. */
  readonly approachSpeed: number
  readonly reboundSpeed: number
  /** States of bodyA and bodyB before and after an impact, `BODY_STRIDE` doubles each in that order (A, B); empty otherwise. */
  readonly before: Float64Array
  readonly after: Float64Array
  /** Energy lost in this event, J. */
  readonly energyLoss: number
  /**
   * s: exact end of infinitely many bounces, summed in closed form. NaN for every event except the impact whose approach speed was below the resting
   * speed [physics.md §3].
   */
  readonly restTime: number
  /**
   * For an indeterminate instant: every basic solution, as the contacts of the bodies concerned with their forces and accelerations [physics.md
   * §4.4], and the number of the solution with which the run continued; empty and −1 otherwise.
   */
  readonly solutions: readonly ContactFrame[]
  readonly solution: number
  /** Text for the user; empty if the kind is sufficient. */
  readonly message: string
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

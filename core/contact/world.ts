/** The compiled scene, common to all methods. Indices are those of the document. */

import type { PairCollider } from '../collision/contact'
import type { RigidBody } from '../dynamics/body'
import type { Deformables } from '../dynamics/deformable'
import type { HeldTrack } from '../dynamics/held-track'
import type { DeformableReaction } from '../dynamics/forces/deformable-reaction'
import type { ForceElement } from '../dynamics/forces/force'
import type { ParticleForce } from '../dynamics/forces/particles'
import type { JointConstraint } from '../dynamics/joints/joint'
import type { Forest } from '../dynamics/trees'
import type { Vec3 } from '../math/vector'
import type { Snapshot } from './snapshot'
import type { Pose } from '../math/pose'
import type { Joins } from '../geometry/joins'
import type { Primitive } from '../geometry/shape'

/** Properties of a pair of materials; friction coefficients and restitution have no unit. */
export interface ContactMaterial {
  readonly staticFriction: number
  readonly dynamicFriction: number
  /** m: largest moment ÷ normal force. */
  readonly torsionalFriction: number
  readonly rollingFriction: number
  readonly restitution: number
}

/** Target of a servo's coordinate: rad or m, and its rate. */
export interface ServoReference {
  readonly position: number
  readonly velocity: number
}

/** Holds a coordinate by f = k (q* − q) + d (q̇* − q̇), |f| ≤ maxForce: N/m, N s/m and N, or N m/rad, N m s/rad and N m. */
export interface Servo {
  readonly stiffness: number
  readonly damping: number
  readonly maxForce: number
  /** Whether the target changes with time. */
  readonly moves: boolean
  /** Whether the target changes only by jumps: a step that ends at a jump does not include it. */
  readonly jumps: boolean
  /** At a time, s. */
  reference(time: number): ServoReference
}

/** Command of a controller on one coordinate of a joint: N or N m, rad or m. It replaces the motor, servo and drive of the scene. */
export type CoordinateCommand =
  | { readonly kind: 'velocity'; readonly targetVelocity: number; readonly maxForce: number }
  | { readonly kind: 'force'; readonly force: number }
  | { readonly kind: 'position'; readonly servo: Servo }

/** Loads on one coordinate of a joint. Forces in N or N m. */
export interface CoordinateElements {
  readonly limits: { readonly lower: number; readonly upper: number } | null
  readonly motor: { readonly targetVelocity: HeldTrack; readonly maxForce: number } | null
  readonly servo: Servo | null
  /** A force that is given. */
  readonly drive: HeldTrack | null
  readonly damping: number
  readonly friction: number
  readonly spring: { readonly stiffness: number; readonly rest: number } | null
  /** Set by controllers during the run; null: motor, servo and drive apply. */
  command: CoordinateCommand | null
}

/** Input of controllers: a frame of the method, just before the instant. */
export interface ControlFrame {
  readonly snapshot: Snapshot
  readonly contacts: readonly {
    readonly bodyA: number; readonly bodyB: number; readonly shapeA: number; readonly shapeB: number
    readonly point: Vec3; readonly normal: Vec3; readonly normalForce: number
    readonly frictionForce: Vec3; readonly mode: string
  }[]
  readonly joints: readonly {
    readonly force: Vec3; readonly torque: Vec3; readonly position: number; readonly velocity: number; readonly secondPosition: number
    readonly secondVelocity: number; readonly motorForce: number
  }[]
  readonly applied: readonly { readonly kind: string; readonly source: number; readonly body: number; readonly force: Vec3 }[]
  /** m a and rate of angular momentum about the centre of mass, N and N m, 6 doubles a body. */
  readonly rates: Float64Array
}

/** Controllers: called at exact instants; their commands are constant in between. */
export interface WorldControl {
  /** s, ascending, up to `to`, for each controller; times before `from` may be included. */
  instants(from: number, to: number): Iterable<number>[]
  /** Calls controllers that are due or have never been called. @returns whether there were any @throws ScriptError */
  act(time: number, frame: () => ControlFrame): boolean
}

export interface JointElement {
  readonly constraint: JointConstraint
  /** One entry a coordinate of the constraint. */
  readonly coordinates: readonly CoordinateElements[]
  /** Coulomb friction of a ball joint, N m; 0 for all others, whose friction belongs to their coordinates. */
  readonly spinFriction: number
  /** Reactions at which it breaks, N and N m, Infinity if unlimited; null: unbreakable. */
  readonly breaking: { readonly force: number; readonly torque: number } | null
  /** s: start and end of its presence (Infinity: never ends). */
  readonly spawnTime: number
  readonly removeTime: number
  /** Joints on which it depends: those of a gear. */
  readonly needs: readonly JointElement[]
  /** Set by methods during the run: the joint is broken or absent, and inactive. */
  broken: boolean
}

export interface WorldPrimitive {
  readonly primitive: Primitive
  /** In the body frame. */
  readonly pose: Pose
  /** Index in the body's `shapes`; a mesh's pieces share one. */
  readonly shape: number
  /** Index into the document's materials. */
  readonly material: number
  /** What other pieces of the same mesh hide of this one, in the body frame. */
  readonly joins?: Joins | null
}

export interface Scales {
  /** Largest bounding radius of a dynamic body, m. */
  readonly size: number
  /** m/s: `core/math/tolerances`. */
  readonly speed: number
  /** Typical weight or inertia force, N. */
  readonly force: number
}

export interface World {
  readonly bodies: readonly RigidBody[]
  /** By body. */
  readonly primitives: readonly (readonly WorldPrimitive[])[]
  readonly joints: readonly JointElement[]
  /** Null if the scene has none. */
  readonly deformables: Deformables | null
  /** Forces on their particles. */
  readonly particleForces: readonly ParticleForce[]
  /** Loads of deformables on bodies, by deformable; also among `forces`. */
  readonly reactions: readonly DeformableReaction[]
  readonly forces: readonly ForceElement[]
  /** Null without controllers. */
  readonly control: WorldControl | null
  /** s: key times of the paths of bodies and the targets of servos. */
  readonly keyTimes: readonly number[]
  /** Timed commands on joints; a live session adds to it. */
  readonly driven: readonly HeldTrack[]
  readonly scales: Scales
  /** Whether everything moves in the plane y = 0. */
  readonly planar: boolean
  /** The joints that are coordinates; null if all are equations. */
  readonly forest: Forest | null
  /** By body: scales of that body alone, so that distant bodies do not change its tolerances. */
  readonly bodyScales: readonly Scales[]
  /** Whether they may collide at present: bodies do not while a joint connects them. */
  mayCollide(bodyA: number, bodyB: number): boolean
  /** Whether they may collide at any time of the run, so also before or after a joint that appears or is removed. */
  mayEverCollide(bodyA: number, bodyB: number): boolean
  contactMaterial(materialA: number, materialB: number): ContactMaterial
  /** A new collider for two primitives; `null` if such a pair cannot touch (two half-spaces). */
  collider(a: WorldPrimitive, b: WorldPrimitive): PairCollider | null
}

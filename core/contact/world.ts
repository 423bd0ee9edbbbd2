/** The scene compiled for computing: what every method advances. Indices are those of the document. */

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
import type { Primitive } from '../geometry/shape'

/** What two materials do together; coefficients as in scene-format. */
export interface ContactMaterial {
  readonly staticFriction: number
  readonly dynamicFriction: number
  /** m. */
  readonly torsionalFriction: number
  readonly rollingFriction: number
  readonly restitution: number
}

/** Where a servo wants its coordinate: rad or m, and a second. */
export interface ServoReference {
  readonly position: number
  readonly velocity: number
}

/** Holds a coordinate by f = k (q* − q) + d (q̇* − q̇), |f| ≤ maxForce: N/m, N s/m and N, or N m/rad, N m s/rad and N m. */
export interface Servo {
  readonly stiffness: number
  readonly damping: number
  readonly maxForce: number
  /** Whether where it wants its coordinate changes by itself. */
  readonly moves: boolean
  /** Whether it does so by jumps, between which it stays: a step that ends at one knows nothing of it. */
  readonly jumps: boolean
  /** At a time, s. */
  reference(time: number): ServoReference
}

/** What a controller has set on one coordinate of a joint: N or N m, rad or m. It takes the place of the motor, the servo and the drive of the scene. */
export type CoordinateCommand =
  | { readonly kind: 'velocity'; readonly targetVelocity: number; readonly maxForce: number }
  | { readonly kind: 'force'; readonly force: number }
  | { readonly kind: 'position'; readonly servo: Servo }

/** What acts on one coordinate of a joint. Forces in N or N m. */
export interface CoordinateElements {
  readonly limits: { readonly lower: number; readonly upper: number } | null
  readonly motor: { readonly targetVelocity: HeldTrack; readonly maxForce: number } | null
  readonly servo: Servo | null
  /** A force that is given. */
  readonly drive: HeldTrack | null
  readonly damping: number
  readonly friction: number
  readonly spring: { readonly stiffness: number; readonly rest: number } | null
  /** Set by controllers as the run goes on; null: motor, servo and drive count. */
  command: CoordinateCommand | null
}

/** What controllers are called with: a frame of the method, just before the instant. */
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

/** Controllers: called at exact instants, between which everything that they set stays as it is. */
export interface WorldControl {
  /** s, ascending, up to `to`: those of each controller; times before `from` may be among them. */
  instants(from: number, to: number): Iterable<number>[]
  /** Calls those whose instant it is, and those that have never been called. @returns whether there were any @throws ScriptError */
  act(time: number, frame: () => ControlFrame): boolean
}

export interface JointElement {
  readonly constraint: JointConstraint
  /** One entry a coordinate of the constraint. */
  readonly coordinates: readonly CoordinateElements[]
  /** Coulomb friction of a ball joint, N m; 0 for all others, whose friction is that of their coordinates. */
  readonly spinFriction: number
  /** Reactions at which it parts, N and N m, Infinity where it withstands any; null: it never parts. */
  readonly breaking: { readonly force: number; readonly torque: number } | null
  /** s: from when on it holds, and from when on no longer (Infinity: never). */
  readonly spawnTime: number
  readonly removeTime: number
  /** Joints without which it holds nothing: those of a gear. */
  readonly needs: readonly JointElement[]
  /** Set by methods as the run goes on: it has parted, or is not there, and nothing of it acts. */
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
  /** Null where the scene has none. */
  readonly deformables: Deformables | null
  /** What acts on their particles. */
  readonly particleForces: readonly ParticleForce[]
  /** What they do to bodies, by deformable; among `forces` too. */
  readonly reactions: readonly DeformableReaction[]
  readonly forces: readonly ForceElement[]
  /** Null where no script controls anything. */
  readonly control: WorldControl | null
  /** s: of the paths of bodies and the targets of servos. */
  readonly keyTimes: readonly number[]
  /** What drives joints and changes at times; a live session adds to it. */
  readonly driven: readonly HeldTrack[]
  readonly scales: Scales
  /** Everything moves in the plane y = 0. */
  readonly planar: boolean
  /** The joints that are coordinates; null where all of them are equations. */
  readonly forest: Forest | null
  /** By body: the same of that body alone, so that what is far away changes nothing for it. */
  readonly bodyScales: readonly Scales[]
  mayCollide(bodyA: number, bodyB: number): boolean
  contactMaterial(materialA: number, materialB: number): ContactMaterial
  /** A fresh collider for two primitives; `null` where such a pair cannot touch (two half-spaces). */
  collider(a: WorldPrimitive, b: WorldPrimitive): PairCollider | null
}

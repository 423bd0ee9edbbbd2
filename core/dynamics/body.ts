/** A rigid body for the equations of motion: mass properties and kind of motion, without shapes. */

import type { BodyMotion } from '../geometry/motion'
import { diagonal, inverse, multiply, transform, transformTransposed, transpose, type Mat3 } from '../math/matrix'
import { normalizeQuaternion, rotate, toMatrix, type Quat } from '../math/quaternion'
import { add, dot, ZERO, type Vec3 } from '../math/vector'
import type { BodyPath } from './body-path'

export type BodyType = 'dynamic' | 'fixed' | 'kinematic'

export interface RigidBody {
  /** In the scene's list of bodies. */
  readonly index: number
  readonly id: string
  readonly type: BodyType
  /** s */
  readonly spawnTime: number
  /** s: the body is removed at this time; Infinity: never. */
  readonly removeTime: number
  /** kg; Infinity unless dynamic. */
  readonly mass: number
  /** 1/kg; 0 unless dynamic. */
  readonly inverseMass: number
  /** kg m², body axes, about the centre of mass; zero unless dynamic. */
  readonly inertia: Mat3
  /** 1/(kg m²), body axes; zero unless dynamic. */
  readonly inverseInertia: Mat3
  /** m, in the body frame. */
  readonly centerOfMass: Vec3
  /** m, of the sphere about the centre of mass that holds every shape; Infinity with a half-space. */
  readonly boundingRadius: number
  /** At `spawnTime`. */
  readonly initial: BodyMotion
  /** Motion of a kinematic body given by keys; null for all others. */
  readonly path: BodyPath | null
}

/** Input of `rigidBody`; `position` is that of the body frame, velocities are in the world frame. */
export interface BodySpec {
  readonly index: number
  readonly id: string
  readonly type: BodyType
  /** s; absent: the body exists from the start, or up to the end. */
  readonly spawnTime?: number
  readonly removeTime?: number
  /** kg and kg m²; needed for dynamic bodies only. */
  readonly mass?: number
  readonly inertia?: Mat3
  readonly centerOfMass?: Vec3
  readonly boundingRadius?: number
  readonly position: Vec3
  readonly orientation: Quat
  /** m/s, of the centre of mass. */
  readonly linearVelocity?: Vec3
  /** rad/s */
  readonly angularVelocity?: Vec3
  readonly path?: BodyPath | null
}

const NO_INERTIA = diagonal(0, 0, 0)

/** @throws RangeError if a dynamic body has no positive mass or a singular inertia. */
export function rigidBody(spec: BodySpec): RigidBody {
  const { index, id, type, spawnTime = 0, removeTime = Infinity, centerOfMass = ZERO, boundingRadius = 0 } = spec
  const moving = type !== 'fixed'
  const initial = motionAt(
    centerOfMass, spec.position, spec.orientation,
    moving ? spec.linearVelocity ?? ZERO : ZERO, moving ? spec.angularVelocity ?? ZERO : ZERO,
  )
  const common = { index, id, type, spawnTime, removeTime, centerOfMass, boundingRadius, initial, path: spec.path ?? null }
  if (type !== 'dynamic') {
    return { ...common, mass: Infinity, inverseMass: 0, inertia: NO_INERTIA, inverseInertia: NO_INERTIA }
  }
  const mass = spec.mass ?? 0
  const inertia = spec.inertia ?? NO_INERTIA
  const inverseInertia = inverse(inertia)
  if (!(mass > 0 && mass < Infinity)) throw new RangeError(`body "${id}": mass ${mass} kg is not positive and finite`)
  if (!inverseInertia.every(Number.isFinite)) throw new RangeError(`body "${id}": its inertia is singular`)
  return { ...common, mass, inverseMass: 1 / mass, inertia, inverseInertia }
}

/** Motion of a body whose frame is at `position`; `velocity` is of the centre of mass. */
export function motionAt(centerOfMass: Vec3, position: Vec3, orientation: Quat, velocity: Vec3, angularVelocity: Vec3): BodyMotion {
  const unit = normalizeQuaternion(orientation)
  return {
    pose: { position, orientation: unit },
    rotation: toMatrix(unit),
    center: add(position, rotate(unit, centerOfMass)),
    velocity,
    angularVelocity,
  }
}

/** R I_b Rᵀ, kg m², world frame. */
export function worldInertia(body: RigidBody, rotation: Mat3): Mat3 {
  return multiply(multiply(rotation, body.inertia), transpose(rotation))
}

/** R I_b⁻¹ Rᵀ, 1/(kg m²), world frame; zero unless dynamic. */
export function worldInverseInertia(body: RigidBody, rotation: Mat3): Mat3 {
  return multiply(multiply(rotation, body.inverseInertia), transpose(rotation))
}

/** ω = R I_b⁻¹ Rᵀ L, rad/s. */
export function angularVelocityOf(body: RigidBody, rotation: Mat3, momentum: Vec3): Vec3 {
  return transform(rotation, transform(body.inverseInertia, transformTransposed(rotation, momentum)))
}

/** L = R I_b Rᵀ ω about the centre of mass, kg m²/s. */
export function angularMomentumOf(body: RigidBody, motion: BodyMotion): Vec3 {
  return transform(motion.rotation, transform(body.inertia, transformTransposed(motion.rotation, motion.angularVelocity)))
}

/** ½ m v² + ½ ω·L, J; 0 unless dynamic, because other bodies do not exchange energy. */
export function kineticEnergy(body: RigidBody, motion: BodyMotion): number {
  if (body.type !== 'dynamic') return 0
  return 0.5 * (body.mass * dot(motion.velocity, motion.velocity) + dot(motion.angularVelocity, angularMomentumOf(body, motion)))
}

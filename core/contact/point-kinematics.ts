/** Relative motion of the bodies at a touching point, as flat data, because every stage of a step uses it. */

import { KINEMATICS, kinematicsOf, type ContactLocation, type FeaturePair } from '../collision/contact'
import { perpendicular, type Vec3 } from '../math/vector'
import { Rows } from './rows'
import type { Snapshot } from './snapshot'

/** Input from a point. */
export interface PointOfBodies {
  readonly bodyA: number
  readonly bodyB: number
  readonly features: FeaturePair
}

/** Offsets in the record of a point: 3 doubles for each vector, 1 for gap and normal drift. */
export const POINT = {
  ...KINEMATICS,
  /** Unit vectors, perpendicular to the normal and to each other. */
  tangent1: 13, tangent2: 16,
  /** v_A(p) − v_B(p), m/s. */
  relativeVelocity: 19,
  /** Its time derivative without the accelerations: ω_A × (ṗ − v_A) − ω_B × (ṗ − v_B), with velocities of the centres of mass; m/s². */
  drift: 22,
  /** C̈ without the accelerations, m/s². */
  normalDrift: 25,
  length: 26,
} as const

const kinematic = new Float64Array(KINEMATICS.length)
const record = new Float64Array(POINT.length)

/** Writes the record of a point at a snapshot to `at`, without its tangents. */
export function pointKinematics({ motions }: Snapshot, { bodyA, bodyB, features }: PointOfBodies, out: Float64Array, at: number): void {
  const a = motions[bodyA]!
  const b = motions[bodyB]!
  const k = kinematic
  kinematicsOf(features, a, b, k)
  for (let i = 0; i < KINEMATICS.length; i++) out[at + i] = k[i]!
  const { center: c, velocity: v, angularVelocity: w } = a
  const { center: d, velocity: u, angularVelocity: z } = b
  const rx = k[0]! - c[0]
  const ry = k[1]! - c[1]
  const rz = k[2]! - c[2]
  const sx = k[0]! - d[0]
  const sy = k[1]! - d[1]
  const sz = k[2]! - d[2]
  const velx = v[0] + (w[1] * rz - w[2] * ry) - (u[0] + (z[1] * sz - z[2] * sy))
  const vely = v[1] + (w[2] * rx - w[0] * rz) - (u[1] + (z[2] * sx - z[0] * sz))
  const velz = v[2] + (w[0] * ry - w[1] * rx) - (u[2] + (z[0] * sy - z[1] * sx))
  const px = k[7]! - v[0]
  const py = k[8]! - v[1]
  const pz = k[9]! - v[2]
  const qx = k[7]! - u[0]
  const qy = k[8]! - u[1]
  const qz = k[9]! - u[2]
  const driftx = w[1] * pz - w[2] * py - (z[1] * qz - z[2] * qy)
  const drifty = w[2] * px - w[0] * pz - (z[2] * qx - z[0] * qz)
  const driftz = w[0] * py - w[1] * px - (z[0] * qy - z[1] * qx)
  out[at + POINT.relativeVelocity] = velx
  out[at + POINT.relativeVelocity + 1] = vely
  out[at + POINT.relativeVelocity + 2] = velz
  out[at + POINT.drift] = driftx
  out[at + POINT.drift + 1] = drifty
  out[at + POINT.drift + 2] = driftz
  out[at + POINT.normalDrift] = k[3]! * driftx + k[4]! * drifty + k[5]! * driftz + (k[10]! * velx + k[11]! * vely + k[12]! * velz)
}

/**
 * Writes two tangents into a record with a normal: the first is perpendicular to the axis of the normal's smallest component, as in `perpendicular`.
 */
export function writeTangents(values: Float64Array, at: number): void {
  const x = values[at + POINT.normal]!
  const y = values[at + POINT.normal + 1]!
  const z = values[at + POINT.normal + 2]!
  const [tx, ty, tz] = perpendicular([x, y, z])
  values[at + POINT.tangent1] = tx
  values[at + POINT.tangent1 + 1] = ty
  values[at + POINT.tangent1 + 2] = tz
  values[at + POINT.tangent2] = y * tz - z * ty
  values[at + POINT.tangent2 + 1] = z * tx - x * tz
  values[at + POINT.tangent2 + 2] = x * ty - y * tx
}

/** C̈ of a point without the accelerations, m/s². */
export function normalDrift(snapshot: Snapshot, point: PointOfBodies): number {
  pointKinematics(snapshot, point, record, 0)
  return record[POINT.normalDrift]!
}

/** Ċ for velocities of 6 doubles a body, m/s; or C̈ for accelerations, m/s², with `bias` for the part without accelerations. */
export function normalRate(snapshot: Snapshot, { bodyA, bodyB, features }: PointOfBodies, motion: Float64Array, bias = 0): number {
  const { point, normal } = features.locate(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
  const row = new Rows(1)
  row.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
  return row.along(0, motion) + bias
}

/** Geometry of one touching point of an island at the last snapshot; vectors are created on demand. */
export class PointGeometry {
  /** @param values records of points; this one begins at `at` */
  constructor(readonly values: Float64Array, readonly at: number) {}

  get location(): ContactLocation {
    return { point: this.vector(POINT.point), normal: this.vector(POINT.normal), gap: this.gap }
  }

  /** m */
  get gap(): number {
    return this.values[this.at + POINT.gap]!
  }

  /** Unit vectors, world frame, perpendicular to the normal and to each other. */
  get tangent1(): Vec3 {
    return this.vector(POINT.tangent1)
  }

  get tangent2(): Vec3 {
    return this.vector(POINT.tangent2)
  }

  /** v_A(p) − v_B(p), m/s. */
  get relativeVelocity(): Vec3 {
    return this.vector(POINT.relativeVelocity)
  }

  /** Component of the tangential relative velocity, m/s. */
  slipAlong([x, y, z]: Vec3): number {
    const [tx, ty, tz] = this.slip
    return tx * x + ty * y + tz * z
  }

  /** The tangential part of the relative velocity, m/s. */
  get slip(): Vec3 {
    const { values, at } = this
    const v = at + POINT.relativeVelocity
    const n = at + POINT.normal
    const s = -(values[v]! * values[n]! + values[v + 1]! * values[n + 1]! + values[v + 2]! * values[n + 2]!)
    return [values[v]! + values[n]! * s, values[v + 1]! + values[n + 1]! * s, values[v + 2]! + values[n + 2]! * s]
  }

  private vector(place: number): Vec3 {
    const { values } = this
    const at = this.at + place
    return [values[at]!, values[at + 1]!, values[at + 2]!]
  }
}

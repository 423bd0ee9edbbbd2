/** How the bodies of a touching point move there, relative to each other. */

import { velocityAt } from '../geometry/motion'
import type { ContactLocation, FeaturePair } from '../collision/contact'
import { cross, dot, sub, type Vec3 } from '../math/vector'
import { Rows } from './rows'
import type { Snapshot } from './snapshot'

/** What of a point counts here. */
export interface PointOfBodies {
  readonly bodyA: number
  readonly bodyB: number
  readonly features: FeaturePair
}

export interface PointKinematics {
  readonly location: ContactLocation
  /** v_A(p) − v_B(p), m/s. */
  readonly relativeVelocity: Vec3
  /** d/dt of it without the accelerations: ω_A × (ṗ − v_A) − ω_B × (ṗ − v_B), velocities of the centres of mass; m/s². */
  readonly drift: Vec3
  /** C̈ without the accelerations, m/s². */
  readonly normalDrift: number
  /** dn̂/dt, 1/s. */
  readonly normalRate: Vec3
}

export function pointKinematics(snapshot: Snapshot, { bodyA, bodyB, features }: PointOfBodies): PointKinematics {
  const a = snapshot.motions[bodyA]!
  const b = snapshot.motions[bodyB]!
  const location = features.locate(a.pose, b.pose)
  const { pointRate, normalRate } = features.rates(a, b)
  const relativeVelocity = sub(velocityAt(a, location.point), velocityAt(b, location.point))
  const drift = sub(cross(a.angularVelocity, sub(pointRate, a.velocity)), cross(b.angularVelocity, sub(pointRate, b.velocity)))
  return { location, relativeVelocity, drift, normalRate, normalDrift: dot(location.normal, drift) + dot(normalRate, relativeVelocity) }
}

/** Ċ for velocities of 6 doubles a body, m/s; C̈ for accelerations, m/s², with `bias` what of it they leave out. */
export function normalRate(snapshot: Snapshot, { bodyA, bodyB, features }: PointOfBodies, motion: Float64Array, bias = 0): number {
  const { point, normal } = features.locate(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
  const row = new Rows(1)
  row.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
  return row.along(0, motion) + bias
}

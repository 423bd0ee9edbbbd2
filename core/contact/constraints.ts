/** Constraints at one instant: touching points, joint limits and drives. */

import type { FeaturePair } from '../collision/contact'
import { ZERO, type Vec3 } from '../math/vector'
import type { ContactMaterial, JointElement, Servo } from './world'

/**
 * State of a touching point in the equations until the next event.
 * `holding`: a_N = 0 (index set C); `idle`: touching, no force, no approach (NC); `parting`: separating, not in the problem.
 */
export type NormalState = 'holding' | 'idle' | 'parting'

/** `sliding` along `slip`; `sticking`: no tangential motion; `none`: frictionless or no normal force. */
export type FrictionState = 'none' | 'sticking' | 'sliding'

/** Rotation that spin friction opposes: about a contact's normal, about its tangents, or in a ball joint. */
export type SpinKind = 'torsional' | 'rolling' | 'ball'

/** Friction against relative rotation, and how it enters the equations until the next event. */
export interface SpinFriction {
  readonly kind: SpinKind
  /** |τ| ≤ limit × f_N, m; |τ| ≤ limit, N m, in a ball joint. */
  readonly limit: number
  friction: FrictionState
  /** Unit, world frame: direction of the angular velocity of A relative to B at the last restart, projected onto this friction's axes. */
  slip: Vec3
  /** Whether the rotation has just begun from rest, as for a touching point. */
  onset: boolean
  /** Direction about which slip begins, because the torque has just reached its bound; null if the state does not change. */
  hint: Vec3 | null
}

export interface TouchingPoint {
  readonly bodyA: number
  readonly bodyB: number
  /** Indices in the document's `shapes` of the two bodies. */
  readonly shapeA: number
  readonly shapeB: number
  readonly features: FeaturePair
  /** Identity in the world: bodies, primitives and features. */
  readonly key: string
  readonly material: ContactMaterial
  /** Torsional and rolling friction, if the material has any. */
  readonly spins: readonly SpinFriction[]
  /** Gap to maintain, m: the gap at which the contact came to rest, within the contact tolerance. */
  heldGap: number
  normal: NormalState
  friction: FrictionState
  /** ŝ, unit, world frame: slip direction at the last restart. */
  slip: Vec3
  /** Whether the slip has just begun from rest: its direction is `slip` until the speed exceeds the stick speed. */
  onset: boolean
  /** Whether its forces have been solved at least once, so that `normal` and `friction` are valid. */
  settled: boolean
  /** Change of state to apply in the next solve; null if none. */
  hint: PointHint | null
  /** N: at the beginning and end of the last step, for Lötstedt's law of friction; NaN before the first. */
  readonly pastNormalForce: { before: number; last: number }
}

/** `free`: its normal force has just vanished. `slip`: its friction has just reached the cone, and it would slip along this direction. */
export type PointHint = { readonly kind: 'free' } | { readonly kind: 'slip'; readonly direction: Vec3 }

/** A new touching point. */
export function touchingPoint(
  identity: Pick<TouchingPoint, 'bodyA' | 'bodyB' | 'shapeA' | 'shapeB' | 'features' | 'key' | 'material'>, gap: number,
): TouchingPoint {
  const spins = spinsOfMaterial(identity.material)
  return {
    ...identity, spins, heldGap: Math.max(gap, 0), normal: 'idle', friction: 'none', slip: ZERO, onset: false, settled: false, hint: null,
    pastNormalForce: { before: NaN, last: NaN },
  }
}

/** Torsional and rolling friction of a contact, if any. */
export function spinsOfMaterial({ torsionalFriction, rollingFriction }: ContactMaterial): SpinFriction[] {
  if (torsionalFriction <= 0 && rollingFriction <= 0) return []
  return [
    ...(torsionalFriction > 0 ? [spinFriction('torsional', torsionalFriction)] : []),
    ...(rollingFriction > 0 ? [spinFriction('rolling', rollingFriction)] : []),
  ]
}

/** Torsional or rolling friction in its initial state. @param limit m: largest moment ÷ normal force; in a ball joint the largest moment, N m */
export function spinFriction(kind: SpinKind, limit: number): SpinFriction {
  return { kind, limit, friction: 'none', slip: ZERO, onset: false, hint: null }
}

/** Coulomb friction of a ball joint. */
export interface JointSpin {
  readonly joint: number
  readonly element: JointElement
  readonly spin: SpinFriction
}

/** A joint coordinate at (or near) one of its limits: a unilateral constraint like a contact. */
export interface TouchingLimit {
  readonly joint: number
  readonly element: JointElement
  readonly coordinate: number
  /** +1: the lower limit; −1: the upper. */
  readonly side: 1 | -1
  /** rad or m */
  readonly bound: number
  normal: NormalState
}

/**
 * A motor, a servo or Coulomb joint friction: exerts at most `maxForce` towards a relative velocity, a servo towards a position.
 * `holding`: the velocity is kept; otherwise the force is saturated with the given sign.
 */
export interface Drive {
  readonly joint: number
  readonly element: JointElement
  readonly coordinate: number
  readonly source: 'motor' | 'servo' | 'friction'
  /** Null except for servos, which are rows only in time-stepping. */
  readonly servo: Servo | null
  /** rad/s or m/s */
  readonly targetVelocity: number
  /** N m or N */
  readonly maxForce: number
  state: 'holding' | 'positive' | 'negative'
}

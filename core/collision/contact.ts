/**
 * The one face that every kind of contact shows to the solver and to the time-stepping methods.
 *
 * A contact is a pair of *features* (vertex/face, edge/edge, surface/face, …) of two primitives. At given placements it has a point p, a unit normal n̂
 * out of B towards A, and a gap C. What a method needs of its geometry beyond that is how fast p and n̂ move:
 *
 *   Ċ = n̂ · (v_A(p) − v_B(p))
 *   C̈ = n̂ · d/dt (v_A(p) − v_B(p)) + n̂̇ · (v_A(p) − v_B(p))
 *   d/dt v_X(p) = v̇_X + α_X × (p − c_X) + ω_X × (ṗ − v_X)
 *
 * so ṗ and n̂̇ carry everything that is special about a shape: for a vertex on a face ṗ = v_A(p) and n̂̇ = ω_B × n̂, which gives the familiar
 * 2 n̂̇ · Δv of [PBM01-G app. D]; for curved surfaces they hold the curvatures [Baraff92 §6.4]. The tangential acceleration that sticking
 * and rolling need is the same expression along a tangent.
 */

import type { Pose } from '../math/pose'
import type { Vec3 } from '../math/vector'
import type { BodyMotion } from '../geometry/motion'
import type { FeatureKind } from '../vocabulary'

export interface Feature {
  readonly kind: FeatureKind
  /** In its primitive. */
  readonly index: number
}

export interface ContactLocation {
  /** m; midway between the two surfaces where the gap is not zero. */
  readonly point: Vec3
  /** Unit, out of B towards A. */
  readonly normal: Vec3
  /** m, > 0 apart. */
  readonly gap: number
}

export interface ContactRates {
  /** ṗ, m/s. */
  readonly pointRate: Vec3
  /** n̂̇, 1/s. */
  readonly normalRate: Vec3
}

/** One feature pair of one pair of primitives. Stateless except for warm starts, which change an answer by rounding at most. */
export interface FeaturePair {
  readonly featureA: Feature
  readonly featureB: Feature
  /** Identity within its primitive pair, stable over time: the same features give the same key. */
  readonly key: string
  /** Placements are of the two body frames. Never fails: features that have parted still have a gap. */
  locate(a: Pose, b: Pose): ContactLocation
  /** The same gap alone, to the bit, m: only where that is cheaper. */
  gap?(a: Pose, b: Pose): number
  rates(a: BodyMotion, b: BodyMotion): ContactRates
  /** Result of `locate` and `rates`, to the bit, in `out` in the layout of `KINEMATICS`: for the most frequent pairs only, without objects. */
  kinematics?(a: BodyMotion, b: BodyMotion, out: Float64Array): void
  /**
   * How far inside both features the point lies, m: positive inside, zero on a boundary, negative where another feature has taken over.
   * Continuous in the placements, so that its root is the instant of a `feature` event. Infinity where the features have no boundary.
   */
  margin(a: Pose, b: Pose): number
  /** Only of curved features: the least curvature of one relative to the other where they touch, 1/m; zero where flat lies on flat in some direction. */
  curvature?(a: Pose, b: Pose): number
}

/** Places of point, normal, gap, ṗ and n̂̇ in what `kinematicsOf` writes, and its length. */
export const KINEMATICS = { point: 0, normal: 3, gap: 6, pointRate: 7, normalRate: 10, length: 13 } as const

/** Where a contact is and how it moves, into `out` as `KINEMATICS` lays it out. */
export function kinematicsOf(pair: FeaturePair, a: BodyMotion, b: BodyMotion, out: Float64Array): void {
  if (pair.kinematics !== undefined) {
    pair.kinematics(a, b, out)
    return
  }
  const { point, normal, gap } = pair.locate(a.pose, b.pose)
  const { pointRate, normalRate } = pair.rates(a, b)
  out.set(point, KINEMATICS.point)
  out.set(normal, KINEMATICS.normal)
  out[KINEMATICS.gap] = gap
  out.set(pointRate, KINEMATICS.pointRate)
  out.set(normalRate, KINEMATICS.normalRate)
}

/** The gap of `locate`, m. */
export function gapOf(pair: FeaturePair, a: Pose, b: Pose): number {
  return pair.gap === undefined ? pair.locate(a, b).gap : pair.gap(a, b)
}

/** Statistics of a collider, added up for the bench and the solver details. */
export interface ColliderCounts {
  queries: number
  /** Queries that the cached witness answered. */
  witnessHits: number
  iterations: number
}

/** A direction along which two solids are separated, or overlap least. */
export interface Separation {
  /** m; as `PairCollider.separation`. */
  readonly separation: number
  /** Unit, out of B towards A, world. Along it no point of A lies lower than `separation` above any point of B. */
  readonly normal: Vec3
  /** m, world: between the points of both solids that face each other along the normal. */
  readonly point: Vec3
}

/** A curved side of a contact region: a circle, or its part on the other flat. */
export interface Rim {
  /** Its point at an angle, rad: a feature pair like those of the region. */
  at(angle: number): FeaturePair
  /** Where `value` (an approach, an acceleration: affine in the point) is lowest, rad; `null` where that is outside the other flat. */
  lowest(value: (pair: FeaturePair) => number): number | null
  /** In the direction of a point of the world from the middle, rad; `null` as above. */
  towards(point: Vec3): number | null
}

/** How far a disc is from coming down flat, m: positive before, in a placement of A and one of B. */
export type Landing = (a: Pose, b: Pose) => number

/** Everything between two primitives of two bodies; holds the witness [Baraff92 §5.1.2]. */
export interface PairCollider {
  /**
   * Signed separation, m: exact distance along the separating direction when positive and small, never more than the true distance;
   * negative: minus the penetration depth along the best separating axis.
   */
  separation(a: Pose, b: Pose): number
  /** The same with its direction: what bounds how soon the pair can touch. */
  separating(a: Pose, b: Pose): Separation
  /**
   * The contact region where the gap is at most `tolerance`: enough points that holding them holds the region, none redundant by
   * collinearity, in an order that does not depend on history. Empty when apart.
   */
  region(a: Pose, b: Pose, tolerance: number): FeaturePair[]
  /**
   * Feature pairs that could be the next to touch while the region `held` is kept by constraints: those of the present separating
   * plane that are not in `held`. Their gaps' roots are the instants at which the region grows (a tipping box that lands on its face).
   */
  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[]
  /** Only where a region can have curved sides, which no finite number of points holds (a standing cylinder's rim): those that it has now. */
  rims?(a: Pose, b: Pose, tolerance: number): Rim[]
  /** Only with such rims: the discs that `held` holds by their lowest points, and that may come down flat next. */
  landings?(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[]
  readonly counts: ColliderCounts
}

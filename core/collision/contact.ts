/**
 * Common interface of all contacts for the solver and the time-stepping methods.
 *
 * A contact is a pair of *features* (vertex/face, edge/edge, surface/face, …) of two primitives. At given placements it has a point p, a unit normal n̂ out
 * of B towards A, and a gap C. Methods also need the rates of p and n̂:
 *
 *   Ċ = n̂ · (v_A(p) − v_B(p))
 *   C̈ = n̂ · d/dt (v_A(p) − v_B(p)) + n̂̇ · (v_A(p) − v_B(p))
 *   d/dt v_X(p) = v̇_X + α_X × (p − c_X) + ω_X × (ṗ − v_X)
 *
 * So ṗ and n̂̇ contain all properties of the shapes. For a vertex on a face ṗ = v_A(p) and n̂̇ = ω_B × n̂, which gives the term 2 n̂̇ · Δv of [PBM01-G app.
 * D]; for curved surfaces they include the curvatures [Baraff92 §6.4]. Sticking and rolling need the tangential acceleration; it is the same expression
 * along a tangent.
 */

import type { Pose } from '../math/pose'
import type { Vec3 } from '../math/vector'
import type { BodyMotion } from '../geometry/motion'
import type { FeatureKind } from '../vocabulary'

export interface Feature {
  readonly kind: FeatureKind
  /** Index within its primitive. */
  readonly index: number
}

export interface ContactLocation {
  /** m; midway between the two surfaces if the gap is not zero. */
  readonly point: Vec3
  /** Unit, out of B towards A. */
  readonly normal: Vec3
  /** m, positive when apart. */
  readonly gap: number
}

export interface ContactRates {
  /** ṗ, m/s. */
  readonly pointRate: Vec3
  /** n̂̇, 1/s. */
  readonly normalRate: Vec3
}

/** One feature pair of one pair of primitives. Stateless except for warm starts, which change a result by rounding at most. */
export interface FeaturePair {
  readonly featureA: Feature
  readonly featureB: Feature
  /** Key within its primitive pair, stable over time: the same features give the same key. */
  readonly key: string
  /** Placements are those of the two body frames. Never fails: features that have separated still have a gap. */
  locate(a: Pose, b: Pose): ContactLocation
  /** The same gap alone, bitwise equal, m; only implemented if it is cheaper. */
  gap?(a: Pose, b: Pose): number
  rates(a: BodyMotion, b: BodyMotion): ContactRates
  /** Results of `locate` and `rates`, bitwise equal, in `out` with the layout of `KINEMATICS`; without allocation, for the most frequent pairs only. */
  kinematics?(a: BodyMotion, b: BodyMotion, out: Float64Array): void
  /**
   * Distance of the point inside the boundaries of both features, m: positive inside, zero on a boundary, negative if another feature is in contact.
   * Continuous in the placements, so its root is the instant of a `feature` event. Infinity for features without a boundary.
   */
  margin(a: Pose, b: Pose): number
  /** Only for curved features: the least relative curvature at the contact point, 1/m; zero if both are flat in some direction. */
  curvature?(a: Pose, b: Pose): number
}

/** Offsets of point, normal, gap, ṗ and n̂̇ in the output of `kinematicsOf`, and its length. */
export const KINEMATICS = { point: 0, normal: 3, gap: 6, pointRate: 7, normalRate: 10, length: 13 } as const

/** Position and rates of a contact, written to `out` with the layout of `KINEMATICS`. */
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

/** Statistics of a collider, summed for the benchmark and the solver details. */
export interface ColliderCounts {
  queries: number
  /** Queries answered by the cached witness. */
  witnessHits: number
  iterations: number
}

/** A direction of separation or of least overlap of two solids. */
export interface Separation {
  /** m; as `PairCollider.separation`. */
  readonly separation: number
  /** Unit, out of B towards A, world. Along it the lowest point of A is at least `separation` above the highest point of B. */
  readonly normal: Vec3
  /** m, world: midway between the facing points of both solids along the normal. */
  readonly point: Vec3
}

/** A curved side of a contact region: a circle, or its part on the other flat. */
export interface Rim {
  /** Its point at an angle, rad: a feature pair like those of the region. */
  at(angle: number): FeaturePair
  /** Angle of the minimum of `value` (an approach speed or an acceleration: affine in the point), rad; `null` if it lies outside the other flat. */
  lowest(value: (pair: FeaturePair) => number): number | null
  /** Angle in the direction from the centre to a world point, rad; `null` as above. */
  towards(point: Vec3): number | null
}

/** Height of a tilted disc above the position in which it lies flat, m: positive before, for given poses of A and B. */
export type Landing = (a: Pose, b: Pose) => number

/** Collider of two primitives of two bodies; stores the witness [Baraff92 §5.1.2]. */
export interface PairCollider {
  /**
   * Signed separation, m. Positive: the exact distance along the separating direction when small, never more than the true distance. Negative: minus the
   * penetration depth along the best separating axis.
   */
  separation(a: Pose, b: Pose): number
  /** The same with its direction: it bounds the earliest time of contact. */
  separating(a: Pose, b: Pose): Separation
  /**
   * The contact region where the gap is at most `tolerance`: enough points to constrain the region, none of them collinear with others, in an order that
   * does not depend on history. Empty when apart.
   */
  region(a: Pose, b: Pose, tolerance: number): FeaturePair[]
  /**
   * Feature pairs that may touch next while constraints keep the region `held`: those of the current separating plane that are not in `held`. The roots of
   * their gaps are the instants at which the region grows (a tipping box that lands on its face).
   */
  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[]
  /**
   * Only for solids with discs: the feature pairs within `reach`, m, that a time-stepping method must watch instead of
   * those of `region` and `candidates`. Within a step the lowest point of a nearly flat disc, or the end of an edge across
   * a touching disc, can jump to the other side, so the other possible places are included.
   */
  inStep?(a: Pose, b: Pose, watched: readonly FeaturePair[], reach: number): FeaturePair[]
  /** Only for regions with curved sides, which no finite number of points constrains (the rim of a standing cylinder): the current ones. */
  rims?(a: Pose, b: Pose, tolerance: number): Rim[]
  /** Only with such rims: the discs that touch at the lowest point (in `held`) and may become flat next. */
  landings?(a: Pose, b: Pose, held: readonly FeaturePair[]): Landing[]
  readonly counts: ColliderCounts
}

/**
 * A smooth convex surface of A against a smooth surface, a vertex, an edge or the side of a cone of B [Baraff92 §5.2, §6.3–6.4].
 *
 * The extremal points p_A, p_B satisfy d = p_A − p_B = C n̂ at all times. In body X the point with normal m moves by H_X = ∇²h_X(m) times the rate at which
 * m turns relative to the body. With u = v_A(p_A) − v_B(p_A), n̂ turns relative to B by x = n̂̇ − ω_B × n̂ in the tangent plane, where
 *
 *   ṗ_A = v_A(p_A) + H_A (ω_A × n̂ − n̂̇),   (H_A + H_B + C 1) x = P u + H_A ((ω_A − ω_B) × n̂)
 *
 * On an edge or a cone, x has only the component about its axis, and r̂·d/c replaces C (`extreme-direction.ts`).
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform, type Mat3 } from '../../math/matrix'
import { toOuter, type Pose } from '../../math/pose'
import { rotate, rotateInverse } from '../../math/quaternion'
import { add, addScaled, cross, dot, length, perpendicular, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { distanceStiffness, extremalPoints, tangentOf, type ExtremalPoints, type Ruling } from '../extreme-direction'
import { leastCurvature, type Facing, type SupportMap } from '../support'
import { pairKey } from './key'
import type { Disc } from '../round'
import { rimCrossing } from './rim-crossing'
import { generator } from './ruled'

export interface SurfaceOnSupport {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly surface: SupportMap
  readonly other: SupportMap
  /** A point on or inside A's surface, and a point of B's feature, in their body frames: the first guess is the direction between them. */
  readonly middleA: Vec3
  readonly middle: Vec3
  /** Ruling of an edge or the side of a cone of B in its body frame; `other` is its vertex or apex. `null` for surfaces and vertices. */
  readonly ruling: Ruling | null
  /** If the surface is the rim of a disc: the disc, in the body frame of A. */
  readonly disc?: Disc
  /** Radius of the ball swept along an edge of B, m; 0 if absent. */
  readonly ball?: number
  /** Length scale of rounding, m. */
  readonly size: number
  /**
   * Distance of an outward normal of A (in the frame of A) inside the range of A's normals, m, without slack; Infinity for a whole surface, also if absent.
   */
  readonly insideA?: (normal: Vec3) => number
  /** Distance of a normal and a point (both in the frame of B) inside B's feature, m; Infinity for surfaces. */
  readonly inside: (normal: Vec3, point: Vec3) => number
  readonly slack: number
}

/** Largest misalignment of facing points, × size; beyond it there is no contact, because the best direction is one in which a rim has no lowest point. */
const KINK = 1e-5
/** Cosine between two directions that count as equal. */
const SAME = 1 - 1e-9
/** Sine of the angle between an edge and a rim's plane below which the search follows the rim. */
const NARROW = 1e-4

interface Sides {
  readonly a: Facing
  readonly b: Facing
}

export class SurfacePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  /** Newton steps since creation, and number of restarts. */
  iterations = 0
  solves = 0
  /** World direction of the last solution. */
  private guess: Vec3 | null = null
  /** For a rim: position of that solution on it, as a unit vector from its centre, in the body frame of A. */
  private radial: Vec3 | undefined

  constructor(private readonly given: SurfaceOnSupport) {
    this.featureA = given.featureA
    this.featureB = given.featureB
    this.key = pairKey(given.featureA, given.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const { normal, separation, onA } = this.solve(a, b, this.sides(a, b))
    return { point: add(a.position, addScaled(onA, normal, -separation / 2)), normal, gap: separation }
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    const sides = this.sides(a.pose, b.pose)
    const { normal, separation, onA, onB } = this.solve(a.pose, b.pose, sides)
    const hA = sides.a.hessian(scale(normal, -1))
    const hB = sides.b.hessian(normal)
    const velocityA = velocityAt(a, add(a.pose.position, onA))
    const ruling = this.rulingAt(b.pose)
    const tangents = ruling === null ? [perpendicular(normal), cross(normal, perpendicular(normal))] : [tangentOf(ruling, normal)]
    const relative = sub(velocityA, velocityAt(b, add(a.pose.position, onA)))
    const turnB = cross(b.angularVelocity, normal)
    const drive = add(relative, transform(hA, cross(sub(a.angularVelocity, b.angularVelocity), normal)))
    const stiffness = distanceStiffness(ruling, normal, sub(onA, onB))
    const matrix = (i: number, j: number): number =>
      dot(tangents[i]!, add(transform(hA, tangents[j]!), transform(hB, tangents[j]!))) + (i === j ? stiffness : 0)
    const normalRate = add(turnB, solveSmall(tangents, matrix, tangents.map(t => dot(t, drive))))
    const gapRate = dot(normal, relative)
    const rateA = add(velocityA, transform(hA, sub(cross(a.angularVelocity, normal), normalRate)))
    return { pointRate: addScaled(addScaled(rateA, normalRate, -separation / 2), normal, -gapRate / 2), normalRate }
  }

  curvature(a: Pose, b: Pose): number {
    const sides = this.sides(a, b)
    const { normal } = this.solve(a, b, sides)
    const [hA, hB] = [sides.a.hessian(scale(normal, -1)), sides.b.hessian(normal)]
    return leastCurvature(hA.map((value, i) => value + hB[i]!) as unknown as Mat3)
  }

  margin(a: Pose, b: Pose): number {
    const found = this.solve(a, b, this.sides(a, b))
    const { normal } = found
    if (this.missed(b, found) > KINK * this.given.size) {
      return -Infinity
    }
    const foot = add(sub(a.position, b.position), this.onFeature(b, found))
    const { insideA, inside, slack } = this.given
    const onOwn = insideA === undefined ? Infinity : insideA(rotateInverse(a.orientation, scale(normal, -1)))
    return Math.min(onOwn, inside(rotateInverse(b.orientation, normal), rotateInverse(b.orientation, foot)) + slack)
  }

  /** Searches from a world direction if the last direction has led to another solution. In overlap there are several best directions. */
  follow(a: Pose, b: Pose, direction: Vec3): void {
    const { normal } = this.solve(a, b, this.sides(a, b))
    if (!(dot(normal, direction) >= SAME)) this.lookAlong(direction)
  }

  /** Starts the next search at a world direction. */
  lookAlong(direction: Vec3): void {
    this.guess = direction
    this.radial = undefined
  }

  /** Bodies relative to A's position. */
  private sides(a: Pose, b: Pose): Sides {
    return { a: this.given.surface.at(a, a.position), b: this.given.other.at(b, a.position) }
  }

  private solve(a: Pose, b: Pose, sides: Sides): ExtremalPoints {
    const { middleA, middle, size } = this.given
    const start = this.guess ?? sub(sub(toOuter(a, middleA), b.position), rotate(b.orientation, middle))
    const ruling = this.rulingAt(b)
    const found = this.narrow(a, b, ruling) ?? this.refined(a, b, ruling, extremalPoints(sides.a, sides.b, start, size, ruling))
    this.iterations += found.iterations
    this.solves++
    this.guess = found.normal
    const { disc } = this.given
    this.radial = disc && rotateInverse(a.orientation, scale(sub(found.onA, rotate(a.orientation, disc.center)), 1 / disc.radius))
    return found
  }

  /** From the last found point of the rim, if the rim tilts so little that no direction leads to it. */
  private narrow(a: Pose, b: Pose, ruling: Ruling | null): ExtremalPoints | null {
    const { disc } = this.given
    if (disc === undefined || ruling === null || this.radial === undefined || this.guess === null) return null
    if (Math.abs(dot(rotate(a.orientation, disc.normal), ruling.axis)) > NARROW) return null
    return this.crossing(a, b, ruling, { radial: rotate(a.orientation, this.radial), normal: this.guess })
  }

  private refined(a: Pose, b: Pose, ruling: Ruling | null, found: ExtremalPoints): ExtremalPoints {
    const { disc } = this.given
    if (disc === undefined || ruling === null) return found
    const radial = scale(sub(found.onA, rotate(a.orientation, disc.center)), 1 / disc.radius)
    return this.crossing(a, b, ruling, { radial, normal: found.normal }) ?? found
  }

  /** For a rim on an edge: exact for any tilt of the rim; `null` for all others. */
  private crossing(a: Pose, b: Pose, ruling: Ruling | null, rough: { readonly radial: Vec3; readonly normal: Vec3 }): ExtremalPoints | null {
    const { disc, middle, ball } = this.given
    if (disc === undefined || ruling === null || ruling.lean !== 0) return null
    const rim = { center: rotate(a.orientation, disc.center), axis: rotate(a.orientation, disc.normal), radius: disc.radius }
    return rimCrossing(rim, sub(toOuter(b, middle), a.position), ruling.axis, ball ?? 0, rough)
  }

  /** Misalignment of the two points along the normal, m. */
  private missed(b: Pose, { normal, separation, onA, onB }: ExtremalPoints): number {
    const ruling = this.rulingAt(b)
    const d = sub(onA, onB)
    return ruling === null ? length(addScaled(d, normal, -separation)) : Math.abs(dot(tangentOf(ruling, normal), d))
  }

  private rulingAt(b: Pose): Ruling | null {
    const { ruling } = this.given
    return ruling && { axis: rotate(b.orientation, ruling.axis), lean: ruling.lean }
  }

  /** The point of B's feature opposite to A's: on an edge or a cone it lies anywhere along a generator. */
  private onFeature(b: Pose, { normal, onA, onB }: ExtremalPoints): Vec3 {
    const ruling = this.rulingAt(b)
    if (ruling === null) {
      return onB
    }
    const g = generator(ruling.axis, ruling.lean, normal)
    return addScaled(onB, g, dot(g, sub(onA, onB)))
  }
}

/** Solves the one or two equations for the rate of the normal; zero rate if they are singular (two corners). */
function solveSmall(tangents: readonly Vec3[], m: (i: number, j: number) => number, right: readonly number[]): Vec3 {
  if (tangents.length === 1) {
    const p = m(0, 0)
    return p === 0 ? [0, 0, 0] : scale(tangents[0]!, right[0]! / p)
  }
  const [p, q, r] = [m(0, 0), m(0, 1), m(1, 1)]
  const determinant = p * r - q * q
  if (determinant === 0) {
    return [0, 0, 0]
  }
  const first = (r * right[0]! - q * right[1]!) / determinant
  const second = (p * right[1]! - q * right[0]!) / determinant
  return addScaled(scale(tangents[0]!, first), tangents[1]!, second)
}

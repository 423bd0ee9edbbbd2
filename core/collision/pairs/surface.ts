/**
 * A smooth convex surface of A against a smooth surface, a vertex or an edge of B [Baraff92 §5.2, §6.3–6.4].
 *
 * The extremal points p_A, p_B with d = p_A − p_B = C n̂ move as the bodies do. In body X the point of normal m moves by H_X = ∇²h_X(m) times the rate
 * at which m turns relative to the body:
 *
 *   ṗ_A = v_A(p_A) + H_A (ω_A × n̂ − n̂̇),   ṗ_B = v_B(p_B) + H_B (n̂̇ − ω_B × n̂),   ṗ_A − ṗ_B = Ċ n̂ + C n̂̇
 *
 * whose tangential part is  (H_A + H_B + C 1) n̂̇ = P (v_A − v_B) + H_A (ω_A × n̂) + H_B (ω_B × n̂).
 * On an edge of direction e only the component across it is free: n̂̇·e = e·(ω_B × n̂).
 */

import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { toOuter, type Pose } from '../../math/pose'
import { rotate, rotateInverse } from '../../math/quaternion'
import { add, addScaled, cross, dot, perpendicular, scale, sub, type Vec3 } from '../../math/vector'
import type { ContactLocation, ContactRates, Feature, FeaturePair } from '../contact'
import { extremalPoints, type ExtremalPoints } from '../extreme-direction'
import type { Facing, SupportMap } from '../support'
import { pairKey } from './key'

export interface SurfaceOnSupport {
  readonly featureA: Feature
  readonly featureB: Feature
  readonly surface: SupportMap
  readonly other: SupportMap
  /** A point of A's surface or within it, and one of B's feature, in their body frames: the first guess is the way from one to the other. */
  readonly middleA: Vec3
  readonly middle: Vec3
  /** Unit direction of an edge of B in its body frame; `null` for surfaces and vertices. */
  readonly edge: Vec3 | null
  /** m: the scale of rounding. */
  readonly size: number
  /** How far inside B's feature a normal and a point (both in the frame of B) lie, m; Infinity for surfaces. */
  readonly inside: (normal: Vec3, point: Vec3) => number
  readonly slack: number
}

interface Sides {
  readonly a: Facing
  readonly b: Facing
}

export class SurfacePair implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  /** Newton steps since the beginning, and how often they started afresh. */
  iterations = 0
  solves = 0
  /** World direction of the last solution. */
  private guess: Vec3 | null = null

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
    const relative = sub(velocityA, velocityAt(b, add(a.pose.position, this.onFeature(b.pose, onA, onB))))
    const turnA = cross(a.angularVelocity, normal)
    const turnB = cross(b.angularVelocity, normal)
    const edge = this.given.edge && rotate(b.pose.orientation, this.given.edge)
    const along = edge === null ? ([0, 0, 0] as Vec3) : scale(edge, dot(edge, turnB))
    const drive = add(relative, add(transform(hA, sub(turnA, along)), transform(hB, turnB)))
    const tangents = edge === null ? [perpendicular(normal), cross(normal, perpendicular(normal))] : [cross(edge, normal)]
    const stiffness = (i: number, j: number): number =>
      dot(tangents[i]!, add(transform(hA, tangents[j]!), transform(hB, tangents[j]!))) + (i === j ? separation : 0)
    const normalRate = add(along, solveSmall(tangents, stiffness, tangents.map(t => dot(t, drive))))
    const gapRate = dot(normal, relative)
    const rateA = add(velocityA, transform(hA, sub(turnA, normalRate)))
    return { pointRate: addScaled(addScaled(rateA, normalRate, -separation / 2), normal, -gapRate / 2), normalRate }
  }

  margin(a: Pose, b: Pose): number {
    const { normal, onA, onB } = this.solve(a, b, this.sides(a, b))
    const foot = add(sub(a.position, b.position), this.onFeature(b, onA, onB))
    return this.given.inside(rotateInverse(b.orientation, normal), rotateInverse(b.orientation, foot)) + this.given.slack
  }

  /** Bodies about A's position. */
  private sides(a: Pose, b: Pose): Sides {
    return { a: this.given.surface.at(a, a.position), b: this.given.other.at(b, a.position) }
  }

  private solve(a: Pose, b: Pose, sides: Sides): ExtremalPoints {
    const { middleA, middle, edge, size } = this.given
    const edgeNow = edge && rotate(b.orientation, edge)
    const start = this.guess ?? sub(sub(toOuter(a, middleA), b.position), rotate(b.orientation, middle))
    const found = extremalPoints(sides.a, sides.b, start, size, edgeNow)
    this.iterations += found.iterations
    this.solves++
    this.guess = found.normal
    return found
  }

  /** The point of B's feature opposite to A's: on an edge it lies anywhere along it. */
  private onFeature(b: Pose, onA: Vec3, onB: Vec3): Vec3 {
    if (this.given.edge === null) {
      return onB
    }
    const e = rotate(b.orientation, this.given.edge)
    return addScaled(onB, e, dot(e, sub(onA, onB)))
  }
}

/** Solves the one or two equations for the rate of the normal; no turn where they are singular (two corners). */
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

/**
 * Planes that can separate an edge of one convex solid from another solid: those of the solid's faces, and those that the edge spans with the solid's edges.
 *
 * Both give gaps of the *whole* edge. The largest gap is ≥ 0 exactly if the edge does not pass through the solid, because these planes are all possible
 * facets of the Minkowski difference of a segment and a solid.
 */

import type { Polyhedron } from '../../../geometry/polyhedron'
import type { BodyMotion } from '../../../geometry/motion'
import type { Pose } from '../../../math/pose'
import { gapOf, type ContactLocation, type ContactRates, type Feature, type FeaturePair } from '../../../collision/contact'
import type { LineOnLinePair } from '../../../collision/pairs/line-line'
import { edgeOnEdge } from '../../../collision/contact-polygon'
import { pairKey } from '../../../collision/pairs/key'

/** An edge of A over a face of B: its lower end is the contact. */
export class EdgeOverFace implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  private readonly ends: readonly [FeaturePair, FeaturePair]

  /** @param from and `to`: the ends of the edge, on the face */
  constructor(edge: number, face: number, from: FeaturePair, to: FeaturePair) {
    this.ends = [from, to]
    this.featureA = { kind: 'edge', index: edge }
    this.featureB = { kind: 'face', index: face }
    this.key = pairKey(this.featureA, this.featureB)
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const [from, to] = [this.ends[0].locate(a, b), this.ends[1].locate(a, b)]
    return to.gap < from.gap ? to : from
  }

  gap(a: Pose, b: Pose): number {
    const [from, to] = this.ends
    return Math.min(gapOf(from, a, b), gapOf(to, a, b))
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    return this.lower(a.pose, b.pose).rates(a, b)
  }

  margin(a: Pose, b: Pose): number {
    return this.lower(a, b).margin(a, b)
  }

  private lower(a: Pose, b: Pose): FeaturePair {
    const [from, to] = this.ends
    return to.locate(a, b).gap < from.locate(a, b).gap ? to : from
  }
}

/**
 * An edge of A over an edge of B, with the gap of the plane that both span. Parts of B above that plane reduce the gap, so that the pair stays valid when the
 * bodies have rotated so far that other edges face each other.
 */
export class EdgeOverEdge implements FeaturePair {
  readonly key: string
  readonly featureA: Feature
  readonly featureB: Feature
  private readonly lines: LineOnLinePair
  private readonly across = new Float64Array(6)
  /** Vertex of B at which the search for its highest vertex starts. */
  private readonly start: number

  constructor(a: Polyhedron, edgeA: number, private readonly b: Polyhedron, edgeB: number, sign: 1 | -1, slack: number) {
    this.lines = edgeOnEdge(a, edgeA, b, edgeB, sign, slack)
    this.start = b.edges[edgeB]!.from
    this.featureA = this.lines.featureA
    this.featureB = this.lines.featureB
    this.key = this.lines.key
  }

  locate(a: Pose, b: Pose): ContactLocation {
    const located = this.lines.locate(a, b)
    const [x, y, z] = located.normal
    const above = this.above(b, x, y, z)
    return above > 0 ? { ...located, gap: located.gap - above } : located
  }

  gap(a: Pose, b: Pose): number {
    const { across: n } = this
    const gap = this.lines.across(a, b, n)
    const above = this.above(b, n[0]!, n[1]!, n[2]!)
    return above > 0 ? gap - above : gap
  }

  /** m: height of B's highest point above its edge, along a direction in the world. */
  private above({ orientation: [qx, qy, qz, w] }: Pose, x: number, y: number, z: number): number {
    const tx = 2 * (qz * y - qy * z)
    const ty = 2 * (qx * z - qz * x)
    const tz = 2 * (qy * x - qx * y)
    const nx = x + w * tx + qz * ty - qy * tz
    const ny = y + w * ty + qx * tz - qz * tx
    const nz = z + w * tz + qy * tx - qx * ty
    const { coordinates: c } = this.b
    const top = 3 * this.b.supportIndex(nx, ny, nz, this.start)
    const edge = 3 * this.start
    return top === edge ? 0 : nx * (c[top]! - c[edge]!) + ny * (c[top + 1]! - c[edge + 1]!) + nz * (c[top + 2]! - c[edge + 2]!)
  }

  rates(a: BodyMotion, b: BodyMotion): ContactRates {
    return this.lines.rates(a, b)
  }

  margin(a: Pose, b: Pose): number {
    return this.lines.margin(a, b)
  }
}

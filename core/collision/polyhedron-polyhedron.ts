/**
 * Two convex polyhedra: separating-plane witness, contact region, candidates [Baraff92 §5.1, PBM01-G §7.2].
 *
 * The witness is the face or edge pair that defines the best separating plane, with the vertices nearest to it. It is believed when two points of
 * the solids are found that are no farther apart than the plane says: then no other direction separates better. Otherwise all directions
 * are tried afresh, so an answer never depends on the questions asked before.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform, transformTransposed } from '../math/matrix'
import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { addScaled, cross, dot, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { edgeOnEdge, faceCorners, insideFace, sidePlanes, withoutCollinear, type Corner } from './contact-polygon'
import { feet } from './pairs/line-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { SwappedPair } from './pairs/swapped'
import { pointToA, relativePose, type RelativePose } from './relative'
import {
  alongFaceOfA, alongFaceOfB, EdgePairSearch, evaluateAxis, supportOfB, type Axis, type SeparatingPlane,
} from './separating-axis'

/** Rounding of a separation, × size. */
const ROUNDING = 8 * Number.EPSILON
/** A face's direction is preferred to an edge pair's that is better by no more than this share of the contact tolerance. */
const TIE = 0.125
/** Cosine to the separating plane's normal below which a corner's normal has nothing to do with it. */
const SAME_SIDE = 0.5

export class PolyhedraCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly edgePairs: EdgePairSearch
  private readonly rounding: number
  private witness: Axis | null = null
  private readonly start = { a: 0, b: 0 }
  /** Lateral tolerance of features, m: that of the last region asked for. */
  private slack: number

  /** Both solids in their body frames. */
  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {
    this.edgePairs = new EdgePairSearch(a, b)
    this.rounding = ROUNDING * (a.radius + b.radius)
    this.slack = 1e-9 * Math.min(a.size, b.size)
  }

  separation(poseA: Pose, poseB: Pose): number {
    return this.plane(relativePose(poseA, poseB), 0).separation
  }

  separating(poseA: Pose, poseB: Pose): Separation {
    const relative = relativePose(poseA, poseB)
    const plane = this.plane(relative, 0)
    const onA = this.a.vertices[plane.supportA]!
    const onB = pointToA(relative, this.b.vertices[plane.supportB]!)
    // A face holds many points: the vertex over it says where.
    const point = plane.kind === 'faceA' ? addScaled(onB, plane.normal, plane.separation / 2)
      : plane.kind === 'faceB' ? addScaled(onA, plane.normal, -plane.separation / 2) : this.betweenEdges(relative, plane)
    return { separation: plane.separation, normal: rotate(poseA.orientation, plane.normal), point: toOuter(poseA, point) }
  }

  region(poseA: Pose, poseB: Pose, tolerance: number): FeaturePair[] {
    this.slack = tolerance
    const relative = relativePose(poseA, poseB)
    const plane = this.plane(relative, TIE * tolerance)
    if (plane.separation > tolerance) {
      return []
    }
    const corners = this.corners(relative, plane, this.bestFace('a', relative, plane), this.bestFace('b', relative, plane))
      .filter(corner => corner.gap <= tolerance)
    return corners.length === 0 ? [this.degenerate(relative, plane)]
      : withoutCollinear(corners, plane.normal, tolerance).map(corner => corner.pair)
  }

  candidates(poseA: Pose, poseB: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const relative = relativePose(poseA, poseB)
    const plane = this.plane(relative, TIE * this.slack)
    const found = new Map<string, FeaturePair>()
    for (const fA of this.facing('a', relative, plane)) {
      for (const fB of this.facing('b', relative, plane)) {
        this.corners(relative, plane, fA, fB).forEach(({ pair }) => found.set(pair.key, found.get(pair.key) ?? pair))
      }
    }
    held.forEach(pair => found.delete(pair.key))
    return [...found.values()]
  }

  private betweenEdges(relative: RelativePose, plane: SeparatingPlane): Vec3 {
    const edgeA = this.a.edges[plane.indexA]!
    const edgeB = this.b.edges[plane.indexB]!
    const originA = this.a.vertices[edgeA.from]!
    const { s } = feet(originA, edgeA.direction, pointToA(relative, this.b.vertices[edgeB.from]!), transform(relative.rotation, edgeB.direction), 1)
    return addScaled(addScaled(originA, edgeA.direction, s), plane.normal, -plane.separation / 2)
  }

  /** The best separating plane; a face's where an edge pair is better by no more than `tie`. */
  private plane(relative: RelativePose, tie: number): SeparatingPlane {
    this.counts.queries++
    const known = this.witness && evaluateAxis(this.a, this.b, relative, this.witness, this.start)
    if (known && this.certified(relative, known)) {
      this.counts.witnessHits++
      this.remember(known)
      return known
    }
    return this.remember(this.search(relative, tie))
  }

  private remember(plane: SeparatingPlane): SeparatingPlane {
    this.witness = plane
    this.start.a = plane.supportA
    this.start.b = plane.supportB
    return plane
  }

  private search(relative: RelativePose, tie: number): SeparatingPlane {
    const { a, b, start } = this
    this.counts.iterations++
    let best = alongFaceOfA(a, b, relative, 0, start.b)
    for (let f = 1; f < a.faces.length; f++) {
      best = better(best, alongFaceOfA(a, b, relative, f, best.supportB))
    }
    for (let f = 0; f < b.faces.length; f++) {
      best = better(best, alongFaceOfB(a, b, relative, f, best.supportA))
    }
    let floor = best.separation + tie
    this.edgePairs.search(relative, () => floor, (indexA, indexB) => {
      const plane = evaluateAxis(a, b, relative, { kind: 'edges', indexA, indexB }, start)
      if (plane !== null && plane.separation > floor) {
        best = plane
        floor = plane.separation
      }
    })
    return best
  }

  /** Whether two points, one of each solid, are no farther apart than the plane's separation: then the plane is the best there is. */
  private certified(relative: RelativePose, plane: SeparatingPlane): boolean {
    const { a, b } = this
    if (plane.separation < -this.rounding) {
      return false
    }
    if (plane.kind === 'edges') {
      const edgeA = a.edges[plane.indexA]!
      const edgeB = b.edges[plane.indexB]!
      const directionB = transform(relative.rotation, edgeB.direction)
      const { s, t } = feet(a.vertices[edgeA.from]!, edgeA.direction, pointToA(relative, b.vertices[edgeB.from]!), directionB, 1)
      return s >= 0 && s <= edgeA.length && t >= 0 && t <= edgeB.length
    }
    const inside = plane.kind === 'faceA'
      ? insideFace(a, a.faces[plane.indexA]!, pointToA(relative, b.vertices[plane.supportB]!))
      : insideFace(b, b.faces[plane.indexB]!, transformTransposed(relative.rotation, sub(a.vertices[plane.supportA]!, relative.position)))
    return inside >= 0 || this.corners(relative, plane, this.bestFace('a', relative, plane), this.bestFace('b', relative, plane))
      .some(corner => corner.gap <= plane.separation + this.rounding)
  }

  /** Corners of two faces that face each other along the plane's normal; those whose own normal says something else are left out. */
  private corners(relative: RelativePose, plane: SeparatingPlane, fA: number, fB: number): Corner[] {
    return faceCorners(this.a, this.b, relative, fA, fB, plane.normal, this.slack).filter(corner => {
      const cosine = dot(corner.normal, plane.normal)
      return cosine > SAME_SIDE && corner.gap * cosine >= plane.separation - this.slack
    })
  }

  /** The face at the supporting feature that faces the other solid most squarely, the lowest index of equals. */
  private bestFace(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane): number {
    const solid = this[side]
    if (plane.kind === (side === 'a' ? 'faceA' : 'faceB')) {
      return side === 'a' ? plane.indexA : plane.indexB
    }
    const towards = this.towardsOther(side, relative, plane)
    const support = side === 'a'
      ? solid.supportIndex(towards[0], towards[1], towards[2], plane.supportA)
      : supportOfB(solid, relative, plane.normal, plane.supportB)
    let best = -1
    let cosine = -Infinity
    for (const v of [support, ...solid.vertexNeighbors[support]!]) {
      if (dot(towards, sub(solid.vertices[support]!, solid.vertices[v]!)) <= this.slack) {
        for (const f of solid.vertexFaces[v]!) {
          const c = dot(solid.faces[f]!.normal, towards)
          if (c > cosine + Number.EPSILON || (c > cosine - Number.EPSILON && f < best)) {
            cosine = Math.max(c, cosine)
            best = f
          }
        }
      }
    }
    return best
  }

  /** All faces at the supporting feature that the other solid could come to lie on. */
  private facing(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane): number[] {
    const solid = this[side]
    const towards = this.towardsOther(side, relative, plane)
    const support = solid.supportIndex(towards[0], towards[1], towards[2], side === 'a' ? plane.supportA : plane.supportB)
    const faces = new Set<number>()
    for (const v of [support, ...solid.vertexNeighbors[support]!]) {
      if (dot(towards, sub(solid.vertices[support]!, solid.vertices[v]!)) <= this.slack) {
        solid.vertexFaces[v]!.filter(f => dot(solid.faces[f]!.normal, towards) > SAME_SIDE).forEach(f => faces.add(f))
      }
    }
    return [...faces].sort((f, g) => f - g)
  }

  /** Direction from one solid to the other, in its own frame. */
  private towardsOther(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane): Vec3 {
    return side === 'a' ? negate(plane.normal) : transformTransposed(relative.rotation, plane.normal)
  }

  /** One contact for features that meet only at a point or line where no face lies under a vertex: the separating plane is its normal. */
  private degenerate(relative: RelativePose, plane: SeparatingPlane): FeaturePair {
    const { a, b } = this
    if (plane.kind === 'edges') {
      const edgeA = a.edges[plane.indexA]!
      const edgeB = b.edges[plane.indexB]!
      const m = transform(relative.rotation, edgeB.direction)
      const sign = dot(plane.normal, cross(edgeA.direction, m)) < 0 ? -1 : 1
      const { s, t } = feet(a.vertices[edgeA.from]!, edgeA.direction, pointToA(relative, b.vertices[edgeB.from]!), m, sign)
      const outside = Math.max(0, -s, s - edgeA.length, -t, t - edgeB.length)
      return edgeOnEdge(a, plane.indexA, b, plane.indexB, sign, 2 * (outside + this.slack))
    }
    if (plane.kind === 'faceB') {
      const point = a.vertices[plane.supportA]!
      return this.besideFace(a, plane.supportA, b, plane.indexB, transformTransposed(relative.rotation, sub(point, relative.position)))
    }
    return new SwappedPair(this.besideFace(b, plane.supportB, a, plane.indexA, pointToA(relative, b.vertices[plane.supportB]!)))
  }

  /** A vertex beyond the rim of a face that it touches the plane of; it is named after the face's edge or vertex nearest to it. */
  private besideFace(solid: Polyhedron, v: number, other: Polyhedron, f: number, point: Vec3): FeaturePair {
    const face = other.faces[f]!
    const foot = addScaled(point, face.normal, face.offset - dot(face.normal, point))
    let nearest: { kind: 'edge' | 'vertex', index: number } = { kind: 'vertex', index: face.loop[0]! }
    let square = Infinity
    for (const e of face.edges) {
      const edge = other.edges[e]!
      const from = sub(foot, other.vertices[edge.from]!)
      const t = Math.max(0, Math.min(edge.length, dot(from, edge.direction)))
      const away = addScaled(from, edge.direction, -t)
      if (dot(away, away) < square) {
        square = dot(away, away)
        nearest = t > 0 && t < edge.length ? { kind: 'edge', index: e } : { kind: 'vertex', index: t > 0 ? edge.to : edge.from }
      }
    }
    return new PointOnPlanePair({
      featureA: { kind: 'vertex', index: v }, featureB: nearest, point: solid.vertices[v]!, radius: 0,
      normal: face.normal, offset: face.offset, boundary: sidePlanes(other, face), slack: 2 * (Math.sqrt(square) + this.slack),
    })
  }
}

function better(held: SeparatingPlane, tried: SeparatingPlane): SeparatingPlane {
  return tried.separation > held.separation ? tried : held
}

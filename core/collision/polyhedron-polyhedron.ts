/**
 * Two convex polyhedra: separating-plane witness, contact region, candidates [Baraff92 §5.1, PBM01-G §7.2].
 *
 * The witness is the pair of features that defines the best separating plane, with the vertices nearest to it. It is believed when two points of
 * the solids are found that are no farther apart than the plane says: then no other direction separates better. Otherwise the features next to
 * it are tried, and where that does not lead to such a proof, all of them; so an answer never depends on the questions asked before.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { transform, transformTransposed } from '../math/matrix'
import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { addScaled, dot, length, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { faceCorners, withoutCollinear, type Corner } from './contact-polygon'
import { degenerateContact } from './degenerate-contact'
import { EdgePairSearch } from './edge-pairs'
import { nearestPoints } from './nearest-points'
import { feet } from './pairs/line-line'
import { pointToA, relativePose, type RelativePose } from './relative'
import { alongFaceOfA, alongFaceOfB, evaluateAxis, supportOfB, type Axis, type SeparatingPlane } from './separating-axis'

/** Rounding of a separation, × size. */
const ROUNDING = 8 * Number.EPSILON
/** A face's direction is preferred to an edge pair's that is better by no more than this share of the contact tolerance. */
const TIE = 0.125
/** Number of edge pairs from which on a search first climbs from where it was. */
const LARGE = 1000
/** Cosine to the separating plane's normal below which a corner's normal has nothing to do with it. */
const SAME_SIDE = 0.5

export class PolyhedraCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly edgePairs: EdgePairSearch
  private readonly rounding: number
  /** Whether trying all edge pairs costs more than feeling one's way. */
  private readonly large: boolean
  private witness: Axis | null = null
  private readonly start = { a: 0, b: 0 }
  /** Lateral tolerance of features, m: that of the last region asked for. */
  private slack: number

  /** Both solids in their body frames. */
  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {
    this.large = a.edges.length * b.edges.length > LARGE
    this.edgePairs = new EdgePairSearch(a, b)
    this.rounding = ROUNDING * (a.radius + b.radius)
    this.slack = 1e-9 * Math.min(a.size, b.size)
  }

  separation(poseA: Pose, poseB: Pose): number {
    return this.plane(relativePose(poseA, poseB)).separation
  }

  separating(poseA: Pose, poseB: Pose): Separation {
    const relative = relativePose(poseA, poseB)
    const plane = this.plane(relative)
    return {
      separation: plane.separation, normal: rotate(poseA.orientation, plane.normal),
      point: toOuter(poseA, addScaled(this.footOnA(relative, plane), plane.normal, -plane.separation / 2)),
    }
  }

  region(poseA: Pose, poseB: Pose, tolerance: number): FeaturePair[] {
    this.slack = tolerance
    const relative = relativePose(poseA, poseB)
    const best = this.plane(relative)
    if (best.separation > tolerance) {
      return []
    }
    const plane = this.preferFace(relative, best, TIE * tolerance)
    const corners = this.corners(relative, plane, this.bestFace('a', relative, plane), this.bestFace('b', relative, plane), tolerance)
      .filter(corner => corner.gap <= tolerance && this.separates(relative, plane, corner))
    return corners.length === 0 ? [degenerateContact(this.a, this.b, relative, plane, tolerance)]
      : withoutCollinear(corners, plane.normal, tolerance).map(corner => corner.pair)
  }

  candidates(poseA: Pose, poseB: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    const relative = relativePose(poseA, poseB)
    const plane = this.preferFace(relative, this.plane(relative), TIE * this.slack)
    const found = new Map<string, FeaturePair>()
    for (const fA of this.facing('a', relative, plane, SAME_SIDE)) {
      for (const fB of this.facing('b', relative, plane, SAME_SIDE)) {
        this.corners(relative, plane, fA, fB, this.slack).forEach(({ pair }) => found.set(pair.key, found.get(pair.key) ?? pair))
      }
    }
    held.forEach(pair => found.delete(pair.key))
    return [...found.values()]
  }

  /** The point of A that faces B along the plane's normal. */
  private footOnA(relative: RelativePose, plane: SeparatingPlane): Vec3 {
    const { a, b } = this
    const onB = pointToA(relative, b.vertices[plane.supportB]!)
    switch (plane.kind) {
      case 'faceA':
      case 'edgeVertex':
        return addScaled(onB, plane.normal, plane.separation)
      case 'faceB':
      case 'vertexEdge':
      case 'vertices':
        return a.vertices[plane.supportA]!
      case 'edges': {
        const edgeA = a.edges[plane.indexA]!
        const edgeB = b.edges[plane.indexB]!
        const originA = a.vertices[edgeA.from]!
        const { s } = feet(originA, edgeA.direction, pointToA(relative, b.vertices[edgeB.from]!), transform(relative.rotation, edgeB.direction), 1)
        return addScaled(originA, edgeA.direction, s)
      }
    }
  }

  /** The best separating plane. */
  private plane(relative: RelativePose): SeparatingPlane {
    this.counts.queries++
    const known = this.witness && evaluateAxis(this.a, this.b, relative, this.witness, this.start)
    if (known && this.isBest(relative, known)) {
      this.counts.witnessHits++
      return this.remember(known)
    }
    return this.remember((this.large ? this.climb(relative, known) : null) ?? this.search(relative))
  }

  private remember(plane: SeparatingPlane): SeparatingPlane {
    this.witness = plane
    this.start.a = plane.supportA
    this.start.b = plane.supportB
    return plane
  }

  /** From plane to ever better plane spanned by features around the supporting vertices; `null` where that ends without proof. */
  private climb(relative: RelativePose, known: SeparatingPlane | null): SeparatingPlane | null {
    let best = known ?? alongFaceOfB(this.a, this.b, relative, 0, this.start.a)
    for (;;) {
      this.counts.iterations++
      const next = this.around(best).map(axis => evaluateAxis(this.a, this.b, relative, axis, { a: best.supportA, b: best.supportB }))
        .reduce<SeparatingPlane>((held, tried) => tried === null ? held : better(held, tried), best)
      if (next.separation > 0 && this.isBest(relative, next)) {
        return next
      }
      if (!(next.separation > best.separation)) {
        return null
      }
      best = next
    }
  }

  /** Axes of all features at the supporting vertices. */
  private around({ supportA, supportB }: SeparatingPlane): Axis[] {
    const { a, b } = this
    const edgesA = a.vertexEdges[supportA]!
    const edgesB = b.vertexEdges[supportB]!
    return [
      ...a.vertexFaces[supportA]!.map((indexA): Axis => ({ kind: 'faceA', indexA, indexB: 0 })),
      ...b.vertexFaces[supportB]!.map((indexB): Axis => ({ kind: 'faceB', indexA: 0, indexB })),
      ...edgesA.flatMap(indexA => edgesB.map((indexB): Axis => ({ kind: 'edges', indexA, indexB }))),
      ...edgesB.map((indexB): Axis => ({ kind: 'vertexEdge', indexA: supportA, indexB })),
      ...edgesA.map((indexA): Axis => ({ kind: 'edgeVertex', indexA, indexB: supportB })),
      { kind: 'vertices', indexA: supportA, indexB: supportB },
    ]
  }

  /** Tries everything: facets first; where the solids are apart, also what lies between vertices and edges. */
  private search(relative: RelativePose): SeparatingPlane {
    const { a, b, start } = this
    let best = alongFaceOfA(a, b, relative, 0, start.b)
    for (let f = 1; f < a.faces.length; f++) {
      best = better(best, alongFaceOfA(a, b, relative, f, best.supportB))
    }
    for (let f = 0; f < b.faces.length; f++) {
      best = better(best, alongFaceOfB(a, b, relative, f, best.supportA))
    }
    const consider = (axis: Axis): void => {
      const plane = evaluateAxis(a, b, relative, axis, { a: best.supportA, b: best.supportB })
      best = plane === null ? best : better(best, plane)
    }
    this.edgePairs.search(relative, () => best.separation, (indexA, indexB) => consider({ kind: 'edges', indexA, indexB }))
    if (best.separation > 0 && !this.isBest(relative, best)) {
      consider(nearestPoints(a, b, relative))
    }
    return best
  }

  /** Whether two points, one of each solid, are no farther apart than the plane's separation: then there is none better. */
  private isBest(relative: RelativePose, plane: SeparatingPlane): boolean {
    if (plane.separation < -this.rounding) {
      return false
    }
    const nearest = plane.separation + this.rounding
    return plane.distance <= nearest || ((plane.kind === 'faceA' || plane.kind === 'faceB')
      && this.corners(relative, plane, this.bestFace('a', relative, plane), this.bestFace('b', relative, plane), 0)
        .some(({ gap }) => gap <= nearest))
  }

  /**
   * A face's plane where it is worse than the given one by no more than `tie`: two faces that touch have many names for one plane, and a vertex in a vertex
   * has many planes. A face of B comes first, as where corners of faces are named: which of them it is does not depend on rounding then.
   */
  private preferFace(relative: RelativePose, plane: SeparatingPlane, tie: number): SeparatingPlane {
    if (plane.kind === 'faceB') {
      return plane
    }
    const { a, b } = this
    const near = (face: SeparatingPlane): boolean => face.separation >= plane.separation - tie
    const ofB = (f: number): SeparatingPlane => alongFaceOfB(a, b, relative, f, plane.supportA)
    const ofA = (f: number): SeparatingPlane => alongFaceOfA(a, b, relative, f, plane.supportB)
    const squarest = ofB(this.bestFace('b', relative, plane))
    if (near(squarest)) {
      return squarest
    }
    const face = this.facing('b', relative, plane, 0).map(ofB).reduce(better, squarest)
    if (near(face) || plane.kind === 'faceA') {
      return near(face) ? face : plane
    }
    const other = this.facing('a', relative, plane, 0).map(ofA).reduce(better, ofA(this.bestFace('a', relative, plane)))
    return near(other) ? other : plane
  }

  /** Whether the vertex of a corner is, along the corner's own normal, nearest to the other solid of all around it: what lies deeper is not held there. */
  private separates(relative: RelativePose, plane: SeparatingPlane, { pair: { featureA, featureB }, normal, gap }: Corner): boolean {
    if (featureA.kind === featureB.kind) {
      return true
    }
    const ofA = featureA.kind === 'vertex'
    const [solid, other] = ofA ? [this.a, this.b] : [this.b, this.a]
    const up = ofA ? normal : negate(transformTransposed(relative.rotation, normal))
    const v = ofA ? featureA.index : featureB.index
    const from = solid.vertices[v]!
    return solid.vertexNeighbors[v]!.every(w => {
      const edge = sub(solid.vertices[w]!, from)
      const reach = Math.min(1, 2 * other.radius / length(edge))
      return gap + reach * dot(up, edge) >= plane.separation - 2 * this.slack
    })
  }

  /** Corners of two faces that face each other along the plane's normal; those whose own normal says something else are left out. */
  private corners(relative: RelativePose, plane: SeparatingPlane, fA: number, fB: number, slack: number): Corner[] {
    return faceCorners(this.a, this.b, relative, fA, fB, plane.normal, slack).filter(corner => {
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

  /** All faces at the supporting feature that the other solid could come to lie on: those whose normals make an angle of more than this cosine. */
  private facing(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane, cosine: number): number[] {
    const solid = this[side]
    const towards = this.towardsOther(side, relative, plane)
    const support = solid.supportIndex(towards[0], towards[1], towards[2], side === 'a' ? plane.supportA : plane.supportB)
    const faces = new Set<number>()
    for (const v of [support, ...solid.vertexNeighbors[support]!]) {
      if (dot(towards, sub(solid.vertices[support]!, solid.vertices[v]!)) <= this.slack) {
        solid.vertexFaces[v]!.filter(f => dot(solid.faces[f]!.normal, towards) > cosine).forEach(f => faces.add(f))
      }
    }
    return [...faces].sort((f, g) => f - g)
  }

  /** Direction from one solid to the other, in its own frame. */
  private towardsOther(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane): Vec3 {
    return side === 'a' ? negate(plane.normal) : transformTransposed(relative.rotation, plane.normal)
  }
}

function better(held: SeparatingPlane, tried: SeparatingPlane): SeparatingPlane {
  return tried.separation > held.separation ? tried : held
}

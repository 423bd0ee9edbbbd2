/** Two convex polyhedra: separating-plane witness, contact region, candidates [Baraff92 §5.1, PBM01-G §7.2]. */

import type { Polyhedron } from '../geometry/polyhedron'
import { transformTransposed } from '../math/matrix'
import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { addScaled, dot, length, negate, sub, type Vec3 } from '../math/vector'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { faceCorners, withoutCollinear, type Corner } from './contact-polygon'
import { BestPlane } from './best-plane'
import { degenerateContact } from './degenerate-contact'
import { footOnA } from './plane-foot'
import { relativePose, type RelativePose } from './relative'
import type { SeparatingPlane } from './separating-axis'

/** A face's direction is preferred to that of an edge pair unless the latter is better by more than this share of the contact tolerance. */
const TIE = 0.125
/** Least cosine between the separating plane's normal and a corner's normal. */
const SAME_SIDE = 0.5

export class PolyhedraCollider implements PairCollider {
  readonly counts: ColliderCounts
  private readonly best: BestPlane
  /** Lateral tolerance of features in the last region, m. */
  private slack: number

  /** Both solids in their body frames. */
  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {
    this.best = new BestPlane(a, b)
    this.counts = this.best.counts
    this.slack = 1e-9 * Math.min(a.size, b.size)
  }

  separation(poseA: Pose, poseB: Pose): number {
    return this.best.find(relativePose(poseA, poseB)).separation
  }

  separating(poseA: Pose, poseB: Pose): Separation {
    const relative = relativePose(poseA, poseB)
    const plane = this.best.find(relative)
    return {
      separation: plane.separation, normal: rotate(poseA.orientation, plane.normal),
      point: toOuter(poseA, addScaled(footOnA(this.a, this.b, relative, plane), plane.normal, -plane.separation / 2)),
    }
  }

  region(poseA: Pose, poseB: Pose, tolerance: number): FeaturePair[] {
    this.slack = tolerance
    const relative = relativePose(poseA, poseB)
    const best = this.best.find(relative)
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
    const plane = this.preferFace(relative, this.best.find(relative), TIE * this.slack)
    const found = new Map<string, FeaturePair>()
    for (const fA of this.facing('a', relative, plane, SAME_SIDE)) {
      for (const fB of this.facing('b', relative, plane, SAME_SIDE)) {
        this.corners(relative, plane, fA, fB, this.slack).forEach(({ pair }) => found.set(pair.key, found.get(pair.key) ?? pair))
      }
    }
    held.forEach(pair => found.delete(pair.key))
    return [...found.values()]
  }

  /**
   * A face's plane if it is worse than the given one by at most `tie`. Two touching faces have many names for one plane, and a vertex on a vertex has many
   * planes. A face of B comes first, in agreement with the naming of corners, so that the choice does not depend on rounding.
   */
  private preferFace(relative: RelativePose, plane: SeparatingPlane, tie: number): SeparatingPlane {
    if (plane.kind === 'faceB') {
      return plane
    }
    const near = (face: SeparatingPlane): boolean => face.separation >= plane.separation - tie
    const ofB = (f: number): SeparatingPlane => this.best.ofFace(relative, 'faceB', f, plane)
    const ofA = (f: number): SeparatingPlane => this.best.ofFace(relative, 'faceA', f, plane)
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

  /**
   * Whether the vertex of a corner is, along the corner's normal, nearer to the other solid than all its neighbours. A corner with a deeper neighbour does
   * not constrain the contact.
   */
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

  /** Corners of two facing faces along the plane's normal; corners with a different normal are omitted. */
  private corners(relative: RelativePose, plane: SeparatingPlane, fA: number, fB: number, slack: number): Corner[] {
    return faceCorners(this.a, this.b, relative, fA, fB, plane.normal, slack).filter(corner => {
      const cosine = dot(corner.normal, plane.normal)
      return cosine > SAME_SIDE && corner.gap * cosine >= plane.separation - this.slack
    })
  }

  /** The face at the supporting feature best aligned with the other solid; the lowest index among equals. */
  private bestFace(side: 'a' | 'b', relative: RelativePose, plane: SeparatingPlane): number {
    const solid = this[side]
    if (plane.kind === (side === 'a' ? 'faceA' : 'faceB')) {
      return side === 'a' ? plane.indexA : plane.indexB
    }
    const towards = this.towardsOther(side, relative, plane)
    const support = solid.supportIndex(towards[0], towards[1], towards[2], side === 'a' ? plane.supportA : plane.supportB)
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

  /** All faces at the supporting feature on which the other solid could come to rest: the cosine of their normals exceeds this value. */
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

/** The better of two planes; the first among equals. */
function better(held: SeparatingPlane, tried: SeparatingPlane): SeparatingPlane {
  return tried.separation > held.separation ? tried : held
}

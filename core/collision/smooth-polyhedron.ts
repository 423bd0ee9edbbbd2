/**
 * A smooth solid on a convex polyhedron: face → edge → vertex [Baraff92 §5.2.2].
 *
 * A face holds the contact where the surface's point of opposite normal lies over it; an edge where the best direction at right angles to it lies between
 * its faces' normals and the foot between its ends; a vertex where the best direction lies within its cone. Apart, exactly one feature does; in shallow
 * overlap the one of least depth is taken.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { toInner, toOuter, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { addScaled, dot, lengthSquared, negate, sub, ZERO, type Vec3 } from '../math/vector'
import { ascend } from './ascent'
import type { ColliderCounts, FeaturePair, PairCollider, Separation } from './contact'
import { sidePlanes } from './face-domain'
import { nearestGuess, type NearestGuess } from './nearest-guess'
import { PointSupport, type SmoothSupport } from './support'
import { SurfacePair } from './pairs/surface'
import { SurfaceOnPlanePair } from './pairs/surface-plane'

interface Found {
  readonly pair: FeaturePair
  readonly gap: number
}

/** Of separations, × size. */
const ROUNDING = 1e-11

const SURFACE = { kind: 'surface', index: 0 } as const

export class SmoothPolyhedronCollider implements PairCollider {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private witness: FeaturePair | null = null
  /** Made once, by feature. */
  private readonly pairs = new Map<string, FeaturePair>()
  private slack = 0

  /** Both in their body frames. */
  constructor(private readonly surface: SmoothSupport, private readonly solid: Polyhedron) {}

  separation(a: Pose, b: Pose): number {
    return this.nearest(a, b).gap
  }

  separating(a: Pose, b: Pose): Separation {
    const { gap, normal, point } = this.nearest(a, b).pair.locate(a, b)
    return { separation: gap, normal, point }
  }

  region(a: Pose, b: Pose, tolerance: number): FeaturePair[] {
    if (tolerance !== this.slack) {
      this.slack = tolerance
      this.pairs.clear()
    }
    const { pair, gap } = this.nearest(a, b)
    return gap <= tolerance ? [pair] : []
  }

  candidates(a: Pose, b: Pose, held: readonly FeaturePair[]): FeaturePair[] {
    return held.length > 0 ? [] : [this.nearest(a, b).pair]
  }

  private nearest(a: Pose, b: Pose): Found {
    this.counts.queries++
    if (this.witness !== null && this.witness.margin(a, b) >= this.slack) {
      const { gap } = this.witness.locate(a, b)
      if (gap > 0) {
        this.counts.witnessHits++
        return { pair: this.witness, gap }
      }
    }
    this.counts.iterations++
    const found = this.search(a, b)
    this.witness = found.pair
    return found
  }

  private search(a: Pose, b: Pose): Found {
    const { solid } = this
    const faces = solid.faces.map((_, f): Found => { const pair = this.face(f); return { pair, gap: pair.locate(a, b).gap } })
    const deepest = faces.reduce((best, tried) => tried.gap > best.gap ? tried : best)
    const valid = ({ pair, gap }: Found): boolean => pair.margin(a, b) >= this.slack && Number.isFinite(gap)
    const onFace = faces.filter(found => found.gap > 0 && valid(found))
    if (onFace.length > 0) {
      return onFace[0]!
    }
    let best: Found | null = null
    const guess = this.guess(a, b)
    const direction = sub(guess.onA, guess.onB)
    for (const make of this.byDistance(toInner(b, guess.onB))) {
      const pair = make()
      if (guess.least > 0) pair.lookAlong(direction)
      const found = { pair, gap: pair.locate(a, b).gap }
      if ((best === null || found.gap > best.gap) && (found.gap > 0 || deepest.gap <= 0) && valid(found)) {
        best = found
        if (best.gap > 0) return best
      }
    }
    return this.unled(a, b, best !== null && best.gap > deepest.gap ? best : deepest, direction)
  }

  /**
   * Where nothing proves that the solids are apart, curves may have been led astray, by where they were before or by flat spots: where some direction separates
   * better than what was found, all begin again along it, and the one that separates best is taken.
   */
  private unled(a: Pose, b: Pose, found: Found, guess: Vec3): Found {
    const separated = this.separated(a, b)
    const direction = ascend(separated, [found.pair.locate(a, b).normal, guess])
    const rounding = ROUNDING * (this.surface.shape.radius + this.solid.radius)
    let best = found
    if (!(separated(direction) > found.gap + rounding)) return found
    for (const pair of [...this.solid.edges.map((_, e) => this.edge(e)), ...this.solid.vertices.map((_, v) => this.vertex(v))]) {
      pair.lookAlong(direction)
      const { gap, normal } = pair.locate(a, b)
      if (gap > best.gap && separated(normal) >= gap - rounding) best = { pair, gap }
    }
    return best
  }

  /** How far a unit vector out of the polyhedron separates the two, m. */
  private separated(a: Pose, b: Pose): (normal: Vec3) => number {
    const facing = this.surface.at(a, b.position)
    const { solid } = this
    return normal => {
      const [x, y, z] = rotateInverse(b.orientation, normal)
      return dot(normal, facing.support(negate(normal))) - dot([x, y, z], solid.vertices[solid.supportIndex(x, y, z, 0)]!)
    }
  }

  private guess(a: Pose, b: Pose): NearestGuess {
    const { solid, surface } = this
    const facing = surface.at(a, ZERO)
    const middle = toOuter(a, surface.pose.position)
    const onSolid = (d: Vec3): Vec3 => {
      const [x, y, z] = rotateInverse(b.orientation, d)
      return toOuter(b, solid.vertices[solid.supportIndex(x, y, z, 0)]!)
    }
    return nearestGuess(d => facing.support(d), onSolid, middle, toOuter(b, solid.vertices[0]!))
  }

  /** Edges and vertices, nearest to a point first: apart, the first that holds the contact is the only one. */
  private byDistance(middle: Vec3): (() => SurfacePair)[] {
    const { solid } = this
    const ranked = [
      ...solid.edges.map((edge, e) => {
        const from = sub(middle, solid.vertices[edge.from]!)
        const t = Math.max(0, Math.min(edge.length, dot(from, edge.direction)))
        return { square: lengthSquared(addScaled(from, edge.direction, -t)), make: () => this.edge(e) }
      }),
      ...solid.vertices.map((vertex, v) => ({ square: lengthSquared(sub(middle, vertex)), make: () => this.vertex(v) })),
    ]
    return ranked.sort((p, q) => p.square - q.square).map(({ make }) => make)
  }

  /** A key is of one kind of pair. */
  private made<P extends FeaturePair>(key: string, make: () => P): P {
    const known = (this.pairs.get(key) as P | undefined) ?? make()
    this.pairs.set(key, known)
    return known
  }

  private face(f: number): FeaturePair {
    return this.made(`f${f}`, () => {
      const face = this.solid.faces[f]!
      return new SurfaceOnPlanePair({
        featureA: SURFACE, featureB: { kind: 'face', index: f }, surface: this.surface, normal: face.normal, offset: face.offset,
        boundary: sidePlanes(this.solid, face), slack: this.slack,
      })
    })
  }

  private edge(e: number): SurfacePair {
    return this.made(`e${e}`, () => {
      const { solid } = this
      const edge = solid.edges[e]!
      const from = solid.vertices[edge.from]!
      const sides = [edge.left, edge.right].map(f => { const face = solid.faces[f]!; return face.sides[face.edges.indexOf(e)]! })
      const { radius } = this.surface.shape
      return this.surfacePair('edge', e, from, edge.direction, (normal, point) => {
        const t = dot(edge.direction, sub(point, from))
        return Math.min(t, edge.length - t, ...sides.map(side => -radius * dot(side, normal)))
      })
    })
  }

  private vertex(v: number): SurfacePair {
    return this.made(`v${v}`, () => {
      const { solid } = this
      const { radius } = this.surface.shape
      const away = solid.vertexEdges[v]!.map(e => {
        const edge = solid.edges[e]!
        return edge.from === v ? edge.direction : negate(edge.direction)
      })
      return this.surfacePair('vertex', v, solid.vertices[v]!, null, normal => Math.min(...away.map(d => -radius * dot(d, normal))))
    })
  }

  private surfacePair(
    kind: 'edge' | 'vertex', index: number, point: Vec3, edge: Vec3 | null, inside: (normal: Vec3, point: Vec3) => number,
  ): SurfacePair {
    return new SurfacePair({
      featureA: SURFACE, featureB: { kind, index }, surface: this.surface, other: new PointSupport(point),
      middleA: this.surface.pose.position, middle: point, ruling: edge && { axis: edge, lean: 0 },
      size: this.surface.shape.radius + this.solid.radius, inside, slack: this.slack,
    })
  }
}

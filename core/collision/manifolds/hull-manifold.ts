/**
 * The manifold of two convex polyhedra: corners of the overlap of the faces on both sides of the best separating plane. Its features are kept while the
 * relative motion is small, and their gaps are exact at every evaluation.
 */

import type { Polyhedron } from '../../geometry/polyhedron'
import type { Mat3 } from '../../math/matrix'
import { addScaled } from '../../math/vector'
import { BestPlane } from '../best-plane'
import type { FeaturePair } from '../contact'
import { degenerateContact } from '../degenerate-contact'
import { flatSolid, type FlatSolid } from '../flat-solid'
import { footOnA } from '../plane-foot'
import type { RelativePose } from '../relative'
import type { EvaluatedPlane } from '../separating-axis'
import { FaceOverlap } from './face-overlap'
import { HullFeatures } from './hull-features'
import type { ContactSink, Facing, Manifold } from './manifold'
import { placeRelative, type Placements } from './placements'

/** × size: lateral tolerance of features. */
const SLACK = 1e-9
/** × radius of the smaller solid: relative motion of two solids after which features are searched again. */
const HELD = 1e-3
/** Search distance of features, × reach, so that features are still cached for faster motions. */
const AHEAD = 1.5
/** φ ≤ CHORD ‖R − R′‖_F for turns of up to half a radian: ‖R − R′‖_F = 2 √2 sin(φ/2). */
const CHORD = 0.72

/** B's placement in A's frame, for the current pair. */
const rotation = new Float64Array(9)
const position = new Float64Array(3)

export class HullManifold implements Manifold {
  private readonly a: FlatSolid
  private readonly b: FlatSolid
  private readonly best: BestPlane
  private readonly features: HullFeatures
  private readonly overlap: FaceOverlap
  /** Used instead of corners if no features face each other: a vertex on a vertex, collinear edges. */
  private degenerate: FeaturePair | null = null
  /** m: search distance of the features, and B's placement in A's frame at that time, matrix first. */
  private looked = -Infinity
  private readonly placed = new Float64Array(12)
  private readonly held: number
  private readonly slack: number

  /** Both solids in their body frames. */
  constructor(a: Polyhedron, b: Polyhedron) {
    this.a = flatSolid(a)
    this.b = flatSolid(b)
    this.best = new BestPlane(a, b)
    this.slack = SLACK * Math.min(a.size, b.size)
    this.held = HELD * Math.min(a.radius, b.radius)
    this.features = new HullFeatures(this.a, this.b, this.slack)
    this.overlap = new FaceOverlap(this.a, this.b, this.features, this.slack)
  }

  contacts(at: Placements, a: number, b: number, reach: number, out: ContactSink): number {
    const { features, overlap, best } = this
    placeRelative(at, a, b, rotation, position)
    let bound = -Infinity
    if (!(reach <= this.looked && this.drift() <= this.held)) {
      const known = best.known(rotation, position)
      if (known > reach) return known
      const plane = best.seek(rotation, position)
      bound = plane.separation
      this.looked = -Infinity
      if (bound > reach) return bound
      this.find(plane, reach)
    }
    const { codes, count } = overlap
    for (let k = 0; k < count; k++) features.add(codes[k]!, at, a, b, reach, out)
    if (this.degenerate !== null) {
      const { point, normal, gap } = this.degenerate.locate(at.poseOf(a), at.poseOf(b))
      if (gap <= reach) out.add(NaN, this.degenerate, point[0], point[1], point[2], normal[0], normal[1], normal[2], gap)
    }
    return bound
  }

  separation(at: Placements, a: number, b: number, out: Facing): number {
    const { best } = this
    placeRelative(at, a, b, rotation, position)
    const known = best.known(rotation, position)
    if (known >= 0) return known
    const plane = best.seek(rotation, position)
    if (plane.separation >= 0) return plane.separation
    const { x, y, z, separation } = plane
    const [px, py, pz] = addScaled(footOnA(this.a.solid, this.b.solid, relative(), plane.frozen()), [x, y, z], -separation / 2)
    const { rotation: R, position: p } = at
    const r = 9 * a
    for (let k = 0; k < 3; k++) {
      const [u, v, w] = [R[r + 3 * k]!, R[r + 3 * k + 1]!, R[r + 3 * k + 2]!]
      out[k] = u * x + v * y + w * z
      out[3 + k] = p[3 * a + k]! + u * px + v * py + w * pz
    }
    return separation
  }

  featuresOf(code: number): FeaturePair {
    return this.features.featuresOf(code)
  }

  private find(plane: EvaluatedPlane, reach: number): void {
    const { overlap, placed } = this
    this.looked = AHEAD * reach + 2 * this.held
    overlap.find(rotation, position, plane, this.looked)
    this.degenerate = overlap.count > 0 ? null : degenerateContact(this.a.solid, this.b.solid, relative(), plane.frozen(), this.slack)
    placed.set(rotation)
    placed.set(position, 9)
  }

  /** m: approximate displacement of points of B in A's frame since the search of its features. */
  private drift(): number {
    const { placed, b: { solid: { radius } } } = this
    let turn = 0
    let shift = 0
    for (let k = 0; k < 9; k++) turn += (rotation[k]! - placed[k]!) * (rotation[k]! - placed[k]!)
    for (let k = 0; k < 3; k++) shift += (position[k]! - placed[9 + k]!) * (position[k]! - placed[9 + k]!)
    return Math.sqrt(shift) + CHORD * Math.sqrt(turn) * radius
  }
}

/** The current pair as an object, for rare queries. */
function relative(): RelativePose {
  const [a, b, c, d, e, f, g, h, i] = rotation as unknown as Mat3
  return { rotation: [a, b, c, d, e, f, g, h, i], position: [position[0]!, position[1]!, position[2]!] }
}

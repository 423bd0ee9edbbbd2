/**
 * Two corners of two polygons near each other [PEG17 eq. 33]. That neither vertex is inside the other polygon is what their own constraints say; this one sees
 * to it that the corners do not cross with both vertices outside [PEG17 fig. 6]: one of the four lines along their sides has to keep them apart,
 *
 *   X({C(a, f)}, {C(b, g)}),  f a side at b, g a side at a
 *
 * of those lines that can: what is not applicable goes through the other corner.
 */

import type { FeaturePair } from '../../../collision/contact'
import { vertexApplicability } from './applicability'
import { foreseenOver, type Facing, type FeatureConstraint, type PairFactory } from './constraints'

/** A vertex of one polygon over a side of the other. */
interface Candidate {
  readonly pair: FeaturePair
  /** m: at the end that is foreseen, after the push. */
  readonly foreseen: number
}

/** Appends those of corners that can meet within the step. */
export function cornerConstraints(ofA: Facing, ofB: Facing, pairsA: PairFactory, pairsB: PairFactory, out: FeatureConstraint[]): void {
  const { start: { vertices: A }, other: { vertices: B }, reach } = ofA
  const count = ofB.start.solid.vertices.length
  for (const a of ofA.vertices) {
    for (const b of ofB.vertices) {
      const x = A[3 * a]! - B[3 * b]!
      const y = A[3 * a + 1]! - B[3 * b + 1]!
      const z = A[3 * a + 2]! - B[3 * b + 2]!
      if (x * x + y * y + z * z > reach * reach) continue
      const candidates = [...lines(ofA, pairsA, a, b), ...lines(ofB, pairsB, b, a)].sort((p, q) => q.foreseen - p.foreseen)
      if (candidates.length > 0) {
        out.push({ kind: 'cross', feature: 'corner', index: a * count + b, candidates: candidates.map(({ pair }) => pair), primaries: 1 })
      }
    }
  }
}

/** Those along the sides at vertex `w` of the other polygon that can keep vertex `v` off. */
function lines({ start, other, end, otherEnd, push, turn }: Facing, pairs: PairFactory, v: number, w: number): Candidate[] {
  const { normals: n } = other
  return other.solid.vertexFaces[w]!.flatMap(f => {
    if (vertexApplicability(start, v, n[3 * f]!, n[3 * f + 1]!, n[3 * f + 2]!) < -turn) return []
    return { pair: pairs.vertexOnFace(v, f), foreseen: foreseenOver(end, otherEnd, push, v, f) }
  })
}

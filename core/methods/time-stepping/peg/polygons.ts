/**
 * That two polygons do not cross with every vertex of either outside the other [PEG17 fig. 6], which the constraints of their vertices do not see.
 *
 * In two dimensions the paper asks for it corner by corner, X(C(a, f), C(b, g)) for the sides of two vertices near each other [PEG17 eq. 33]. Infinite lines of
 * two corners that are not the nearest may cross where the polygons do not, so here it is asked once for the pair: one of all lines along sides keeps the
 * polygons apart,
 *
 *   X({C(a_f, f)}, {C(b_g, g)}),  a_f the vertex of A nearest to side f of B, b_g that of B nearest to side g of A.
 */

import type { FeaturePair } from '../../../collision/contact'
import { foreseenOver, type Facing, type FeatureConstraint, type PairFactory } from './constraints'

interface Candidate {
  readonly pair: FeaturePair
  /** m: at the start, and at the end that is foreseen, after the push. */
  readonly gap: number
  readonly foreseen: number
}

/** Appends the pair's constraint, unless no motion within reach can violate it. */
export function polygonConstraint(ofA: Facing, ofB: Facing, pairsA: PairFactory, pairsB: PairFactory, out: FeatureConstraint[]): void {
  const candidates = [...lines(ofA, pairsA), ...lines(ofB, pairsB)].sort((p, q) => q.foreseen - p.foreseen)
  if (candidates.some(({ gap }) => gap > ofA.reach)) return
  out.push({ kind: 'cross', feature: 'polygon', index: 0, candidates: candidates.map(({ pair }) => pair), primaries: 1 })
}

/** Of each side of the other polygon, with the vertex that is foreseen to end nearest to it. */
function lines({ start, other, end, otherEnd, push }: Facing, pairs: PairFactory): Candidate[] {
  const { vertices: V } = start
  return other.solid.faces.map((_, f): Candidate => {
    let vertex = 0
    let foreseen = Infinity
    for (let v = 0; v < start.solid.vertices.length; v++) {
      const height = foreseenOver(end, otherEnd, push, v, f)
      if (height >= foreseen) continue
      foreseen = height
      vertex = v
    }
    const gap = other.height(f, V[3 * vertex]!, V[3 * vertex + 1]!, V[3 * vertex + 2]!)
    return { pair: pairs.vertexOnFace(vertex, f), gap, foreseen }
  })
}

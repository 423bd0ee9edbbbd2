/**
 * The constraint that two polygons do not cross each other with all vertices outside the other polygon [PEG17 fig. 6], a case that the constraints of their
 * vertices miss.
 *
 * In two dimensions the paper has one constraint for each pair of near corners, X(C(a, f), C(b, g)) for the sides of two vertices [PEG17 eq. 33]. The
 * infinite lines of two corners that are not the nearest may cross although the polygons do not. So here the pair has one constraint: the line along at
 * least one side separates the polygons,
 *
 *   X({C(a_f, f)}, {C(b_g, g)}),  a_f the vertex of A nearest to side f of B, b_g that of B nearest to side g of A.
 */

import type { FeaturePair } from '../../../collision/contact'
import { predictedOver, type Facing } from './candidates'
import type { FeatureConstraint, PairFactory } from './constraints'

interface Candidate {
  readonly pair: FeaturePair
  /** m: at the start, and at the predicted end after the push. */
  readonly gap: number
  readonly predicted: number
}

/** Appends the pair's constraint, unless no motion within reach can violate it. */
export function polygonConstraint(ofA: Facing, ofB: Facing, pairsA: PairFactory, pairsB: PairFactory, out: FeatureConstraint[]): void {
  const candidates = [...lines(ofA, pairsA), ...lines(ofB, pairsB)].sort((p, q) => q.predicted - p.predicted)
  if (candidates.some(({ gap }) => gap > ofA.reach)) return
  out.push({ kind: 'cross', feature: 'polygon', index: 0, candidates: candidates.map(({ pair }) => pair), primaries: 1 })
}

/** One candidate for each side of the other polygon, with the vertex that is predicted to end nearest to it. */
function lines({ start, other, end, otherEnd, push }: Facing, pairs: PairFactory): Candidate[] {
  const { vertices: V } = start
  return other.solid.faces.map((_, f): Candidate => {
    let vertex = 0
    let predicted = Infinity
    for (let v = 0; v < start.solid.vertices.length; v++) {
      const height = predictedOver(end, otherEnd, push, v, f)
      if (height >= predicted) continue
      predicted = height
      vertex = v
    }
    const gap = other.height(f, V[3 * vertex]!, V[3 * vertex + 1]!, V[3 * vertex + 2]!)
    return { pair: pairs.vertexOnFace(vertex, f), gap, predicted }
  })
}

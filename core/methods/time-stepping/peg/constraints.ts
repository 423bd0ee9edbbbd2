/**
 * The non-penetration constraints of one convex polyhedron, feature by feature, against another [PEG17 §5.2].
 *
 * A vertex v near the other solid has to lie above one of the faces that it can come near to:
 *
 *   vertex–face       one such face                U(C(v, f))                                                             [eq. 34]
 *   vertex–edge       the two faces of an edge     I(C_ι, C_κ)                                                            [eq. 36]
 *   vertex–vertex     the faces of a vertex        I(C_ι, C_κ)                                                            [eq. 37]
 *
 * and an edge e has to pass over one of the edges e′ that it can cross, or with both ends above one face:
 *
 *   edge–edge         one such edge, no face       U(C(e, e′))                                                            [eq. 35]
 *   vertex–edge, vertex–vertex                     X({C(e, e′)}, {C(v, f)}), v the lower end of e                         [eq. 36, 38]
 *
 * Every feature pair that could be ≥ 0 at the end of the step is a candidate, so that the constraint equals the geometric condition, near corners
 * too. Those that are applicable and feasible (`applicability.ts`) can be active (C_ι); the others can only release it (C_κ). In X-constraints the
 * edge pairs are active; the vertices have their own constraints. A constraint that no motion within `reach` can violate is left out.
 *
 * An edge across a face is held at both ends of their common segment: each is an end of the edge over the face, or a crossing with one of the face's
 * sides, whose constraint adds the crossing that the edge's own does not. The choice between both must not depend on rounding.
 */

import type { FeaturePair } from '../../../collision/contact'
import type { StepConstraintKind } from '../contact-model'
import { isOverFace } from './applicability'
import { edgesOverEdge, facesOverEdge, vertexCandidates, type Candidate, type Facing } from './candidates'

/** A constraint of one feature, its candidates made by the caller's `pairs`. */
export interface FeatureConstraint {
  readonly kind: StepConstraintKind
  readonly feature: 'vertex' | 'edge' | 'polygon'
  readonly index: number
  /** Of a further constraint of an edge: the crossing that pushes. */
  readonly crossing?: string
  readonly candidates: readonly FeaturePair[]
  readonly primaries: number
  /** For an edge: its candidates covered by the constraints of its two ends. */
  readonly kept?: readonly FeaturePair[]
  /** For an edge: other edges that it crosses at the start, which may be active as well. */
  readonly crossed?: readonly FeaturePair[]
}

/** Feature pairs of the solid against the other. */
export interface PairFactory {
  vertexOnFace(v: number, f: number): FeaturePair
  edgeOverFace(e: number, f: number): FeaturePair
  edgeOverEdge(e: number, other: number, sign: 1 | -1): FeaturePair
  /** The same pair, counted as separating only beyond the distance of flush features. */
  beyond(pair: FeaturePair): FeaturePair
}

function make(pairs: PairFactory, { kind, own, other, sign }: Candidate): FeaturePair {
  switch (kind) {
    case 'vertex on face':
      return pairs.vertexOnFace(own, other)
    case 'edge over face':
      return pairs.edgeOverFace(own, other)
    case 'edge over edge':
      return pairs.edgeOverEdge(own, other, sign)
  }
}

/** Adds the constraints of the vertices, U(C) and I(C_ι, C_κ) [PEG17 eq. 34, 36, 37]. */
export function vertexConstraints(facing: Facing, pairs: PairFactory, out: FeatureConstraint[]): void {
  for (const v of facing.vertices) {
    const candidates = vertexCandidates(facing, v)
    if (candidates === null || !candidates.some(candidate => candidate.pushes)) continue
    const { candidates: sorted, primaries } = ordered(candidates, facing, pairs)
    out.push({ kind: candidates.length === 1 ? 'unilateral' : 'inter', feature: 'vertex', index: v, candidates: sorted, primaries })
  }
}

/**
 * @param vertices constraints of the same solid's vertices: an edge over a face is held if both its ends are active on it. If one or both lie beyond
 * the face's sides, only crossings hold the edge: a rotated box on another one rests on such crossings alone
 * @param taken edge pairs that are active in another constraint, by key: they must not be active twice
 */
export function edgeConstraints(
  facing: Facing, pairs: PairFactory, vertices: readonly FeatureConstraint[], taken: Set<string>, out: FeatureConstraint[],
): void {
  const held = new Set(vertices.flatMap(({ candidates, primaries }) => candidates.slice(0, primaries)))
  for (const e of facing.edges) {
    const faces = facesOverEdge(facing, e)
    if (faces === null) continue
    const edges = edgesOverEdge(facing, e)
    // Without crossings and above a single face, the constraints of its ends are equivalent.
    if (edges === null || faces.length <= 1 && !edges.some(candidate => candidate.near)) continue
    const { candidates: sorted, primaries, choice } = ordered([...edges, ...faces], facing, pairs)
    const pushing = sorted.slice(0, primaries).filter(pair => !taken.has(pair.key))
    pushing.forEach(pair => taken.add(pair.key))
    const kind = edges.length === 1 && faces.length === 0 ? 'unilateral' : 'cross'
    const { from, to } = facing.start.solid.edges[e]!
    const { start: { vertices: V }, other, flush, reach } = facing
    const holds = (v: number, f: number): boolean => {
      const [x, y, z] = [V[3 * v]!, V[3 * v + 1]!, V[3 * v + 2]!]
      return other.height(f, x, y, z) > reach || held.has(pairs.vertexOnFace(v, f)) && isOverFace(other, f, x, y, z, flush)
    }
    const kept = faces.filter(({ other: f }) => holds(from, f) && holds(to, f))
    out.push({
      kind, feature: 'edge', index: e, candidates: [...pushing, ...sorted.filter(pair => !pushing.includes(pair))], primaries: pushing.length,
      kept: kept.map(candidate => make(pairs, candidate)), crossed: choice.filter(candidate => candidate.over).map(candidate => make(pairs, candidate)),
    })
  }
}

/**
 * Crossings not covered by any edge: an edge across a face crosses a side at either end, and which of these its own constraint and those of the sides
 * cover depends on their order. Each becomes an additional constraint of its edge.
 */
export function crossConstraints(edges: readonly FeatureConstraint[], taken: Set<string>, out: FeatureConstraint[]): void {
  for (const edge of edges) {
    for (const pair of edge.crossed ?? []) {
      if (taken.has(pair.key)) continue
      taken.add(pair.key)
      out.push({ ...edge, crossing: pair.key, candidates: [pair, ...edge.candidates.filter(other => other !== pair)], primaries: 1 })
    }
  }
}

/**
 * The candidates that may be active, the best prediction first; ties by their order.
 *
 * Only candidates that separate the bodies at the start may be active: on the other side of a corner there may be no space. (A stone on a floor,
 * against a wall that stands on the floor, must not be pushed under the wall.) If only features with their own constraints separate, none is active;
 * if nothing separates because the bodies already overlap, all near ones are. Flush features separate or overlap by rounding, which must not decide,
 * so that both ends of an edge are held by the same features. Features that cannot touch in the present orientation separate only beyond the flush
 * distance, and are never active for edges.
 */
function ordered(
  candidates: readonly Candidate[], { primaries, flush }: Facing, pairs: PairFactory,
): { candidates: FeaturePair[], primaries: number, choice: readonly Candidate[] } {
  let apart = false
  for (const { gap } of candidates) apart ||= gap >= -flush
  const able = ({ near, gap, hidden }: Candidate): boolean => near && !hidden && (!apart || gap >= -flush)
  let choice = candidates.filter(candidate => candidate.pushes && able(candidate))
  if (choice.length === 0) {
    choice = candidates.filter(candidate =>
      able(candidate) && (!apart || candidate.kind === 'vertex on face' && (candidate.applies || candidate.gap > flush)))
  }
  const pushing = best(choice, primaries, flush)
  const sorted: FeaturePair[] = pushing.map(candidate => make(pairs, candidate))
  for (const candidate of candidates) {
    if (candidate.near && pushing.includes(candidate)) continue
    const pair = make(pairs, candidate)
    sorted.push(candidate.applies ? pair : pairs.beyond(pair))
  }
  return { candidates: sorted, primaries: pushing.length, choice }
}

/** Up to `count`: existing crossings before possible ones, and among these larger predicted separations beyond flush first. */
function best(candidates: readonly Candidate[], count: number, flush: number): readonly Candidate[] {
  if (candidates.length <= 1) return candidates
  const left = [...candidates]
  const chosen: Candidate[] = []
  while (chosen.length < count && left.length > 0) {
    const over = left.some(candidate => candidate.over)
    let most = -Infinity
    for (const candidate of left) if (candidate.over === over) most = Math.max(most, candidate.predicted)
    chosen.push(...left.splice(left.findIndex(candidate => candidate.over === over && candidate.predicted >= most - flush), 1))
  }
  return chosen
}

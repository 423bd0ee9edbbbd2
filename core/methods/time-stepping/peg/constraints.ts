/**
 * The non-penetration constraints of one convex polyhedron, feature by feature, against another [PEG17 §5.2].
 *
 * A vertex v near the other solid has to lie above one of the faces that it can come near to:
 *
 *   vertex–face       one such face                U(C(v, f))                                                             [eq. 34]
 *   vertex–edge       the two faces of an edge     I(C_ι, C_κ)                                                            [eq. 36]
 *   vertex–vertex     the faces of a vertex        I(C_ι, C_κ)                                                            [eq. 37]
 *
 * and an edge e has to pass by, over one of the edges e′ that it can cross, or with both ends above one face:
 *
 *   edge–edge         one such edge, no face       U(C(e, e′))                                                            [eq. 35]
 *   vertex–edge, vertex–vertex                     X({C(e, e′)}, {C(v, f)}), v the lower end of e                         [eq. 36, 38]
 *
 * Whatever could be ≥ 0 at the end of the step is a candidate, so that the constraint is exactly what the geometry demands, near corners too. Those that are
 * applicable and feasible (`applicability.ts`) can push (C_ι), the others only set free (C_κ). Of X-constraints the edge pairs push; the vertices have
 * constraints of their own. A constraint that no motion within `reach` can violate is left out.
 */

import type { FeaturePair } from '../../../collision/contact'
import type { Vec3 } from '../../../math/vector'
import type { ConstraintKind } from '../contact-model'
import { edgeApplicability, isOverFace, Span, vertexApplicability } from './applicability'
import type { PlacedSolid } from './placed'

/** sin² of the angle of two edges below which their plane is mostly noise: the faces beside them have nearly the same normal. */
const PARALLEL = 1e-6
/** The same for an edge pair that pushes: its normal turns by 1/sin of what the bodies turn by. */
const NEARLY_PARALLEL = 4e-4

/** One solid against another, at the start of a step and where it is foreseen to end. */
export interface Facing {
  readonly start: PlacedSolid
  readonly other: PlacedSolid
  readonly end: PlacedSolid
  readonly otherEnd: PlacedSolid
  /** m: pushes `end` out of `otherEnd` the shortest way; zero where they are apart. */
  readonly push: Vec3
  /** m: nothing approaches by more. */
  readonly reach: number
  /** Sine of how far the solids can turn against each other. */
  readonly turn: number
  /** How many candidates of one constraint may push. */
  readonly primaries: number
  /** Vertices of `start` that can touch. */
  readonly vertices: readonly number[]
  readonly edges: readonly number[]
  readonly otherEdges: readonly number[]
}

/** A constraint of one feature, its candidates made by the caller's `pairs`. */
export interface FeatureConstraint {
  readonly kind: ConstraintKind
  readonly feature: 'vertex' | 'edge'
  readonly index: number
  readonly candidates: readonly FeaturePair[]
  readonly primaries: number
  /** Of an edge: its candidates that the constraints of its two ends keep. */
  readonly kept?: readonly FeaturePair[]
}

/** Feature pairs of the solid against the other. */
export interface PairFactory {
  vertexOnFace(v: number, f: number): FeaturePair
  edgeOverFace(e: number, f: number): FeaturePair
  edgeOverEdge(e: number, other: number, sign: 1 | -1): FeaturePair
}

/** What may become a feature pair: vertex on face, edge over face, or edge over edge. */
interface Candidate {
  readonly kind: 'vertex on face' | 'edge over face' | 'edge over edge'
  readonly own: number
  readonly other: number
  readonly sign: 1 | -1
  /** ψ at the start, m. */
  readonly gap: number
  /** Feasible: near enough to be touched. */
  readonly near: boolean
  /** Feasible, and applicable. */
  readonly pushes: boolean
  /** ψ at the end that is foreseen, after the push, m; of what is not near it does not matter. */
  readonly foreseen: number
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

export function vertexConstraints(facing: Facing, pairs: PairFactory, out: FeatureConstraint[]): void {
  for (const v of facing.vertices) {
    const candidates = vertexCandidates(facing, v)
    if (candidates === null || !candidates.some(candidate => candidate.pushes)) continue
    out.push({ kind: candidates.length === 1 ? 'unilateral' : 'inter', feature: 'vertex', index: v, ...ordered(candidates, facing.primaries, pairs) })
  }
}

/** `null` where the vertex cannot enter the other solid within the step. */
function vertexCandidates({ start, other, end, otherEnd, push, reach, turn }: Facing, v: number): Candidate[] | null {
  const x = start.vertices[3 * v]!
  const y = start.vertices[3 * v + 1]!
  const z = start.vertices[3 * v + 2]!
  const count = other.solid.faces.length
  let highest = -Infinity
  for (let f = 0; f < count; f++) highest = Math.max(highest, other.height(f, x, y, z))
  if (highest > reach) return null
  const candidates: Candidate[] = []
  for (let f = 0; f < count; f++) {
    const gap = other.height(f, x, y, z)
    if (gap < Math.min(-reach, highest)) continue
    const near = isOverFace(other, f, x, y, z, reach)
    const { normals: n } = other
    candidates.push({
      kind: 'vertex on face', own: v, other: f, sign: 1, gap, near, foreseen: near ? foreseenOver(end, otherEnd, push, v, f) : -Infinity,
      pushes: near && vertexApplicability(start, v, n[3 * f]!, n[3 * f + 1]!, n[3 * f + 2]!) >= -turn,
    })
  }
  return candidates
}

/** m: of vertex v over face f at the end that is foreseen, after the push. */
function foreseenOver({ vertices: V }: PlacedSolid, otherEnd: PlacedSolid, push: Vec3, v: number, f: number): number {
  return otherEnd.height(f, V[3 * v]! + push[0], V[3 * v + 1]! + push[1], V[3 * v + 2]! + push[2])
}

/**
 * @param vertices constraints of the same solid's vertices: an edge over a face is kept where both its ends push on it. Where one or both lie beyond the
 *   face's sides, nothing keeps the edge there but what it crosses: a box turned against the one below rests on such crossings alone
 * @param taken edge pairs that push in another constraint already, by key: they are not to push twice
 */
export function edgeConstraints(
  facing: Facing, pairs: PairFactory, vertices: readonly FeatureConstraint[], taken: Set<string>, out: FeatureConstraint[],
): void {
  const held = new Set(vertices.flatMap(({ candidates, primaries }) => candidates.slice(0, primaries)))
  for (const e of facing.edges) {
    const faces = facesOverEdge(facing, e)
    if (faces === null) continue
    const edges = edgesOverEdge(facing, e)
    // With nothing to cross and a single face to stay above, the constraints of its ends say the same.
    if (edges === null || faces.length <= 1 && !edges.some(candidate => candidate.near)) continue
    const { candidates: sorted, primaries } = ordered([...edges, ...faces], facing.primaries, pairs)
    const pushing = sorted.slice(0, primaries).filter(pair => !taken.has(pair.key))
    pushing.forEach(pair => taken.add(pair.key))
    const kind = edges.length === 1 && faces.length === 0 ? 'unilateral' : 'cross'
    const { from, to } = facing.start.solid.edges[e]!
    const kept = faces.filter(({ other: f }) => held.has(pairs.vertexOnFace(from, f)) && held.has(pairs.vertexOnFace(to, f)))
    out.push({
      kind, feature: 'edge', index: e, candidates: [...pushing, ...sorted.filter(pair => !pushing.includes(pair))], primaries: pushing.length,
      kept: kept.map(candidate => make(pairs, candidate)),
    })
  }
}

function facesOverEdge({ start, other, reach }: Facing, e: number): Candidate[] | null {
  const { from, to } = start.solid.edges[e]!
  const { vertices: V } = start
  const [p, q] = [3 * from, 3 * to]
  const candidates: Candidate[] = []
  for (let f = 0; f < other.solid.faces.length; f++) {
    const gap = Math.min(other.height(f, V[p]!, V[p + 1]!, V[p + 2]!), other.height(f, V[q]!, V[q + 1]!, V[q + 2]!))
    if (gap > reach) return null
    if (gap < -reach) continue
    candidates.push({ kind: 'edge over face', own: e, other: f, sign: 1, gap, near: false, pushes: false, foreseen: -Infinity })
  }
  return candidates
}

const span = new Span()

function edgesOverEdge(facing: Facing, e: number): Candidate[] | null {
  const { start, other, reach, turn, otherEdges } = facing
  const found: Candidate[] = []
  const { from } = start.solid.edges[e]!
  for (const j of otherEdges) {
    const { x, y, z, sign, square } = span.outOf(start, e, other, j)
    if (square < PARALLEL || edgeApplicability(other, j, -x, -y, -z) < -turn) continue
    const gap = start.along(from, x, y, z) - other.top(x, y, z)
    if (gap > reach) return null
    if (gap < -reach) continue
    const near = crosses(start, e, other, j, reach)
    const pushes = near && square >= NEARLY_PARALLEL && edgeApplicability(start, e, x, y, z) >= -turn
    found.push({ kind: 'edge over edge', own: e, other: j, sign, gap, near, pushes, foreseen: near ? foreseenAcross(facing, e, j) : -Infinity })
  }
  return found
}

/** m: of edge e over edge j at the end that is foreseen, after the push. */
function foreseenAcross({ end, otherEnd, push }: Facing, e: number, j: number): number {
  const { x, y, z } = span.outOf(end, e, otherEnd, j)
  return end.along(end.solid.edges[e]!.from, x, y, z) - otherEnd.top(x, y, z) + (x * push[0] + y * push[1] + z * push[2])
}

/** Whether two edges cross or can come to: the feet of the common perpendicular lie on both, or no more than `reach` beyond. */
function crosses(a: PlacedSolid, i: number, b: PlacedSolid, j: number, reach: number): boolean {
  const edgeA = a.solid.edges[i]!
  const edgeB = b.solid.edges[j]!
  const [p, q] = [3 * edgeA.from, 3 * edgeB.from]
  const { vertices: V, directions: D } = a
  const { vertices: W, directions: E } = b
  const x = V[p]! - W[q]!
  const y = V[p + 1]! - W[q + 1]!
  const z = V[p + 2]! - W[q + 2]!
  const u = D[3 * i]! * x + D[3 * i + 1]! * y + D[3 * i + 2]! * z
  const v = E[3 * j]! * x + E[3 * j + 1]! * y + E[3 * j + 2]! * z
  const c = D[3 * i]! * E[3 * j]! + D[3 * i + 1]! * E[3 * j + 1]! + D[3 * i + 2]! * E[3 * j + 2]!
  const square = 1 - c * c
  const s = (c * v - u) / square
  const t = (v - c * u) / square
  return s >= -reach && s <= edgeA.length + reach && t >= -reach && t <= edgeB.length + reach
}

/**
 * Those that push first, the best foreseen in front; ties by the order they came in.
 *
 * Only what keeps the bodies apart at the start may push: on the other side of a corner there may be no room. (A stone on a floor, against a wall that stands
 * on the floor, is not to be pushed under the wall.) Where that is only what has constraints of its own, nothing pushes; where nothing keeps them apart,
 * since they overlap already, whatever is near.
 */
function ordered(candidates: readonly Candidate[], primaries: number, pairs: PairFactory): { candidates: FeaturePair[], primaries: number } {
  let apart = false
  for (const { gap } of candidates) apart ||= gap >= 0
  const able = (candidate: Candidate): boolean => candidate.near && (!apart || candidate.gap >= 0)
  let pushing = candidates.filter(candidate => candidate.pushes && able(candidate))
  if (pushing.length === 0) pushing = candidates.filter(able)
  if (pushing.length > 1) pushing.sort((p, q) => q.foreseen - p.foreseen)
  if (pushing.length > primaries) pushing.length = primaries
  const sorted: FeaturePair[] = pushing.map(candidate => make(pairs, candidate))
  for (const candidate of candidates) if (!candidate.near || !pushing.includes(candidate)) sorted.push(make(pairs, candidate))
  return { candidates: sorted, primaries: pushing.length }
}

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
import { add, dot, sub, type Vec3 } from '../../../math/vector'
import type { ConstraintKind } from '../contact-model'
import { edgeApplicability, isOverFace, outOfEdge, sineSquared, vertexApplicability } from './applicability'
import { heightOver, type PlacedSolid } from './placed'

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
}

/** Feature pairs of the solid against the other. */
export interface PairFactory {
  vertexOnFace(v: number, f: number): FeaturePair
  edgeOverFace(e: number, f: number): FeaturePair
  edgeOverEdge(e: number, other: number, sign: 1 | -1): FeaturePair
}

interface Candidate {
  readonly make: () => FeaturePair
  /** ψ at the start, m. */
  readonly gap: number
  /** Feasible: near enough to be touched. */
  readonly near: boolean
  /** Feasible, and applicable. */
  readonly pushes: boolean
  /** ψ at the end that is foreseen, after the push, m. */
  readonly foreseen: number
}

export function vertexConstraints(facing: Facing, pairs: PairFactory, out: FeatureConstraint[]): void {
  for (const v of facing.vertices) {
    const candidates = vertexCandidates(facing, pairs, v)
    if (candidates === null || !candidates.some(candidate => candidate.pushes)) continue
    out.push({ kind: candidates.length === 1 ? 'unilateral' : 'inter', feature: 'vertex', index: v, ...ordered(candidates, facing.primaries) })
  }
}

/** `null` where the vertex cannot enter the other solid within the step. */
function vertexCandidates({ start, other, end, otherEnd, push, reach, turn }: Facing, pairs: PairFactory, v: number): Candidate[] | null {
  const point = start.vertices[v]!
  const foreseen = add(end.vertices[v]!, push)
  const heights = other.normals.map((_, f) => heightOver(other, f, point))
  const highest = heights.reduce((max, height) => Math.max(max, height), -Infinity)
  if (highest > reach) return null
  const candidates: Candidate[] = []
  heights.forEach((height, f) => {
    if (height < Math.min(-reach, highest)) return
    const near = isOverFace(other, f, point, reach)
    candidates.push({
      make: () => pairs.vertexOnFace(v, f), gap: height, foreseen: heightOver(otherEnd, f, foreseen), near,
      pushes: near && vertexApplicability(start, v, other.normals[f]!) >= -turn,
    })
  })
  return candidates
}

/** @param taken edge pairs that push in another constraint already, by key: they are not to push twice */
export function edgeConstraints(facing: Facing, pairs: PairFactory, taken: Set<string>, out: FeatureConstraint[]): void {
  for (const e of facing.edges) {
    const faces = facesOverEdge(facing, pairs, e)
    if (faces === null) continue
    const edges = edgesOverEdge(facing, pairs, e)
    // With nothing to cross and a single face to stay above, the constraints of its ends say the same.
    if (edges === null || faces.length <= 1 && !edges.some(candidate => candidate.near)) continue
    const { candidates: sorted, primaries } = ordered([...edges, ...faces], facing.primaries)
    const pushing = sorted.slice(0, primaries).filter(pair => !taken.has(pair.key))
    pushing.forEach(pair => taken.add(pair.key))
    const kind = edges.length === 1 && faces.length === 0 ? 'unilateral' : 'cross'
    out.push({ kind, feature: 'edge', index: e, candidates: [...pushing, ...sorted.filter(pair => !pushing.includes(pair))], primaries: pushing.length })
  }
}

function facesOverEdge({ start, other, end, otherEnd, push, reach }: Facing, pairs: PairFactory, e: number): Candidate[] | null {
  const { from, to } = start.solid.edges[e]!
  const candidates: Candidate[] = []
  const lower = (on: PlacedSolid, f: number, p: Vec3, q: Vec3): number => Math.min(heightOver(on, f, p), heightOver(on, f, q))
  for (let f = 0; f < other.normals.length; f++) {
    const height = lower(other, f, start.vertices[from]!, start.vertices[to]!)
    if (height > reach) return null
    if (height < -reach) continue
    candidates.push({
      make: () => pairs.edgeOverFace(e, f), gap: height, near: false, pushes: false,
      foreseen: lower(otherEnd, f, add(end.vertices[from]!, push), add(end.vertices[to]!, push)),
    })
  }
  return candidates
}

function edgesOverEdge(facing: Facing, pairs: PairFactory, e: number): Candidate[] | null {
  const { start, other, end, otherEnd, push, reach, turn, otherEdges } = facing
  const found: Candidate[] = []
  for (const j of otherEdges) {
    const sine2 = sineSquared(start.directions[e]!, other.directions[j]!)
    if (sine2 < PARALLEL) continue
    const { normal, sign } = outOfEdge(start, e, other, j)
    if (edgeApplicability(other, j, [-normal[0], -normal[1], -normal[2]]) < -turn) continue
    const gap = gapAlong(start, e, other, normal)
    if (gap > reach) return null
    if (gap < -reach) continue
    const then = outOfEdge(end, e, otherEnd, j)
    const near = crosses(start, e, other, j, reach)
    found.push({
      make: () => pairs.edgeOverEdge(e, j, sign), gap, foreseen: gapAlong(end, e, otherEnd, then.normal) + dot(then.normal, push), near,
      pushes: near && sine2 >= NEARLY_PARALLEL && edgeApplicability(start, e, normal) >= -turn,
    })
  }
  return found
}

/** ψ of an edge over an edge of another solid: how far above all of it the plane lies that both span. */
function gapAlong(a: PlacedSolid, i: number, b: PlacedSolid, normal: Vec3): number {
  const height = dot(normal, a.vertices[a.solid.edges[i]!.from]!)
  return b.vertices.reduce((gap, v) => Math.min(gap, height - dot(normal, v)), Infinity)
}

/** Whether two edges cross or can come to: the feet of the common perpendicular lie on both, or no more than `reach` beyond. */
function crosses(a: PlacedSolid, i: number, b: PlacedSolid, j: number, reach: number): boolean {
  const edgeA = a.solid.edges[i]!
  const edgeB = b.solid.edges[j]!
  const u = a.directions[i]!
  const v = b.directions[j]!
  const w = sub(a.vertices[edgeA.from]!, b.vertices[edgeB.from]!)
  const c = dot(u, v)
  const square = 1 - c * c
  const s = (c * dot(w, v) - dot(w, u)) / square
  const t = (dot(w, v) - c * dot(w, u)) / square
  return s >= -reach && s <= edgeA.length + reach && t >= -reach && t <= edgeB.length + reach
}

/**
 * Those that push first, the best foreseen in front; ties by the order they came in.
 *
 * Only what keeps the bodies apart at the start may push: on the other side of a corner there may be no room. (A stone on a floor, against a wall that stands
 * on the floor, is not to be pushed under the wall.) Where that is only what has constraints of its own, nothing pushes; where nothing keeps them apart,
 * since they overlap already, whatever is near.
 */
function ordered(candidates: readonly Candidate[], primaries: number): { candidates: FeaturePair[], primaries: number } {
  const apart = candidates.filter(candidate => candidate.gap >= 0)
  const able = apart.length > 0 ? apart : candidates
  const applicable = able.filter(candidate => candidate.pushes)
  const pushing = (applicable.length > 0 ? applicable : able.filter(candidate => candidate.near)).sort((p, q) => q.foreseen - p.foreseen).slice(0, primaries)
  return { candidates: [...pushing, ...candidates.filter(candidate => !pushing.includes(candidate))].map(({ make }) => make()), primaries: pushing.length }
}

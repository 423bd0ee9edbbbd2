/**
 * Candidates for the constraint of a vertex or edge of one convex polyhedron against another: feature pairs that could be ≥ 0 at the end of the step
 * [PEG17 §5.2], with their gaps at its start and at the predicted end.
 */

import type { Vec3 } from '../../../math/vector'
import { edgeApplicability, isOverFace, Span, vertexApplicability } from './applicability'
import type { PlacedJoins } from '../../../contact/placed-joins'
import type { PlacedSolid } from './placed'

/** sin² of the angle of two edges below which their plane is mostly noise: the adjacent faces have nearly the same normal. */
const PARALLEL = 1e-6
/** The same for an active edge pair: its normal rotates by 1/sin of the bodies' rotation. */
const NEARLY_PARALLEL = 4e-4

/** One solid against another, at the start of a step and at its predicted end. */
export interface Facing {
  readonly start: PlacedSolid
  readonly other: PlacedSolid
  readonly end: PlacedSolid
  readonly otherEnd: PlacedSolid
  /** m: moves `end` out of `otherEnd` along the shortest vector; zero if separated. */
  readonly push: Vec3
  /** m: bound on any approach. */
  readonly reach: number
  /** Sine of the largest relative rotation of the solids. */
  readonly turn: number
  /** m: points within this distance from a plane may lie in it. */
  readonly flush: number
  /** What other pieces of the same meshes hide of the two solids. */
  readonly joins: PlacedJoins | null
  readonly otherJoins: PlacedJoins | null
  /** Most active candidates of one constraint. */
  readonly primaries: number
  /** Vertices of `start` that can touch. */
  readonly vertices: readonly number[]
  readonly edges: readonly number[]
  readonly otherEdges: readonly number[]
}

/** Possible feature pairs: vertex on face, edge over face, or edge over edge. */
export interface Candidate {
  readonly kind: 'vertex on face' | 'edge over face' | 'edge over edge'
  readonly own: number
  readonly other: number
  readonly sign: 1 | -1
  /** ψ at the start, m. */
  readonly gap: number
  /** Feasible: near enough to be touched. */
  readonly near: boolean
  /** Applicable: they can touch in the present orientation. */
  readonly applies: boolean
  /** For edges: at the start they cross, or are flush with an end where they do. */
  readonly over: boolean
  /** Between pieces of one mesh: separates like others, but never pushes. */
  readonly hidden: boolean
  /** Feasible, applicable and not hidden. */
  readonly pushes: boolean
  /** Predicted ψ at the end after the push, m; irrelevant for distant features. */
  readonly predicted: number
}

/** `null` if the vertex cannot enter the other solid within the step. */
export function vertexCandidates({ start, other, end, otherEnd, push, reach, turn, joins, otherJoins }: Facing, v: number): Candidate[] | null {
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
    const [nx, ny, nz] = [n[3 * f]!, n[3 * f + 1]!, n[3 * f + 2]!]
    const applies = vertexApplicability(start, v, nx, ny, nz) >= -turn
    const hidden = otherJoins !== null && otherJoins.covers(f) || joins !== null && joins.hidesAtVertex(v, nx, ny, nz, turn)
    candidates.push({
      kind: 'vertex on face', own: v, other: f, sign: 1, gap, near, predicted: near ? predictedOver(end, otherEnd, push, v, f) : -Infinity,
      applies, over: false, pushes: near && applies && !hidden, hidden,
    })
  }
  return candidates
}

/** m: predicted height of vertex v over face f at the end, after the push. */
export function predictedOver({ vertices: V }: PlacedSolid, otherEnd: PlacedSolid, push: Vec3, v: number, f: number): number {
  return otherEnd.height(f, V[3 * v]! + push[0], V[3 * v + 1]! + push[1], V[3 * v + 2]! + push[2])
}

/** `null` if the edge cannot enter the other solid within the step, because it lies too far above one of its faces. */
export function facesOverEdge({ start, other, reach, turn }: Facing, e: number): Candidate[] | null {
  const { from, to } = start.solid.edges[e]!
  const { vertices: V } = start
  const [p, q] = [3 * from, 3 * to]
  const candidates: Candidate[] = []
  for (let f = 0; f < other.solid.faces.length; f++) {
    const gap = Math.min(other.height(f, V[p]!, V[p + 1]!, V[p + 2]!), other.height(f, V[q]!, V[q + 1]!, V[q + 2]!))
    if (gap > reach) return null
    if (gap < -reach) continue
    const { normals: n } = other
    const applies = edgeApplicability(start, e, n[3 * f]!, n[3 * f + 1]!, n[3 * f + 2]!) >= -turn
    candidates.push({
      kind: 'edge over face', own: e, other: f, sign: 1, gap, near: false, applies, over: false, hidden: false, pushes: false, predicted: -Infinity,
    })
  }
  return candidates
}

const span = new Span()

/** `null` if the edge cannot enter the other solid within the step, because it lies too far above a plane that it spans with one of its edges. */
export function edgesOverEdge(facing: Facing, e: number): Candidate[] | null {
  const { start, other, reach, turn, otherEdges, flush, joins, otherJoins } = facing
  const found: Candidate[] = []
  const { from } = start.solid.edges[e]!
  for (const j of otherEdges) {
    const { x, y, z, sign, square } = span.outOf(start, e, other, j)
    if (square < PARALLEL || edgeApplicability(other, j, -x, -y, -z) < -turn) continue
    const gap = start.along(from, x, y, z) - other.top(x, y, z)
    if (gap > reach) return null
    if (gap < -reach) continue
    const near = crosses(start, e, other, j, reach)
    const applies = edgeApplicability(start, e, x, y, z) >= -turn
    const hidden = joins !== null && joins.hidesAtEdge(e, x, y, z, turn) || otherJoins !== null && otherJoins.hidesAtEdge(j, -x, -y, -z, turn)
    const pushes = near && square >= NEARLY_PARALLEL && applies && !hidden
    const over = near && !hidden && crosses(start, e, other, j, flush)
    const predicted = near ? predictedAcross(facing, e, j) : -Infinity
    found.push({ kind: 'edge over edge', own: e, other: j, sign, gap, near, applies, over, hidden, pushes, predicted })
  }
  return found
}

/** m: predicted height of edge e over edge j at the end, after the push. */
function predictedAcross({ end, otherEnd, push }: Facing, e: number, j: number): number {
  const { x, y, z } = span.outOf(end, e, otherEnd, j)
  return end.along(end.solid.edges[e]!.from, x, y, z) - otherEnd.top(x, y, z) + (x * push[0] + y * push[1] + z * push[2])
}

/** Whether two edges cross or may cross: the feet of the common perpendicular lie on both, or at most `reach` beyond. */
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

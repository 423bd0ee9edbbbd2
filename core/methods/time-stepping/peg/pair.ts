/** Two convex polyhedra of two bodies under the geometrically exact contact model: their constraints in one step. */

import type { FeaturePair } from '../../../collision/contact'
import { vertexOnFace } from '../../../collision/contact-polygon'
import { SwappedPair } from '../../../collision/pairs/swapped'
import type { Polyhedron } from '../../../geometry/polyhedron'
import type { Pose } from '../../../math/pose'
import { multiplyQuaternions, conjugate } from '../../../math/quaternion'
import { dot, length, negate, scale, ZERO, type Vec3 } from '../../../math/vector'
import type { PairStep } from '../contact-model'
import { edgeConstraints, vertexConstraints, type Facing, type FeatureConstraint, type PairFactory } from './constraints'
import { EdgeOverEdge, EdgeOverFace } from './edge-candidates'
import { placeSolid, type PlacedSolid } from './placed'

/** Sine of the angle by which features are relaxed beyond the turn of the step, so that what lies flat on each other is found whole. */
const RELAXATION = 0.02

/** A constraint and which of the two solids its vertex or edge belongs to. */
export interface SidedConstraint extends FeatureConstraint {
  readonly side: 'a' | 'b'
}

/** Tells a plane between the two solids. */
interface Between {
  separating(a: Pose, b: Pose): { readonly separation: number, readonly normal: Vec3 }
}

/** Every constraint of the pair, vertices of A, vertices of B, edges of A, edges of B. Both solids in their body frames. */
export function pairConstraints(
  a: Polyhedron, b: Polyhedron, between: Between, step: PairStep, primaries: number, factories: PairFactories,
): SidedConstraint[] {
  const { startA, startB, endA, endB, reach } = step
  const now = between.separating(startA, startB)
  if (now.separation > reach) return []
  const then = between.separating(endA, endB)
  const shift: Vec3 = then.separation < 0 ? scale(then.normal, -then.separation) : ZERO
  const origin = startA.position
  const [placedA, placedB] = [placeSolid(a, startA, origin), placeSolid(b, startB, origin)]
  const [laterA, laterB] = [placeSolid(a, endA, origin), placeSolid(b, endB, origin)]
  const down = negate(now.normal)
  const nearA = near(placedA, now.normal, topOf(placedB, now.normal) + reach)
  const nearB = near(placedB, down, topOf(placedA, down) + reach)
  const turn = Math.min(1, RELAXATION + turnBetween(step))
  const common = { reach, turn, primaries }
  const ofA: Facing = { ...common, ...nearA, start: placedA, other: placedB, end: laterA, otherEnd: laterB, push: shift, otherEdges: nearB.edges }
  const ofB: Facing = { ...common, ...nearB, start: placedB, other: placedA, end: laterB, otherEnd: laterA, push: negate(shift), otherEdges: nearA.edges }
  const found: FeatureConstraint[][] = [[], [], [], []]
  const pushing = new Set<string>()
  vertexConstraints(ofA, factories.a, found[0]!)
  vertexConstraints(ofB, factories.b, found[1]!)
  edgeConstraints(ofA, factories.a, pushing, found[2]!)
  edgeConstraints(ofB, factories.b, pushing, found[3]!)
  return found.flatMap((constraints, k) => constraints.map((constraint): SidedConstraint => ({ ...constraint, side: k % 2 === 0 ? 'a' : 'b' })))
}

export interface PairFactories {
  readonly a: PairFactory
  readonly b: PairFactory
}

/** Feature pairs of both solids against each other, made once each. */
export function pairFactories(a: Polyhedron, b: Polyhedron, slack: number): PairFactories {
  return {
    a: factory(a, b, slack, pair => pair),
    b: factory(b, a, slack, pair => new SwappedPair(pair)),
  }
}

function factory(own: Polyhedron, other: Polyhedron, slack: number, wrap: (pair: FeaturePair) => FeaturePair): PairFactory {
  const known = new Map<number, FeaturePair>()
  const faces = other.faces.length
  const afterVertices = own.vertices.length * faces
  const afterFaces = afterVertices + own.edges.length * faces
  const once = (key: number, make: () => FeaturePair): FeaturePair => {
    let pair = known.get(key)
    if (pair === undefined) known.set(key, pair = wrap(make()))
    return pair
  }
  return {
    vertexOnFace: (v, f) => once(v * faces + f, () => vertexOnFace(own, v, other, f, slack)),
    edgeOverFace: (e, f) => once(afterVertices + e * faces + f, () => new EdgeOverFace(own, e, other, f, slack)),
    edgeOverEdge: (e, j, sign) => once(
      afterFaces + 2 * (e * other.edges.length + j) + (sign < 0 ? 1 : 0), () => new EdgeOverEdge(own, e, other, j, sign, slack)),
  }
}

function topOf({ vertices }: PlacedSolid, normal: Vec3): number {
  return vertices.reduce((top, v) => Math.max(top, dot(normal, v)), -Infinity)
}

/** Vertices no higher than `limit` along a direction, and the edges with such an end. */
function near({ solid, vertices }: PlacedSolid, direction: Vec3, limit: number): { vertices: number[], edges: number[] } {
  const low = vertices.map(v => dot(direction, v) <= limit)
  const indices = (n: number, keep: (i: number) => boolean): number[] => Array.from({ length: n }, (_, i) => i).filter(keep)
  return {
    vertices: indices(vertices.length, v => low[v]!),
    edges: indices(solid.edges.length, e => low[solid.edges[e]!.from]! || low[solid.edges[e]!.to]!),
  }
}

/** Sine of half the angle by which A turns against B from the start to the end that is foreseen, times two: the angle where it is small, rad. */
function turnBetween({ startA, startB, endA, endB }: PairStep): number {
  const before = multiplyQuaternions(conjugate(startB.orientation), startA.orientation)
  const after = multiplyQuaternions(conjugate(endB.orientation), endA.orientation)
  const [x, y, z] = multiplyQuaternions(conjugate(before), after)
  return 2 * length([x, y, z])
}

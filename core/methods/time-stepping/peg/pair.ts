/** Two convex polyhedra of two bodies under the geometrically exact contact model: their constraints in one step. */

import type { FeaturePair } from '../../../collision/contact'
import { vertexOnFace } from '../../../collision/contact-polygon'
import { SwappedPair } from '../../../collision/pairs/swapped'
import type { Joins } from '../../../geometry/joins'
import type { Polyhedron } from '../../../geometry/polyhedron'
import type { Pose } from '../../../math/pose'
import { multiplyQuaternions, conjugate } from '../../../math/quaternion'
import { length, negate, scale, ZERO, type Vec3 } from '../../../math/vector'
import type { PairStep } from '../contact-model'
import { polygonConstraint } from './polygons'
import type { Facing } from './candidates'
import { crossConstraints, edgeConstraints, vertexConstraints, type FeatureConstraint, type PairFactory } from './constraints'
import { EdgeOverEdge, EdgeOverFace } from './edge-candidates'
import { Beyond } from './beyond'
import { PlacedSolid } from './placed'
import { PlacedJoins, RELAXATION } from '../../../contact/placed-joins'

/** Placements of the solids of the current pair, reused for the next pair. */
const [placedA, placedB, laterA, laterB] = [new PlacedSolid(), new PlacedSolid(), new PlacedSolid(), new PlacedSolid()]

/** A constraint, and the solid to which its vertex or edge belongs. */
export interface SidedConstraint extends FeatureConstraint {
  readonly side: 'a' | 'b'
}

/** Gives a separating plane of the two solids. */
interface Between {
  separating(a: Pose, b: Pose): { readonly separation: number, readonly normal: Vec3 }
}

/**
 * All constraints of the pair, in this order: vertices of A, vertices of B, edges of A, edges of B, additional crossings of edges of A. Polygons have the
 * constraint of the pair instead of those of edges. Both solids are in their body frames.
 */
export function pairConstraints(
  a: Polyhedron, b: Polyhedron, between: Between, step: PairStep, primaries: number, factories: PairFactories,
  joins: { readonly a: Joins | null, readonly b: Joins | null } = { a: null, b: null },
): SidedConstraint[] {
  const { startA, startB, endA, endB, reach } = step
  const now = between.separating(startA, startB)
  if (now.separation > reach) return []
  const then = between.separating(endA, endB)
  const shift: Vec3 = then.separation < 0 ? scale(then.normal, -then.separation) : ZERO
  const origin = startA.position
  placedA.place(a, startA, origin)
  placedB.place(b, startB, origin)
  laterA.place(a, endA, origin)
  laterB.place(b, endB, origin)
  const down = negate(now.normal)
  const nearA = near(placedA, now.normal, placedB.top(...now.normal) + reach)
  const nearB = near(placedB, down, placedA.top(...down) + reach)
  const turn = Math.min(1, RELAXATION + turnBetween(step))
  const joinsA = joins.a && new PlacedJoins(joins.a, startA)
  const joinsB = joins.b && new PlacedJoins(joins.b, startB)
  const common = { reach, turn, primaries, flush: step.tolerance }
  const ofA: Facing = {
    ...common, ...nearA, start: placedA, other: placedB, end: laterA, otherEnd: laterB, push: shift, otherEdges: nearB.edges,
    joins: joinsA, otherJoins: joinsB,
  }
  const ofB: Facing = {
    ...common, ...nearB, start: placedB, other: placedA, end: laterB, otherEnd: laterA, push: negate(shift), otherEdges: nearA.edges,
    joins: joinsB, otherJoins: joinsA,
  }
  const found: FeatureConstraint[][] = [[], [], [], [], []]
  const pushing = new Set<string>()
  vertexConstraints(ofA, factories.a, found[0]!)
  vertexConstraints(ofB, factories.b, found[1]!)
  edgeConstraints(ofA, factories.a, found[0]!, pushing, found[2]!)
  edgeConstraints(ofB, factories.b, found[1]!, pushing, found[3]!)
  crossConstraints(found[2]!, pushing, found[4]!)
  if (a.prism !== null) polygonConstraint(ofA, ofB, factories.a, factories.b, found[4]!)
  return found.flatMap((constraints, k) => constraints.map((constraint): SidedConstraint => ({ ...constraint, side: k % 2 === 0 ? 'a' : 'b' })))
}

export interface PairFactories {
  readonly a: PairFactory
  readonly b: PairFactory
}

/** Feature pairs of both solids against each other, each created once. */
export function pairFactories(a: Polyhedron, b: Polyhedron, slack: number): PairFactories {
  return {
    a: factory(a, b, slack, pair => pair),
    b: factory(b, a, slack, pair => new SwappedPair(pair)),
  }
}

function factory(own: Polyhedron, other: Polyhedron, slack: number, wrap: (pair: FeaturePair) => FeaturePair): PairFactory {
  const known = new Map<number, FeaturePair>()
  const vertices = new Map<number, FeaturePair>()
  const faces = other.faces.length
  const afterVertices = own.vertices.length * faces
  const afterFaces = afterVertices + own.edges.length * faces
  const beyond = new Map<FeaturePair, FeaturePair>()
  const vertex = (v: number, f: number): FeaturePair => {
    const key = v * faces + f
    return vertices.get(key) ?? keep(vertices, key, vertexOnFace(own, v, other, f, slack))
  }
  return {
    vertexOnFace(v, f) {
      const key = v * faces + f
      return known.get(key) ?? keep(known, key, wrap(vertex(v, f)))
    },
    beyond(pair) {
      let found = beyond.get(pair)
      if (found === undefined) beyond.set(pair, found = new Beyond(pair, slack))
      return found
    },
    edgeOverFace(e, f) {
      const key = afterVertices + e * faces + f
      const { from, to } = own.edges[e]!
      return known.get(key) ?? keep(known, key, wrap(new EdgeOverFace(e, f, vertex(from, f), vertex(to, f))))
    },
    edgeOverEdge(e, j, sign) {
      const key = afterFaces + 2 * (e * other.edges.length + j) + (sign < 0 ? 1 : 0)
      return known.get(key) ?? keep(known, key, wrap(new EdgeOverEdge(own, e, other, j, sign, slack)))
    },
  }
}

function keep(known: Map<number, FeaturePair>, key: number, pair: FeaturePair): FeaturePair {
  known.set(key, pair)
  return pair
}

/** Vertices no higher than `limit` along a direction, and the edges with such an end. */
function near(placed: PlacedSolid, [x, y, z]: Vec3, limit: number): { vertices: number[], edges: number[] } {
  const { solid } = placed
  const low = solid.vertices.map((_, v) => placed.along(v, x, y, z) <= limit)
  const vertices: number[] = []
  const edges: number[] = []
  for (let v = 0; v < low.length; v++) if (low[v]!) vertices.push(v)
  for (let e = 0; e < solid.edges.length; e++) if (low[solid.edges[e]!.from]! || low[solid.edges[e]!.to]!) edges.push(e)
  return { vertices, edges }
}

/** 2 sin(θ/2) for the predicted relative rotation θ of the step: equal to θ if it is small, rad. */
function turnBetween({ startA, startB, endA, endB }: PairStep): number {
  const before = multiplyQuaternions(conjugate(startB.orientation), startA.orientation)
  const after = multiplyQuaternions(conjugate(endB.orientation), endA.orientation)
  const [x, y, z] = multiplyQuaternions(conjugate(before), after)
  return 2 * length([x, y, z])
}

/**
 * Feature pairs of two convex polyhedra that may come into contact within a step, cached while their relative motion is small.
 *
 * Such features lie near the separating plane: vertices of each solid no farther beyond it than the step reaches, over faces of the other, and crossing
 * edges with such a vertex. Only features that face the direction of the plane count. Feature pairs with a smaller distance than the solids are omitted.
 */

import { gapOf, type FeaturePair } from '../../collision/contact'
import { edgeOnEdge, vertexOnFace } from '../../collision/contact-polygon'
import { insideFace } from '../../collision/face-domain'
import { SwappedPair } from '../../collision/pairs/swapped'
import { pointToA, relativePose, type RelativePose } from '../../collision/relative'
import type { PrimitivePair } from '../../contact/contact-set'
import type { Polyhedron } from '../../geometry/polyhedron'
import { transform, transformTransposed } from '../../math/matrix'
import { rotateInverse } from '../../math/quaternion'
import { dot, negate, sub, type Vec3 } from '../../math/vector'
import { clearanceOf } from './clearance'
import type { PairStep } from './contact-model'
import { Drift } from './drift'

/** × radius of the smaller solid: relative motion after which features are searched again. */
const HELD = 1e-4
/** × reach of the step: search distance of features, so that a slightly faster step finds them too. */
const AHEAD = 1.5
/** Cosine to the separating plane's normal below which a feature pair's normal is unrelated to it. */
const SAME_SIDE = 0.5
/** sin² of the angle of two edges below which their plane is mostly noise; their ends lie over faces then. */
const PARALLEL = 1e-8

export class FacingFeatures {
  private readonly a: Polyhedron
  private readonly b: Polyhedron
  private readonly held: number
  private readonly known = new Map<number, FeaturePair>()
  private found: readonly FeaturePair[] = []
  private readonly drift = new Drift()
  /** m: present search distance. */
  private reach = -Infinity

  constructor(private readonly pair: PrimitivePair) {
    const { a, b } = pair
    this.a = (a.primitive as Polyhedron).placed(a.pose)
    this.b = (b.primitive as Polyhedron).placed(b.pose)
    this.held = HELD * Math.min(a.primitive.radius, b.primitive.radius)
  }

  of({ startA, startB, reach, tolerance }: PairStep): readonly FeaturePair[] {
    const { drift, held } = this
    if (reach + held <= this.reach && drift.since(startA, startB, this.b.radius) <= held) return this.found
    drift.mark(startA, startB)
    this.reach = AHEAD * reach + 2 * held
    const { collider } = this.pair
    const clearance = clearanceOf(this.pair)
    const { separation, normal } = clearance.separating(startA, startB)
    if (separation > this.reach) return this.found = []
    const found: FeaturePair[] = []
    this.search(relativePose(startA, startB), rotateInverse(startA.orientation, normal), separation, tolerance, found)
    // Vertex–vertex contacts and coincident edges have neither a vertex over a face nor a crossing.
    const degenerate = separation <= tolerance && !found.some(features => gapOf(features, startA, startB) <= tolerance)
    return this.found = clearance.features = degenerate ? [...collider.region(startA, startB, tolerance), ...found] : found
  }

  /** `normal` of the separating plane, out of B, in A's frame. */
  private search(relative: RelativePose, normal: Vec3, separation: number, slack: number, out: FeaturePair[]): void {
    const { a, b, reach } = this
    const down = negate(normal)
    const normalB = transformTransposed(relative.rotation, normal)
    const downB = negate(normalB)
    const offset = dot(normal, relative.position)
    const lowest = a.supportIndex(down[0], down[1], down[2], 0)
    const highest = b.supportIndex(normalB[0], normalB[1], normalB[2], 0)
    const low = dot(normal, a.vertices[lowest]!)
    const top = dot(normalB, b.vertices[highest]!) + offset
    const verticesA = within(a, lowest, normal, top + reach)
    const verticesB = within(b, highest, downB, offset - low + reach)
    const facesA = facing(a, verticesA, down)
    const facesB = facing(b, verticesB, normalB)
    const least = separation - slack
    for (const v of verticesA) {
      const point = transformTransposed(relative.rotation, sub(a.vertices[v]!, relative.position))
      for (const f of facesB) {
        const face = b.faces[f]!
        const gap = dot(face.normal, point) - face.offset
        if (gap > reach || gap * dot(face.normal, normalB) < least || insideFace(b, face, point) < -slack) continue
        out.push(this.once(v * b.faces.length + f, () => vertexOnFace(a, v, b, f, slack)))
      }
    }
    const afterA = a.vertices.length * b.faces.length
    for (const v of verticesB) {
      const point = pointToA(relative, b.vertices[v]!)
      for (const f of facesA) {
        const face = a.faces[f]!
        const gap = dot(face.normal, point) - face.offset
        if (gap > reach || gap * dot(face.normal, down) < least || insideFace(a, face, point) < -slack) continue
        out.push(this.once(afterA + v * a.faces.length + f, () => new SwappedPair(vertexOnFace(b, v, a, f, slack))))
      }
    }
    this.crossings(relative, normal, edgesOf(a, verticesA, facesA), edgesOf(b, verticesB, facesB), least, slack, out)
  }

  private crossings(
    { rotation, position }: RelativePose, normal: Vec3, edgesA: readonly number[], edgesB: readonly number[], least: number, slack: number,
    out: FeaturePair[],
  ): void {
    const { a, b, reach } = this
    const nx = normal[0]
    const ny = normal[1]
    const nz = normal[2]
    const after = a.vertices.length * b.faces.length + b.vertices.length * a.faces.length
    for (const j of edgesB) {
      const edgeB = b.edges[j]!
      const v = transform(rotation, edgeB.direction)
      const vx = v[0]
      const vy = v[1]
      const vz = v[2]
      const o = transform(rotation, b.vertices[edgeB.from]!)
      for (const i of edgesA) {
        const edgeA = a.edges[i]!
        const u = edgeA.direction
        const ux = u[0]
        const uy = u[1]
        const uz = u[2]
        const mx = uy * vz - uz * vy
        const my = uz * vx - ux * vz
        const mz = ux * vy - uy * vx
        const square = mx * mx + my * my + mz * mz
        if (square <= PARALLEL) continue
        const height = mx * nx + my * ny + mz * nz
        if (height * height <= SAME_SIDE * SAME_SIDE * square) continue
        const from = a.vertices[edgeA.from]!
        const wx = from[0] - o[0] - position[0]
        const wy = from[1] - o[1] - position[1]
        const wz = from[2] - o[2] - position[2]
        const s = -((wy * vz - wz * vy) * mx + (wz * vx - wx * vz) * my + (wx * vy - wy * vx) * mz) / square
        if (!(s > slack && s < edgeA.length - slack)) continue
        const t = -((wy * uz - wz * uy) * mx + (wz * ux - wx * uz) * my + (wx * uy - wy * ux) * mz) / square
        if (!(t > slack && t < edgeB.length - slack)) continue
        const sine = Math.sqrt(square)
        const sign = height < 0 ? -1 : 1
        const gap = sign * (mx * wx + my * wy + mz * wz) / sine
        if (gap > reach || gap * sign * height / sine < least) continue
        out.push(this.once(after + 2 * (i * b.edges.length + j) + (sign < 0 ? 1 : 0), () => edgeOnEdge(a, i, b, j, sign, slack)))
      }
    }
  }

  private once(key: number, make: () => FeaturePair): FeaturePair {
    let pair = this.known.get(key)
    if (pair === undefined) this.known.set(key, pair = make())
    return pair
  }
}

/** Vertices up to height `limit` along a direction, found from the lowest one over its neighbours, complete on a convex solid; ascending. */
function within(solid: Polyhedron, lowest: number, direction: Vec3, limit: number): number[] {
  const reached = [lowest]
  for (const v of reached) {
    for (const w of solid.vertexNeighbors[v]!) {
      if (!reached.includes(w) && dot(direction, solid.vertices[w]!) <= limit) reached.push(w)
    }
  }
  return reached.sort((v, w) => v - w)
}

/** Faces at some vertices that face a direction; ascending. */
function facing(solid: Polyhedron, vertices: readonly number[], direction: Vec3): number[] {
  const found: number[] = []
  for (const v of vertices) {
    for (const f of solid.vertexFaces[v]!) if (!found.includes(f) && dot(solid.faces[f]!.normal, direction) > SAME_SIDE) found.push(f)
  }
  return found.sort((f, g) => f - g)
}

/** Edges at some vertices that bound one of some faces; ascending. */
function edgesOf(solid: Polyhedron, vertices: readonly number[], faces: readonly number[]): number[] {
  const found: number[] = []
  for (const v of vertices) {
    for (const e of solid.vertexEdges[v]!) {
      const { left, right } = solid.edges[e]!
      if (!found.includes(e) && (faces.includes(left) || faces.includes(right))) found.push(e)
    }
  }
  return found.sort((e, f) => e - f)
}

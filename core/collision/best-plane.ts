/**
 * The best separating plane of two polyhedra, from query to query: the plane that was best last is evaluated again, and believed when two points of the
 * solids are found that are no farther apart than it says. Otherwise the nearest features are looked for by descent, and their planes are proved in the
 * same way. Where there is no proof, as where the solids overlap, everything is tried; so an answer never depends on the questions asked before.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { ClosestSimplex } from './closest-simplex'
import type { ColliderCounts } from './contact'
import { PlaneProof } from './plane-proof'
import { PlaneSearch } from './plane-search'
import type { RelativePose } from './relative'
import { EvaluatedPlane, SeparatingAxes, type AxisKind, type SeparatingPlane } from './separating-axis'

/** Rounding of a separation, × size. */
const ROUNDING = 8 * Number.EPSILON

export class BestPlane {
  readonly axes: SeparatingAxes
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  private readonly proof: PlaneProof
  private readonly simplex: ClosestSimplex
  private readonly search: PlaneSearch
  private readonly tried = new EvaluatedPlane()
  private witness: SeparatingPlane | null = null
  /** Vertices from which hill climbs start. */
  private startA = 0
  private startB = 0

  constructor(a: Polyhedron, b: Polyhedron) {
    this.axes = new SeparatingAxes(a, b)
    this.proof = new PlaneProof(this.axes, ROUNDING * (a.radius + b.radius))
    this.simplex = new ClosestSimplex(this.axes)
    this.search = new PlaneSearch(this.axes, this.proof)
  }

  find(relative: RelativePose): SeparatingPlane {
    const { axes, counts, witness, tried } = this
    counts.queries++
    axes.place(relative)
    if (witness !== null && this.isBest(witness.kind, witness.indexA, witness.indexB)) {
      counts.witnessHits++
      return this.remember(tried)
    }
    return this.remember(this.isFoundByDescent() ? tried : this.search.find(this.startA, this.startB))
  }

  private remember(plane: EvaluatedPlane): SeparatingPlane {
    this.startA = plane.supportA
    this.startB = plane.supportB
    return this.witness = plane.frozen()
  }

  private isBest(kind: AxisKind, indexA: number, indexB: number): boolean {
    return this.axes.evaluate(kind, indexA, indexB, this.startA, this.startB, this.tried) && this.proof.holds(this.tried)
  }

  private isFoundByDescent(): boolean {
    const { simplex, counts } = this
    const end = simplex.descend(this.startA, this.startB, Infinity)
    counts.iterations += simplex.steps
    if (end !== 'apart') return false
    this.startA = simplex.indexA[0]!
    this.startB = simplex.indexB[0]!
    return this.isFoundAmongFeatures()
  }

  /** Tries the planes of the features that the simplex's vertices belong to. */
  private isFoundAmongFeatures(): boolean {
    const { simplex: { indexA, indexB, count }, axes: { flatA, flatB } } = this
    const a = distinct(indexA, count)
    const b = distinct(indexB, count)
    const edgeA = a.length === 2 ? flatA.edgeBetween(a[0]!, a[1]!) : -1
    const edgeB = b.length === 2 ? flatB.edgeBetween(b[0]!, b[1]!) : -1
    if (a.length === 1 && b.length === 1 && this.isBest('vertices', a[0]!, b[0]!)) return true
    if (edgeA >= 0 && edgeB >= 0 && this.isBest('edges', edgeA, edgeB)) return true
    if (edgeB >= 0) for (const v of a) if (this.isBest('vertexEdge', v, edgeB)) return true
    if (edgeA >= 0) for (const v of b) if (this.isBest('edgeVertex', edgeA, v)) return true
    if (b.length > 1) for (const f of flatB.solid.vertexFaces[b[0]!]!) if (flatB.holds(f, b) && this.isBest('faceB', 0, f)) return true
    if (a.length > 1) for (const f of flatA.solid.vertexFaces[a[0]!]!) if (flatA.holds(f, a) && this.isBest('faceA', f, 0)) return true
    return false
  }
}

function distinct(indices: Int32Array, count: number): number[] {
  const found: number[] = []
  for (let k = 0; k < count; k++) if (!found.includes(indices[k]!)) found.push(indices[k]!)
  return found
}

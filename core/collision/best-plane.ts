/**
 * The best separating plane of two polyhedra, cached between queries. The cached plane is evaluated first. It is accepted if two points, one of each solid,
 * are no farther apart than the plane's separation. Otherwise descent finds the nearest features, and their planes are verified in the same way. Without a
 * proof, as in overlap, all features are tried. So a result never depends on earlier queries.
 */

import type { Polyhedron } from '../geometry/polyhedron'
import { ClosestSimplex } from './closest-simplex'
import type { ColliderCounts } from './contact'
import { flatSolid, type FlatSolid } from './flat-solid'
import { PlaneProof } from './plane-proof'
import { PlaneSearch } from './plane-search'
import type { RelativePose } from './relative'
import { EvaluatedPlane, SeparatingAxes, type AxisKind, type SeparatingPlane } from './separating-axis'

/** Shared scratch memory of all pairs: separate arrays for thousands of pairs would not fit into the caches. */
const axes = new SeparatingAxes()
const proof = new PlaneProof(axes)
const simplex = new ClosestSimplex(axes)
const search = new PlaneSearch(axes, proof)
const tried = new EvaluatedPlane()

export class BestPlane {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  /** Features of the cached plane; the first is −1 if there is none. */
  private kind: AxisKind = 'faceA'
  private indexA = -1
  private indexB = -1
  /** Start vertices of the hill climbs. */
  private startA = 0
  private startB = 0
  private readonly a: FlatSolid
  private readonly b: FlatSolid

  constructor(a: Polyhedron, b: Polyhedron) {
    this.a = flatSolid(a)
    this.b = flatSolid(b)
  }

  find({ rotation, position }: RelativePose): SeparatingPlane {
    return this.seek(rotation, position).frozen()
  }

  /** The same without allocation; the result is valid until the next query of any pair. */
  seek(rotation: ArrayLike<number>, position: ArrayLike<number>): EvaluatedPlane {
    const { counts } = this
    counts.queries++
    axes.place(this.a, this.b, rotation, position)
    if (this.indexA >= 0 && this.isBest(this.kind, this.indexA, this.indexB)) {
      counts.witnessHits++
      return this.remember(tried)
    }
    return this.remember(this.isFoundByDescent() ? tried : search.find(this.startA, this.startB))
  }

  /** Lower bound of the separation along the last best plane, m; −Infinity if unknown. */
  known(rotation: ArrayLike<number>, position: ArrayLike<number>): number {
    if (this.indexA < 0) return -Infinity
    axes.place(this.a, this.b, rotation, position)
    return axes.evaluate(this.kind, this.indexA, this.indexB, this.startA, this.startB, tried) ? tried.separation : -Infinity
  }

  /** The plane of a face of A or B. */
  ofFace(relative: RelativePose, kind: 'faceA' | 'faceB', face: number, { supportA, supportB }: SeparatingPlane): SeparatingPlane {
    axes.place(this.a, this.b, relative.rotation, relative.position)
    axes.evaluate(kind, face, face, supportA, supportB, tried)
    return tried.frozen()
  }

  private remember(plane: EvaluatedPlane): EvaluatedPlane {
    this.startA = plane.supportA
    this.startB = plane.supportB
    this.kind = plane.kind
    this.indexA = plane.indexA
    this.indexB = plane.indexB
    return plane
  }

  private isBest(kind: AxisKind, indexA: number, indexB: number): boolean {
    return axes.evaluate(kind, indexA, indexB, this.startA, this.startB, tried) && proof.holds(tried)
  }

  private isFoundByDescent(): boolean {
    const isApart = simplex.descend(this.startA, this.startB)
    this.counts.iterations += simplex.steps
    if (!isApart) return false
    this.startA = simplex.indexA[0]!
    this.startB = simplex.indexB[0]!
    return this.isFoundAmongFeatures()
  }

  /** Tries the planes of the features that contain the simplex's vertices. */
  private isFoundAmongFeatures(): boolean {
    const { a: flatA, b: flatB } = this
    const { indexA, indexB, count } = simplex
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

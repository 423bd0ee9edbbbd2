/** The best separating plane by exhaustive search: faces first, then edge pairs; for separated solids also vertices and edges. */

import { EdgePairs, ensureLength } from './edge-pairs'
import { nearestPoints } from './nearest-points'
import type { PlaneProof } from './plane-proof'
import { EvaluatedPlane, type AxisKind, type SeparatingAxes } from './separating-axis'
import { PlacedInA } from './solid-in-a'

export class PlaneSearch {
  private readonly solidB = new PlacedInA()
  private readonly edgePairs = new EdgePairs()
  /** For each face of A the vertex of B nearest to its plane, and vice versa. */
  private supportsB: Int32Array = new Int32Array(0)
  private supportsA: Int32Array = new Int32Array(0)
  private best = new EvaluatedPlane()
  private tried = new EvaluatedPlane()

  constructor(private readonly axes: SeparatingAxes, private readonly proof: PlaneProof) {}

  /** Hill climbs start from two vertices. */
  find(startA: number, startB: number): EvaluatedPlane {
    const { solidB, axes, axes: { flatA, flatB } } = this
    solidB.place(axes)
    this.supportsB = ensureLength(this.supportsB, flatA.faceCount)
    this.supportsA = ensureLength(this.supportsA, flatB.faceCount)
    this.faces(startA, startB)
    this.edgePairs.search(flatA, solidB, this.best.separation, this.supportsB, this.supportsA, (i, j) => {
      this.consider('edges', i, j)
      return this.best.separation
    })
    if (this.best.separation > 0 && !this.proof.holds(this.best)) {
      const { kind, indexA, indexB } = nearestPoints(flatA, solidB)
      this.consider(kind, indexA, indexB)
      // Collinear edges that overlap by at most rounding are separated like their ends; only their own direction separates them.
      if (kind === 'vertices' && !this.proof.holds(this.best)) {
        for (const e of flatB.solid.vertexEdges[indexB]!) this.consider('vertexEdge', indexA, e)
        for (const e of flatA.solid.vertexEdges[indexA]!) this.consider('edgeVertex', e, indexB)
      }
    }
    return this.best
  }

  private faces(startA: number, startB: number): void {
    const { axes: { flatA, flatB, position: p }, axes, solidB, supportsA, supportsB } = this
    let kind: AxisKind = 'faceA'
    let face = 0
    let most = -Infinity
    let support = startB
    const { normals: n, offsets } = flatA
    const { vertices } = solidB
    for (let f = 0; f < flatA.faceCount; f++) {
      support = axes.supportOfB(-n[3 * f]!, -n[3 * f + 1]!, -n[3 * f + 2]!, support)
      supportsB[f] = support
      const s = n[3 * f]! * vertices[3 * support]! + n[3 * f + 1]! * vertices[3 * support + 1]! + n[3 * f + 2]! * vertices[3 * support + 2]! - offsets[f]!
      if (s > most) {
        most = s
        face = f
      }
    }
    support = startA
    const { normals: m } = solidB
    for (let f = 0; f < flatB.faceCount; f++) {
      support = axes.supportOfA(-m[3 * f]!, -m[3 * f + 1]!, -m[3 * f + 2]!, support)
      supportsA[f] = support
      const v = flatA.vertices
      const s = m[3 * f]! * (v[3 * support]! - p[0]!) + m[3 * f + 1]! * (v[3 * support + 1]! - p[1]!) + m[3 * f + 2]! * (v[3 * support + 2]! - p[2]!)
        - flatB.offsets[f]!
      if (s > most) {
        most = s
        face = f
        kind = 'faceB'
      }
    }
    if (kind === 'faceA') axes.evaluate(kind, face, 0, 0, supportsB[face]!, this.best)
    else axes.evaluate(kind, 0, face, supportsA[face]!, 0, this.best)
  }

  private consider(kind: AxisKind, indexA: number, indexB: number): void {
    const { axes, best, tried } = this
    if (!axes.evaluate(kind, indexA, indexB, best.supportA, best.supportB, tried) || !(tried.separation > best.separation)) return
    this.best = tried
    this.tried = best
  }
}

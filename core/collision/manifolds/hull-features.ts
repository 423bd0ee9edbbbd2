/** Feature pairs of two polyhedra as numbers: a vertex of A on a face of B, a vertex of B on a face of A, two edges with the sign of the normal. */

import type { FlatSolid } from '../flat-solid'
import type { FeaturePair } from '../contact'
import { edgeOnEdge, vertexOnFace } from '../contact-polygon'
import { SwappedPair } from '../pairs/swapped'
import type { Placements } from './placements'
import type { ContactSink } from './manifold'

export class HullFeatures {
  /** First code of the vertices of B, and of the edges. */
  private readonly ofB: number
  private readonly ofEdges: number
  private readonly known = new Map<number, FeaturePair>()

  /** @param slack m: lateral tolerance of the features */
  constructor(private readonly a: FlatSolid, private readonly b: FlatSolid, private readonly slack: number) {
    this.ofB = a.vertexCount * b.faceCount
    this.ofEdges = this.ofB + b.vertexCount * a.faceCount
  }

  vertexOfA(v: number, face: number): number {
    return v * this.b.faceCount + face
  }

  vertexOfB(v: number, face: number): number {
    return this.ofB + v * this.a.faceCount + face
  }

  /** @param sign of the normal out of B against e_A × e_B */
  edges(i: number, j: number, sign: number): number {
    return this.ofEdges + 2 * (i * this.b.edgeCount + j) + (sign < 0 ? 1 : 0)
  }

  featuresOf(code: number): FeaturePair {
    let found = this.known.get(code)
    if (found === undefined) this.known.set(code, found = this.make(code))
    return found
  }

  private make(code: number): FeaturePair {
    const { a, b, ofB, ofEdges, slack } = this
    if (code < ofB) return vertexOnFace(a.solid, Math.floor(code / b.faceCount), b.solid, code % b.faceCount, slack)
    if (code < ofEdges) return new SwappedPair(vertexOnFace(b.solid, Math.floor((code - ofB) / a.faceCount), a.solid, (code - ofB) % a.faceCount, slack))
    const pair = Math.floor((code - ofEdges) / 2)
    return edgeOnEdge(a.solid, Math.floor(pair / b.edgeCount), b.solid, pair % b.edgeCount, (code - ofEdges) % 2 === 1 ? -1 : 1, slack)
  }

  /** Adds the contact of two features if its gap is at most `reach`, m; equal to `locate` of the feature pair. */
  add(code: number, at: Placements, a: number, b: number, reach: number, out: ContactSink): void {
    const { a: solidA, b: solidB, ofB, ofEdges } = this
    if (code < ofB) addVertex(code, solidA.vertices, Math.floor(code / solidB.faceCount), solidB, code % solidB.faceCount, at, a, b, 1, reach, out)
    else if (code < ofEdges) {
      const k = code - ofB
      addVertex(code, solidB.vertices, Math.floor(k / solidA.faceCount), solidA, k % solidA.faceCount, at, b, a, -1, reach, out)
    } else this.addEdges(code, at, a, b, reach, out)
  }

  /** n̂ = ± e_A × e_B / |e_A × e_B|, C = n̂ · (x_A − x_B) */
  private addEdges(code: number, { position: p, rotation: R }: Placements, a: number, b: number, reach: number, out: ContactSink): void {
    const { a: solidA, b: solidB, ofEdges } = this
    const pair = Math.floor((code - ofEdges) / 2)
    const i = Math.floor(pair / solidB.edgeCount)
    const j = pair % solidB.edgeCount
    const r = 9 * a
    const s = 9 * b
    const { directions: dA, vertices: vA } = solidA
    const { directions: dB, vertices: vB } = solidB
    const e = 3 * i
    const f = 3 * j
    const ux = R[r]! * dA[e]! + R[r + 1]! * dA[e + 1]! + R[r + 2]! * dA[e + 2]!
    const uy = R[r + 3]! * dA[e]! + R[r + 4]! * dA[e + 1]! + R[r + 5]! * dA[e + 2]!
    const uz = R[r + 6]! * dA[e]! + R[r + 7]! * dA[e + 1]! + R[r + 8]! * dA[e + 2]!
    const vx = R[s]! * dB[f]! + R[s + 1]! * dB[f + 1]! + R[s + 2]! * dB[f + 2]!
    const vy = R[s + 3]! * dB[f]! + R[s + 4]! * dB[f + 1]! + R[s + 5]! * dB[f + 2]!
    const vz = R[s + 6]! * dB[f]! + R[s + 7]! * dB[f + 1]! + R[s + 8]! * dB[f + 2]!
    const mx = uy * vz - uz * vy
    const my = uz * vx - ux * vz
    const mz = ux * vy - uy * vx
    const square = mx * mx + my * my + mz * mz
    const scale = ((code - ofEdges) % 2 === 1 ? -1 : 1) / Math.sqrt(square)
    const g = 3 * solidA.from[i]!
    const h = 3 * solidB.from[j]!
    const ax = R[r]! * vA[g]! + R[r + 1]! * vA[g + 1]! + R[r + 2]! * vA[g + 2]!
    const ay = R[r + 3]! * vA[g]! + R[r + 4]! * vA[g + 1]! + R[r + 5]! * vA[g + 2]!
    const az = R[r + 6]! * vA[g]! + R[r + 7]! * vA[g + 1]! + R[r + 8]! * vA[g + 2]!
    const x = p[3 * a]!
    const y = p[3 * a + 1]!
    const z = p[3 * a + 2]!
    const bx = ax - (p[3 * b]! - x + (R[s]! * vB[h]! + R[s + 1]! * vB[h + 1]! + R[s + 2]! * vB[h + 2]!))
    const by = ay - (p[3 * b + 1]! - y + (R[s + 3]! * vB[h]! + R[s + 4]! * vB[h + 1]! + R[s + 5]! * vB[h + 2]!))
    const bz = az - (p[3 * b + 2]! - z + (R[s + 6]! * vB[h]! + R[s + 7]! * vB[h + 1]! + R[s + 8]! * vB[h + 2]!))
    const nx = mx * scale
    const ny = my * scale
    const nz = mz * scale
    const gap = nx * bx + ny * by + nz * bz
    if (!(gap <= reach)) return
    const foot = -((by * vz - bz * vy) * mx + (bz * vx - bx * vz) * my + (bx * vy - by * vx) * mz) / square
    const half = gap / 2
    out.add(code, null, x + ax + ux * foot - nx * half, y + ay + uy * foot - ny * half, z + az + uz * foot - nz * half, nx, ny, nz, gap)
  }
}

/**
 * A vertex of one body over a face of another: C = n · (x − o) − d.
 *
 * @param sign 1 if the vertex is A's and the face's normal points out of B; −1 if it is B's
 */
function addVertex(
  code: number, vertices: Float64Array, v: number, { normals, offsets }: FlatSolid, face: number, { position: p, rotation: R }: Placements, body: number,
  other: number, sign: number, reach: number, out: ContactSink,
): void {
  const r = 9 * body
  const s = 9 * other
  const f = 3 * face
  const c = 3 * v
  const nx = R[s]! * normals[f]! + R[s + 1]! * normals[f + 1]! + R[s + 2]! * normals[f + 2]!
  const ny = R[s + 3]! * normals[f]! + R[s + 4]! * normals[f + 1]! + R[s + 5]! * normals[f + 2]!
  const nz = R[s + 6]! * normals[f]! + R[s + 7]! * normals[f + 1]! + R[s + 8]! * normals[f + 2]!
  const cx = R[r]! * vertices[c]! + R[r + 1]! * vertices[c + 1]! + R[r + 2]! * vertices[c + 2]!
  const cy = R[r + 3]! * vertices[c]! + R[r + 4]! * vertices[c + 1]! + R[r + 5]! * vertices[c + 2]!
  const cz = R[r + 6]! * vertices[c]! + R[r + 7]! * vertices[c + 1]! + R[r + 8]! * vertices[c + 2]!
  const x = p[3 * body]!
  const y = p[3 * body + 1]!
  const z = p[3 * body + 2]!
  // Large coordinates are subtracted first.
  const gap = nx * (x - p[3 * other]! + cx) + ny * (y - p[3 * other + 1]! + cy) + nz * (z - p[3 * other + 2]! + cz) - offsets[face]!
  if (!(gap <= reach)) return
  const half = gap / 2
  out.add(code, null, x + cx - nx * half, y + cy - ny * half, z + cz - nz * half, sign * nx, sign * ny, sign * nz, gap)
}

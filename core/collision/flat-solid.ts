/** A convex polyhedron as flat arrays, for loops that must not allocate. */

import type { Polyhedron } from '../geometry/polyhedron'
import type { Vec3 } from '../math/vector'

const known = new WeakMap<Polyhedron, FlatSolid>()

/** Created once for each polyhedron. */
export function flatSolid(solid: Polyhedron): FlatSolid {
  let flat = known.get(solid)
  if (flat === undefined) known.set(solid, flat = new FlatSolid(solid))
  return flat
}

export class FlatSolid {
  /** The solid in its own frame. */
  readonly flat = this
  readonly vertexCount: number
  readonly faceCount: number
  readonly edgeCount: number
  /** 3 numbers per vertex, m. */
  readonly vertices: Float64Array
  /** 3 numbers per face. */
  readonly normals: Float64Array
  readonly offsets: Float64Array
  /** 3 numbers per edge. */
  readonly directions: Float64Array
  readonly lengths: Float64Array
  /** Vertices of an edge. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** Faces of an edge. */
  readonly left: Int32Array
  readonly right: Int32Array
  /** Start of a face's corners in `loop`; one more entry than faces. */
  readonly loopStart: Int32Array
  readonly loop: Int32Array
  /** By position in `loop`: the edge that starts there. */
  readonly loopEdges: Int32Array
  /** By position in `loop`, 3 numbers each: inward normal of the side that starts there. */
  readonly sides: Float64Array

  constructor(readonly solid: Polyhedron) {
    const { vertices, faces, edges } = solid
    this.vertexCount = vertices.length
    this.faceCount = faces.length
    this.edgeCount = edges.length
    this.vertices = solid.coordinates
    this.normals = packed(faces.map(face => face.normal))
    this.offsets = Float64Array.from(faces, face => face.offset)
    this.directions = packed(edges.map(edge => edge.direction))
    this.lengths = Float64Array.from(edges, edge => edge.length)
    this.from = Int32Array.from(edges, edge => edge.from)
    this.to = Int32Array.from(edges, edge => edge.to)
    this.left = Int32Array.from(edges, edge => edge.left)
    this.right = Int32Array.from(edges, edge => edge.right)
    this.loopStart = new Int32Array(faces.length + 1)
    faces.forEach((face, f) => { this.loopStart[f + 1] = this.loopStart[f]! + face.loop.length })
    this.loop = Int32Array.from(faces.flatMap(face => face.loop))
    this.loopEdges = Int32Array.from(faces.flatMap(face => face.edges))
    this.sides = packed(faces.flatMap(face => face.sides))
  }

  /** Distance of a point inside all sides of a face, m. */
  insideFace(f: number, x: number, y: number, z: number): number {
    const { loop, sides, vertices } = this
    const end = this.loopStart[f + 1]!
    let inside = Infinity
    for (let k = this.loopStart[f]!; k < end; k++) {
      const v = 3 * loop[k]!
      const within = sides[3 * k]! * (x - vertices[v]!) + sides[3 * k + 1]! * (y - vertices[v + 1]!) + sides[3 * k + 2]! * (z - vertices[v + 2]!)
      if (within < inside) inside = within
    }
    return inside
  }

  /** Whether some vertices are all corners of a face. */
  holds(f: number, vertices: readonly number[]): boolean {
    const { loop } = this.solid.faces[f]!
    for (const v of vertices) if (!loop.includes(v)) return false
    return true
  }

  /** The edge between two vertices; −1 if there is none. */
  edgeBetween(v: number, w: number): number {
    for (const e of this.solid.vertexEdges[v]!) if (this.from[e] === w || this.to[e] === w) return e
    return -1
  }
}

function packed(vectors: readonly Vec3[]): Float64Array {
  const out = new Float64Array(3 * vectors.length)
  for (let k = 0; k < vectors.length; k++) out.set(vectors[k]!, 3 * k)
  return out
}

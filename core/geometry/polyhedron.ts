/**
 * Convex polyhedra: vertices, faces with their planes, edges with their two faces, and neighbours.
 *
 * Coplanar faces (triangles of one flat side) are merged, so a cube has six faces and twelve edges in every representation. Planes are computed from the
 * merged faces in double precision and shifted outwards to the farthest vertex, so that no vertex lies above its plane.
 *
 * A polygon of a two-dimensional scene is a polyhedron too: it is flat in the plane y = 0, its sides are faces of two corners each, and it has no edges. It
 * has no features out of the plane, and code for vertices and faces applies to both.
 */

import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { distance, dot, length, normalize, scale, sub, type Vec3 } from '../math/vector'
import { boundsOf, checkConvex, checkLoops, mergeCoplanar, newell, type MergedFaces } from './polyhedron-build'
import { polyhedronMass } from './polyhedron-mass'
import type { Bounds, MassProperties, Primitive } from './shape'

export interface Face {
  /** Unit, outwards. */
  readonly normal: Vec3
  /** m: the face's plane is normal · x = offset. */
  readonly offset: number
  /** Vertex indices, counter-clockwise seen from outside. */
  readonly loop: readonly number[]
  /** `sides[k]`: unit vector in the face's plane, perpendicular to the loop's edge k → k + 1, pointing into the face. */
  readonly sides: readonly Vec3[]
  /** `edges[k]`: index of the edge from loop vertex k to k + 1. */
  readonly edges: readonly number[]
}

export interface Edge {
  /** Vertex indices, from < to. */
  readonly from: number
  readonly to: number
  /** Unit, from `from` to `to`. */
  readonly direction: Vec3
  /** m */
  readonly length: number
  /** Its two faces: the one whose loop runs from → to, and the other. */
  readonly left: number
  readonly right: number
}

/** normalize(normal × (b − a)) */
function inwards(normal: Vec3, a: Vec3, b: Vec3): Vec3 {
  const x = b[0] - a[0]
  const y = b[1] - a[1]
  const z = b[2] - a[2]
  return normalize([normal[1] * z - normal[2] * y, normal[2] * x - normal[0] * z, normal[0] * y - normal[1] * x])
}

export class Polyhedron implements Primitive {
  readonly kind = 'polyhedron'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties
  readonly edges: readonly Edge[]
  readonly faces: readonly Face[]
  /** Faces at each vertex. */
  readonly vertexFaces: readonly (readonly number[])[]
  readonly vertexEdges: readonly (readonly number[])[]
  readonly vertexNeighbors: readonly (readonly number[])[]
  /** Vertices as 3 n numbers, for loops that must not allocate. */
  readonly coordinates: Float64Array

  /** @param prism for a polygon: the solid whose section it is */
  private constructor(
    readonly vertices: readonly Vec3[], loops: readonly (readonly number[])[], normals?: readonly Vec3[], readonly prism: Polyhedron | null = null,
  ) {
    const edges: { -readonly [K in keyof Edge]: Edge[K] }[] = []
    const edgeAt = new Map<number, number>()
    const edgeKey = (a: number, b: number): number => Math.min(a, b) * vertices.length + Math.max(a, b)
    const faceEdges = loops.map((loop, f) => prism !== null ? [] : loop.map((a, k) => {
      const b = loop[(k + 1) % loop.length]!
      const key = edgeKey(a, b)
      const known = edgeAt.get(key)
      if (known !== undefined) {
        if (a < b) edges[known]!.left = f
        else edges[known]!.right = f
        return known
      }
      const from = Math.min(a, b)
      const to = Math.max(a, b)
      const along = sub(vertices[to]!, vertices[from]!)
      edges.push({ from, to, direction: normalize(along), length: length(along), left: a < b ? f : -1, right: a < b ? -1 : f })
      edgeAt.set(key, edges.length - 1)
      return edges.length - 1
    }))
    this.edges = edges
    this.faces = loops.map((loop, f) => {
      const normal = normals?.[f] ?? normalize(newell(vertices, loop))
      return {
        normal,
        offset: loop.reduce((offset, v) => Math.max(offset, dot(normal, vertices[v]!)), -Infinity),
        loop,
        sides: loop.map((a, k) => {
          const next = vertices[loop[(k + 1) % loop.length]!]!
          return prism === null ? inwards(normal, vertices[a]!, next) : normalize(sub(next, vertices[a]!))
        }),
        edges: faceEdges[f]!,
      }
    })
    const vertexFaces: number[][] = vertices.map(() => [])
    const vertexEdges: number[][] = vertices.map(() => [])
    const vertexNeighbors: number[][] = vertices.map(() => [])
    this.faces.forEach((face, f) => face.loop.forEach(v => vertexFaces[v]!.push(f)))
    if (prism !== null) for (const [a, b] of loops) {
      vertexNeighbors[a!]!.push(b!)
      vertexNeighbors[b!]!.push(a!)
    }
    edges.forEach((edge, e) => {
      vertexEdges[edge.from]!.push(e)
      vertexEdges[edge.to]!.push(e)
      vertexNeighbors[edge.from]!.push(edge.to)
      vertexNeighbors[edge.to]!.push(edge.from)
    })
    this.vertexFaces = vertexFaces
    this.vertexEdges = vertexEdges
    this.vertexNeighbors = vertexNeighbors
    this.coordinates = new Float64Array(3 * vertices.length)
    vertices.forEach((v, i) => this.coordinates.set(v, 3 * i))
    this.bounds = boundsOf(vertices)
    this.radius = vertices.reduce((r, v) => Math.max(r, length(v)), 0)
    this.coreRadius = this.radius
    this.massProperties = prism?.massProperties ?? polyhedronMass(vertices, loops)
  }

  /**
   * From vertices and faces as loops of vertex indices, counter-clockwise seen from outside. Coplanar neighbours are merged. Vertices that are then no
   * longer corners are dropped; the others keep their order.
   * @throws ShapeError that names the fault: open, non-manifold, inward, non-planar or non-convex faces, bad indices, duplicate points, no volume.
   */
  static fromFaces(shape: string, vertices: readonly Vec3[], faces: readonly (readonly number[])[]): Polyhedron {
    checkLoops(shape, vertices, faces)
    const merged = mergeCoplanar(vertices, faces)
    const polyhedron = new Polyhedron(merged.vertices, merged.loops)
    checkConvex(shape, polyhedron.vertices, polyhedron.faces)
    return polyhedron
  }

  /**
   * From the faces of a convex hull, whose normals are exact to rounding, however narrow they are.
   * @throws ShapeError if rounding of the merged sides makes it non-convex
   */
  static fromHull(shape: string, { vertices, loops, areas }: MergedFaces): Polyhedron {
    const polyhedron = new Polyhedron(vertices, loops, areas.map(normalize))
    checkConvex(shape, polyhedron.vertices, polyhedron.faces)
    return polyhedron
  }

  /** From valid corners and faces, with exact normals if given. */
  static fromCorners(vertices: readonly Vec3[], loops: readonly (readonly number[])[], normals?: readonly Vec3[]): Polyhedron {
    return new Polyhedron(vertices, loops, normals)
  }

  /**
   * A convex polygon in the plane y = 0 that represents the prism over it.
   *
   * @param corners [x, z], m, counter-clockwise with x to the right and z up
   * @param halfDepth m: the prism extends this far along −y and +y
   */
  static polygon(corners: readonly (readonly [number, number])[], halfDepth: number): Polyhedron {
    const next = (k: number): number => (k + 1) % corners.length
    const normals = corners.map(([x, z], k): Vec3 => {
      const [u, w] = corners[next(k)]!
      return normalize([w - z, 0, x - u])
    })
    const sides = corners.map((_, k) => [2 * k, 2 * k + 1, 2 * next(k) + 1, 2 * next(k)])
    const front = corners.map((_, k) => 2 * k)
    const back = front.map(v => v + 1).reverse()
    const prism = new Polyhedron(
      corners.flatMap(([x, z]): Vec3[] => [[x, -halfDepth, z], [x, halfDepth, z]]), [...sides, front, back], [...normals, [0, -1, 0], [0, 1, 0]],
    )
    return new Polyhedron(corners.map(([x, z]): Vec3 => [x, 0, z]), corners.map((_, k) => [k, next(k)]), normals, prism)
  }

  /** The same solid with its frame placed in an outer one; the object itself if the pose is the identity. Indices are unchanged. */
  placed(pose: Pose): Polyhedron {
    const [x, y, z] = pose.position
    const [i, j, k] = pose.orientation
    if (x === 0 && y === 0 && z === 0 && i === 0 && j === 0 && k === 0) {
      return this
    }
    return new Polyhedron(
      this.vertices.map(v => toOuter(pose, v)),
      this.faces.map(face => face.loop),
      this.faces.map(face => normalize(rotate(pose.orientation, face.normal))),
      this.prism?.placed(pose) ?? null,
    )
  }

  support(direction: Vec3): Vec3 {
    return this.vertices[this.supportIndex(direction[0], direction[1], direction[2], 0)]!
  }

  /**
   * Index of a vertex farthest along (x, y, z), by climbing from vertex `start` over neighbours: on a convex solid every
   * local maximum is the global one.
   */
  supportIndex(x: number, y: number, z: number, start: number): number {
    const c = this.coordinates
    let best = start
    let height = c[3 * best]! * x + c[3 * best + 1]! * y + c[3 * best + 2]! * z
    for (;;) {
      let next = best
      for (const v of this.vertexNeighbors[best]!) {
        const h = c[3 * v]! * x + c[3 * v + 1]! * y + c[3 * v + 2]! * z
        if (h > height) {
          height = h
          next = v
        }
      }
      if (next === best) {
        return best
      }
      best = next
    }
  }

  /** Largest distance between two corners of the bounding box, m: the scale of rounding. */
  get size(): number {
    return distance(this.bounds.min, this.bounds.max)
  }

  /** Mean of the vertices, m: an interior point. */
  get middle(): Vec3 {
    const n = this.vertices.length
    return scale(this.vertices.reduce((s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]] as Vec3, [0, 0, 0] as Vec3), 1 / n)
  }
}

/** Drawing meshes of solids with flat faces. */

import { polygonNormal, triangulate } from '../../../core/geometry/polygon'
import { dot, type Vec3 } from '../../../core/math/vector'
import { MeshBuilder, type DrawingMesh } from './drawing-mesh'

/** Neighbouring faces of a polyhedron whose normals differ by less than 0.5° are drawn as one face (cosine). */
const COPLANAR = Math.cos(0.5 * Math.PI / 180)
/** Edges of a mesh with an angle above 30° are drawn, and shading is not smoothed across them (cosine). */
const SMOOTH = Math.cos(30 * Math.PI / 180)

/** A polyhedron: flat faces; draws every edge except those between coplanar faces. */
export function polyhedronMesh(vertices: readonly Vec3[], faces: readonly (readonly number[])[]): DrawingMesh {
  const mesh = new MeshBuilder()
  const normals = faces.map(face => polygonNormal(face.map(i => vertices[i]!)))
  faces.forEach((face, f) => {
    const points = face.map(i => vertices[i]!)
    const own = points.map(point => mesh.vertex(point, normals[f]!))
    for (const [a, b, c] of triangulate(points, normals[f]!)) mesh.triangle(own[a]!, own[b]!, own[c]!)
  })
  addSharpEdges(mesh, vertices, faces, normals, COPLANAR)
  return mesh.build()
}

/**
 * A surface of many small faces: shading is smooth except across sharp edges, which are drawn.
 * @param placed number of each vertex, equal for vertices at one place (seams of pictures); absent if all differ
 * @param drawn receives the vertex of the surface for each vertex of the drawing mesh
 */
export function smoothedMesh(
  vertices: readonly Vec3[], faces: readonly (readonly number[])[], placed: readonly number[] | null = null, drawn: number[] | null = null,
): DrawingMesh {
  const mesh = new MeshBuilder()
  const normals = faces.map(face => polygonNormal(face.map(i => vertices[i]!)))
  const facesAt: number[][] = vertices.map(() => [])
  const placeOf = (v: number): number => placed === null ? v : placed[v]!
  faces.forEach((face, f) => face.forEach(v => facesAt[placeOf(v)]!.push(f)))
  faces.forEach((face, f) => {
    const own = face.map(v => {
      drawn?.push(v)
      return mesh.vertex(vertices[v]!, smoothNormal(normals, facesAt[placeOf(v)]!, f))
    })
    for (const [a, b, c] of triangulate(face.map(i => vertices[i]!), normals[f]!)) mesh.triangle(own[a]!, own[b]!, own[c]!)
  })
  addSharpEdges(mesh, vertices, placed === null ? faces : faces.map(face => face.map(placeOf)), normals, SMOOTH)
  return mesh.build()
}

function smoothNormal(normals: readonly Vec3[], neighbours: readonly number[], face: number): Vec3 {
  const own = normals[face]!
  let sum: Vec3 = [0, 0, 0]
  for (const other of neighbours) {
    const n = normals[other]!
    if (dot(n, own) >= SMOOTH) sum = [sum[0] + n[0], sum[1] + n[1], sum[2] + n[2]]
  }
  const l = Math.sqrt(dot(sum, sum))
  return l > 0 ? [sum[0] / l, sum[1] / l, sum[2] / l] : own
}

function addSharpEdges(
  mesh: MeshBuilder, vertices: readonly Vec3[], faces: readonly (readonly number[])[], normals: readonly Vec3[], blunt: number,
): void {
  const firstFace = new Map<number, number>()
  const pending = new Map<number, [number, number]>()
  faces.forEach((face, f) => {
    for (let i = 0; i < face.length; i++) {
      const a = face[i]!
      const b = face[(i + 1) % face.length]!
      const key = Math.min(a, b) * vertices.length + Math.max(a, b)
      const other = firstFace.get(key)
      if (other === undefined) {
        firstFace.set(key, f)
        pending.set(key, [a, b])
      } else if (dot(normals[f]!, normals[other]!) > blunt) {
        pending.delete(key)
      }
    }
  })
  for (const [a, b] of pending.values()) mesh.edge(vertices[a]!, vertices[b]!)
}

/** The unit cube centred at the origin, faces anticlockwise from outside. */
export const CUBE_FACES: readonly (readonly number[])[] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
export const CUBE_VERTICES: readonly Vec3[] = Array.from({ length: 8 }, (_, i): Vec3 => [(i & 1) - 0.5, ((i >> 1) & 1) - 0.5, (i >> 2) - 0.5])

/** Surfaces of polygons: whether they enclose a solid, and that solid's mass properties. */

import { add, cross, length, sub, type Vec3 } from '../math/vector'
import { polygonNormal, triangulate } from './polygon'
import { newell, sizeOf } from './polyhedron-build'
import { polyhedronMass } from './polyhedron-mass'
import { ShapeError, type MassProperties } from './shape'

export interface Mesh {
  readonly vertices: readonly Vec3[]
  /** Vertex indices, counter-clockwise seen from outside. */
  readonly faces: readonly (readonly number[])[]
}

/** Largest number of triangles of a mesh that can be split into pieces. */
export const MAX_MESH_TRIANGLES = 250_000
/** Volume below which a closed surface encloses nothing, × size³. */
const FLAT = 1e-12

/**
 * The mesh as triangles. Vertices with equal coordinates are merged, and triangles that this reduces to edges are dropped.
 * @throws ShapeError: too few points, not finite, bad indices, too many faces
 */
export function triangleMesh(mesh: Mesh): Mesh {
  const vertices: Vec3[] = []
  const known = new Map<string, number>()
  const index = mesh.vertices.map((p, i) => {
    if (!p.every(Number.isFinite)) {
      throw new ShapeError('mesh', 'notFinite', `vertex ${i} is (${p.join(', ')}); coordinates have to be finite numbers`, [i])
    }
    const key = p.map(x => x + 0).join(' ')
    const at = known.get(key) ?? vertices.push(p) - 1
    known.set(key, at)
    return at
  })
  if (vertices.length < 4) {
    throw new ShapeError('mesh', 'tooFewPoints', `${vertices.length} different vertices given; a solid needs at least 4`)
  }
  const faces: number[][] = []
  mesh.faces.forEach((face, f) => {
    if (faces.length > MAX_MESH_TRIANGLES) {
      throw new ShapeError('mesh', 'tooManyFaces', `more than ${MAX_MESH_TRIANGLES} triangles (${mesh.faces.length} faces given); simplify it first`)
    }
    const loop = face.map(v => {
      const at = index[v]
      if (at === undefined) {
        throw new ShapeError('mesh', 'indexOutOfRange', `face ${f} names vertex ${v}; there are vertices 0 to ${mesh.vertices.length - 1}`, [f])
      }
      return at
    })
    const points = loop.map(v => vertices[v]!)
    const triangles = loop.length === 3 ? [[0, 1, 2]] : triangulate(points, polygonNormal(points))
    for (const [a, b, c] of triangles as [number, number, number][]) {
      const triangle = [loop[a]!, loop[b]!, loop[c]!] as const
      if (triangle[0] !== triangle[1] && triangle[1] !== triangle[2] && triangle[2] !== triangle[0]) {
        faces.push([...triangle])
      }
    }
  })
  return { vertices, faces }
}

/**
 * Mass properties of the solid that a surface of triangles encloses, exact by the divergence theorem.
 * @throws ShapeError if it encloses none: open, inconsistently oriented, inward, or without volume
 */
export function enclosedMass({ vertices, faces }: Mesh): MassProperties {
  requireClosed(vertices, faces)
  const mass = polyhedronMass(vertices, faces)
  const size = sizeOf(vertices)
  if (Math.abs(mass.volume) <= FLAT * size * size * size) {
    throw new ShapeError('mesh', 'zeroVolume', `the volume is ${mass.volume} m³; a solid needs more`)
  }
  if (mass.volume < 0) {
    throw new ShapeError('mesh', 'inwardFaces', 'the faces point inwards; list their vertices counter-clockwise seen from outside')
  }
  return mass
}

/**
 * How much of a closed surface is missing: area of the flat covers of all gaps, × area of the surface. 0 if it is closed; about 1 for terrain, 1/2 for a
 * hemisphere, hundredths for a solid that leaks. @param mesh of triangles
 */
export function openShare({ vertices, faces }: Mesh): number {
  const rims = new Map<string, readonly [number, number]>()
  let area = 0
  for (const face of faces) {
    area += length(newell(vertices, face))
    face.forEach((a, k) => {
      const b = face[(k + 1) % face.length]!
      // An edge and its opposite cancel.
      if (!rims.delete(`${b} ${a}`)) rims.set(`${a} ${b}`, [a, b])
    })
  }
  const linked = new Map<number, (readonly [number, number])[]>()
  for (const edge of rims.values()) for (const v of edge) linked.set(v, [...linked.get(v) ?? [], edge])
  const seen = new Set<readonly [number, number]>()
  let covers = 0
  for (const first of rims.values()) {
    if (seen.has(first)) continue
    seen.add(first)
    const rim = [first]
    const origin = vertices[first[0]]!
    let cover: Vec3 = [0, 0, 0]
    for (const [a, b] of rim) {
      cover = add(cover, cross(sub(vertices[a]!, origin), sub(vertices[b]!, origin)))
      for (const next of [...linked.get(a)!, ...linked.get(b)!]) {
        if (seen.has(next)) continue
        seen.add(next)
        rim.push(next)
      }
    }
    covers += length(cover)
  }
  return area > 0 ? covers / area : 0
}

/** The same surface with reversed orientation. */
export function turnedMesh({ vertices, faces }: Mesh): Mesh {
  return { vertices, faces: faces.map(face => [...face].reverse()) }
}

/** Requires that every edge is traversed equally often in both directions: if and only if it is, the surface bounds a volume. */
function requireClosed(vertices: readonly Vec3[], faces: readonly (readonly number[])[]): void {
  const n = vertices.length
  const balance = new Map<number, { count: number, face: number }>()
  faces.forEach((face, f) => face.forEach((a, k) => {
    const b = face[(k + 1) % face.length]!
    const key = Math.min(a, b) * n + Math.max(a, b)
    const edge = balance.get(key)
    if (edge === undefined) {
      balance.set(key, { count: a < b ? 1 : -1, face: f })
    } else {
      edge.count += a < b ? 1 : -1
    }
  }))
  for (const [key, { count, face }] of balance) {
    if (count !== 0) {
      const [a, b] = [Math.floor(key / n), key % n]
      if (Math.abs(count) > 1) {
        throw new ShapeError('mesh', 'nonManifold',
          `faces along the edge from vertex ${a} to ${b} run the same way, face ${face} among them: one of them is turned inside out`, [face])
      }
      throw new ShapeError('mesh', 'openSurface', `the surface is open: face ${face} has no neighbour along the edge from vertex ${a} to ${b}`, [face])
    }
  }
}

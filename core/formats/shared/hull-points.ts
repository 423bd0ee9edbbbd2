/** Shapes as convex hulls of points, for formats without these shapes: exact for polyhedra, sampled for curved surfaces. */

import { flatSurfacesOf } from '../../analysis/solids'
import { hullFaces } from '../../geometry/hull'
import { cos, pow, sin } from '../../math/elementary'
import type { Vec3 } from '../../math/vector'
import type { ResolvedShape } from '../../scene'
import type { Mesh, SeenMesh } from '../mesh'
import { srgbOf } from './colors'
import { surfaceOf } from './surface'

/** Points on a circle. */
const SIDES = 64

export interface HullPoints {
  /** Corners of each convex piece, in the shape's axes, m. */
  readonly pieces: readonly (readonly Vec3[])[]
  /** Description of the sampling of a curved shape; null if the points are exact. */
  readonly approximation: string | null
}

/** Null for a half-space, which has no hull of points. */
export function hullPointsOf(shape: ResolvedShape): HullPoints | null {
  switch (shape.type) {
    case 'box': {
      const [x, y, z] = shape.size
      return { pieces: [[0, 1, 2, 3, 4, 5, 6, 7].map((k): Vec3 => [(k & 1 ? x : -x) / 2, (k & 2 ? y : -y) / 2, (k & 4 ? z : -z) / 2])], approximation: null }
    }
    case 'convexHull':
    case 'polyhedron':
      return { pieces: flatSurfacesOf(shape).map(({ vertices }) => vertices), approximation: null }
    case 'mesh':
      return { pieces: (shape.pieces ?? []).map(piece => piece.points), approximation: null }
    case 'cone':
      return { pieces: [[[0, 0, shape.height], ...circle(shape.radius, 0)]], approximation: `its apex and ${SIDES} points of its rim` }
    case 'cylinder':
      return { pieces: [[...circle(shape.radius, -shape.height / 2), ...circle(shape.radius, shape.height / 2)]], approximation: `${SIDES} points of each rim` }
    case 'sphere':
      return surface([shape.radius, shape.radius, shape.radius], [1, 1])
    case 'ellipsoid':
      return surface(shape.radii, [1, 1])
    case 'superquadric':
      return surface(shape.radii, shape.exponents)
    case 'implicit':
    case 'parametric':
      return { pieces: [surfaceOf(shape, 0, SIDES).vertices], approximation: 'points on its surface' }
    case 'capsule': {
      const caps = superquadricPoints([shape.radius, shape.radius, shape.radius], [1, 1])
      return { pieces: [caps.map(([x, y, z]): Vec3 => [x, y, z + (z > 0 ? 1 : -1) * shape.height / 2])], approximation: 'points on its surface' }
    }
    case 'halfSpace':
      return null
  }
}

const surface = (radii: Vec3, exponents: readonly [number, number]): HullPoints => ({ pieces: [superquadricPoints(radii, exponents)], approximation: 'points on its surface' })

function circle(radius: number, z: number): Vec3[] {
  return Array.from({ length: SIDES }, (_, k): Vec3 => [radius * cos(2 * Math.PI * k / SIDES), radius * sin(2 * Math.PI * k / SIDES), z])
}

/** Points at equal angles of the superquadric's parametric form. */
function superquadricPoints([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): Vec3[] {
  const signed = (base: number, exponent: number): number => Math.sign(base) * pow(Math.abs(base), exponent)
  const points: Vec3[] = [[0, 0, -c], [0, 0, c]]
  for (let i = 1; i < SIDES / 2; i++) {
    const latitude = Math.PI * (i / (SIDES / 2) - 0.5)
    for (let k = 0; k < SIDES; k++) {
      const longitude = 2 * Math.PI * k / SIDES
      const ring = signed(cos(latitude), e1)
      points.push([a * ring * signed(cos(longitude), e2), b * ring * signed(sin(longitude), e2), c * signed(sin(latitude), e1)])
    }
  }
  return points
}

/** The surface of each piece of `hullPointsOf`. */
export function hullMeshes(shape: ResolvedShape, pieces: HullPoints['pieces']): Mesh[] {
  // Flat solids already have faces; computing a hull is expensive.
  return shape.type === 'convexHull' || shape.type === 'polyhedron' || (shape.type === 'mesh' && shape.pieces !== undefined) ? flatSurfacesOf(shape)
    : pieces.map(points => {
      const { vertices, loops } = hullFaces('convexHull', points)
      return { vertices, faces: loops }
    })
}

/**
 * Wavefront OBJ of a surface, with triangles only, since some readers support no other faces. Colours of vertices follow their coordinates.
 * @param library name of the file of its material, and of the material in it
 */
export function writeObj({ vertices, faces, colors, uv }: SeenMesh, library: { readonly file: string; readonly material: string } | null = null): string {
  const colorAt = (v: number) => colors === undefined ? '' : ` ${srgbOf(colors[v]!).map(light => Number(light.toFixed(5))).join(' ')}`
  // −0 is 0.
  const lines = vertices.map(([x, y, z], v) => `v ${x + 0} ${y + 0} ${z + 0}${colorAt(v)}`)
  if (library !== null) lines.unshift(`mtllib ${library.file}`)
  for (const [u, v] of uv ?? []) lines.push(`vt ${u + 0} ${v + 0}`)
  if (library !== null) lines.push(`usemtl ${library.material}`)
  const corner = (v: number) => uv === undefined ? `${v + 1}` : `${v + 1}/${v + 1}`
  for (const face of faces) for (let k = 1; k + 1 < face.length; k++) lines.push(`f ${corner(face[0]!)} ${corner(face[k]!)} ${corner(face[k + 1]!)}`)
  return `${lines.join('\n')}\n`
}

/** The material library of an OBJ file. @param picture path of the texture from the library */
export function writeMtl(material: string, color: string, picture: string | null): string {
  return `newmtl ${material}\nKd ${srgbOf(color).map(light => Number(light.toFixed(5))).join(' ')}\n${picture === null ? '' : `map_Kd ${picture}\n`}`
}

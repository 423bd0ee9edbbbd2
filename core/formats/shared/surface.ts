/** Shapes as polygon surfaces, for formats with meshes: exact for flat faces, subdivided as requested for curved ones. */

import { flatSurfacesOf, solidsOf } from '../../analysis/solids'
import type { Mesh } from '../../geometry/mesh'
import { cos, pow, sin } from '../../math/elementary'
import { addScaled, cross, perpendicular, scale, type Vec3 } from '../../math/vector'
import type { ResolvedShape } from '../../scene'

/** Corners of a full circle. */
const AROUND = 32

/**
 * The surface in the shape's own axes, faces counter-clockwise from outside.
 * @param extent m, half the side of the square that represents a half-space
 */
export function surfaceOf(shape: ResolvedShape, extent: number, around = AROUND): Mesh {
  switch (shape.type) {
    case 'mesh':
      if (shape.vertices !== undefined && shape.faces !== undefined) {
        return { vertices: shape.vertices.map(p => scale(p, shape.scale)), faces: shape.faces }
      }
      return joined(flatSurfacesOf(shape))
    case 'box':
    case 'convexHull':
    case 'polyhedron':
      return joined(flatSurfacesOf(shape))
    case 'sphere':
      return ball([shape.radius, shape.radius, shape.radius], [1, 1], around)
    case 'ellipsoid':
      return ball(shape.radii, [1, 1], around)
    case 'superquadric':
      return ball(shape.radii, shape.exponents, around)
    case 'implicit':
    case 'parametric':
      return byNormals(m => solidsOf(shape)[0]!.support(m), around)
    case 'capsule': {
      const quarter = Math.max(2, Math.round(around / 4))
      const arc = (k: number): readonly [number, number] => {
        const angle = Math.PI / 2 * (k / quarter - 1)
        return [shape.radius * cos(angle), shape.radius * sin(angle)]
      }
      const lower = Array.from({ length: quarter }, (_, k) => arc(k + 1)).map(([r, z]) => [r, z - shape.height / 2] as const)
      const upper = Array.from({ length: quarter }, (_, k) => arc(quarter + k)).map(([r, z]) => [r, z + shape.height / 2] as const)
      return turnedProfile([...lower, ...upper], -shape.height / 2 - shape.radius, shape.height / 2 + shape.radius, around)
    }
    case 'cylinder':
      return turnedProfile([[shape.radius, -shape.height / 2], [shape.radius, shape.height / 2]], null, null, around)
    case 'cone':
      return turnedProfile([[shape.radius, 0]], null, shape.height, around)
    case 'halfSpace': {
      const u = perpendicular(shape.normal)
      const v = cross(shape.normal, u)
      const middle = scale(shape.normal, shape.offset)
      const corner = (a: number, b: number): Vec3 => addScaled(addScaled(middle, u, a * extent), v, b * extent)
      return { vertices: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], faces: [[0, 1, 2, 3]] }
    }
  }
}

export function joined(meshes: readonly Mesh[]): Mesh {
  if (meshes.length === 1) return meshes[0]!
  const vertices: Vec3[] = []
  const faces: number[][] = []
  for (const mesh of meshes) {
    const first = vertices.length
    vertices.push(...mesh.vertices)
    for (const face of mesh.faces) faces.push(face.map(i => first + i))
  }
  return { vertices, faces }
}

/** Points at equal parameter steps of a superquadric, of which an ellipsoid is a special case. */
function ball([a, b, c]: Vec3, [e1, e2]: readonly [number, number], around: number): Mesh {
  const signed = (base: number, exponent: number): number => exponent === 1 ? base : Math.sign(base) * pow(Math.abs(base), exponent)
  const rows = Math.max(4, Math.round(around / 2))
  const vertices: Vec3[] = [[0, 0, -c]]
  for (let i = 1; i < rows; i++) {
    const latitude = Math.PI * (i / rows - 0.5)
    const ring = signed(cos(latitude), e1)
    for (let k = 0; k < around; k++) {
      const longitude = 2 * Math.PI * k / around
      vertices.push([a * ring * signed(cos(longitude), e2), b * ring * signed(sin(longitude), e2), c * signed(sin(latitude), e1)])
    }
  }
  vertices.push([0, 0, c])
  return { vertices, faces: rings(rows - 1, around, true, true) }
}

/** Name of a curved solid that the target represents as a hull. */
export function curvedName({ type }: ResolvedShape): string {
  return type === 'implicit' || type === 'parametric' ? `${type} surface` : type
}

/** Points of a smooth solid with normals at equal steps of latitude and longitude. */
function byNormals(support: (normal: Vec3) => Vec3, around: number): Mesh {
  const { vertices, faces } = ball([1, 1, 1], [1, 1], around)
  return { vertices: vertices.map(support), faces }
}

/** Surface of revolution of a profile of radius and height about z. @param bottom height of a closing point, or null for a flat disc */
function turnedProfile(profile: readonly (readonly [number, number])[], bottom: number | null, top: number | null, around: number): Mesh {
  const vertices: Vec3[] = bottom === null ? [] : [[0, 0, bottom]]
  for (const [r, z] of profile) {
    for (let k = 0; k < around; k++) vertices.push([r * cos(2 * Math.PI * k / around), r * sin(2 * Math.PI * k / around), z])
  }
  if (top !== null) vertices.push([0, 0, top])
  return { vertices, faces: rings(profile.length, around, bottom !== null, top !== null) }
}

/** Faces between rings of points from bottom to top, closed by a point or a disc at each end. */
function rings(count: number, around: number, pointBelow: boolean, pointAbove: boolean): number[][] {
  const first = pointBelow ? 1 : 0
  const at = (ring: number, k: number): number => first + ring * around + k % around
  const last = first + count * around
  const faces: number[][] = []
  if (pointBelow) for (let k = 0; k < around; k++) faces.push([0, at(0, k + 1), at(0, k)])
  else faces.push(Array.from({ length: around }, (_, k) => at(0, around - 1 - k)))
  for (let ring = 0; ring + 1 < count; ring++) {
    for (let k = 0; k < around; k++) faces.push([at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)])
  }
  if (pointAbove) for (let k = 0; k < around; k++) faces.push([last, at(count - 1, k), at(count - 1, k + 1)])
  else faces.push(Array.from({ length: around }, (_, k) => at(count - 1, k)))
  return faces
}

/** Convex polygons as triangles, fanned from their first corner. */
export function fans(faces: readonly (readonly number[])[]): number[][] {
  const triangles: number[][] = []
  for (const face of faces) {
    for (let k = 2; k < face.length; k++) triangles.push([face[0]!, face[k - 1]!, face[k]!])
  }
  return triangles
}

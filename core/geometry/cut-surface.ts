/**
 * Cuts a closed surface by planes without building the cut faces: it keeps only what the parts' volumes and hulls need.
 *
 * A part is kept as the polygons of the original surface inside a convex cell, and as caps: triangles in the cutting planes, fans from one point over the
 * cut's edges. A fan's triangles may overlap or reach beyond the true cut; as signed areas they sum to it, so the signed volume is that of the part
 * [the cone over a closed chain; divergence theorem], however many cuts follow. Corners of the hull are those of the surface's polygons, and those corners
 * of the cell that lie inside the solid.
 */

import { add, addScaled, cross, dot, length, normalize, sub, type Vec3 } from '../math/vector'
import { splitCell, type Cell, type Plane } from './solid-cells'

interface Loop {
  readonly points: readonly Vec3[]
  /**
   * A cap lies in a cutting plane and bounds the volume, but is not part of the original surface. A trace is a part of the surface in a cutting plane: its
   * corners count, but the cap there bounds the volume.
   */
  readonly kind: 'surface' | 'cap' | 'trace'
}

export interface CutPart {
  readonly cell: Cell
  readonly loops: readonly Loop[]
}

/** The whole solid of a closed surface in an enclosing cell. @param triangles counter-clockwise seen from outside, m */
export function wholePart(triangles: readonly (readonly Vec3[])[], cell: Cell): CutPart {
  return { cell, loops: triangles.map(points => ({ points, kind: 'surface' })) }
}

/**
 * The parts behind and in front of a plane; null if one side is empty.
 * @param tolerance distance from the plane below which a point lies on it, m
 */
export function splitPart(part: CutPart, plane: Plane, tolerance: number): readonly [CutPart, CutPart] | null {
  const [behind, front] = splitCell(part.cell, plane, tolerance)
  if (behind === null || front === null) {
    return null
  }
  const a = clippedLoops(part.loops, plane, -1, tolerance)
  const b = clippedLoops(part.loops, plane, 1, tolerance)
  return a === null || b === null ? null : [{ cell: behind, loops: a }, { cell: front, loops: b }]
}

/** Null if no polygon of the surface reaches that side (±1). */
function clippedLoops(loops: readonly Loop[], plane: Plane, side: number, tolerance: number): Loop[] | null {
  const kept: Loop[] = []
  const cut: (readonly [Vec3, Vec3])[] = []
  let any = false
  for (const { points, kind } of loops) {
    const heights = points.map(p => {
      const h = side * (dot(plane.normal, p) - plane.offset)
      return Math.abs(h) <= tolerance ? 0 : h
    })
    if (!heights.some(h => h > 0)) {
      // A face of the solid in the plane: its corners belong to the side of the solid.
      if (kind !== 'cap' && heights.every(h => h === 0) && side * dot(plane.normal, areaOf(points)) < 0) {
        kept.push({ points, kind: 'trace' })
      }
      continue
    }
    const clipped: Vec3[] = []
    const on: boolean[] = []
    points.forEach((p, k) => {
      const l = (k + 1) % points.length
      const [hp, hq] = [heights[k]!, heights[l]!]
      if (hp >= 0) {
        clipped.push(p)
        on.push(hp === 0)
      }
      if (hp * hq < 0) {
        clipped.push(addScaled(p, sub(points[l]!, p), hp / (hp - hq)))
        on.push(true)
      }
    })
    kept.push({ points: clipped, kind })
    any ||= kind === 'surface'
    if (kind === 'trace') {
      continue
    }
    clipped.forEach((p, k) => {
      const l = (k + 1) % clipped.length
      if (on[k] === true && on[l] === true) {
        cut.push([p, clipped[l]!])
      }
    })
  }
  const apex = cut[0]?.[0]
  for (const [p, q] of apex === undefined ? [] : cut) {
    if (p !== apex && q !== apex) {
      kept.push({ points: [apex!, q, p], kind: 'cap' })
    }
  }
  return any ? kept : null
}

/** Twice a polygon's area, along its normal, m². */
function areaOf(points: readonly Vec3[]): Vec3 {
  let sum: Vec3 = [0, 0, 0]
  for (let k = 1; k + 1 < points.length; k++) {
    sum = add(sum, cross(sub(points[k]!, points[0]!), sub(points[k + 1]!, points[0]!)))
  }
  return sum
}

/** Signed volume of a part, m³. */
export function volumeOf({ loops }: CutPart): number {
  const origin = loops[0]!.points[0]!
  let sixfold = 0
  for (const { points, kind } of loops) {
    if (kind === 'trace') {
      continue
    }
    const a = sub(points[0]!, origin)
    for (let k = 1; k + 1 < points.length; k++) {
      sixfold += dot(a, cross(sub(points[k]!, origin), sub(points[k + 1]!, origin)))
    }
  }
  return sixfold / 6
}

/** Points with the same hull as the part: corners of its surface, and corners of its cell inside the solid. @param isInside for the whole solid */
export function cornersOf({ cell, loops }: CutPart, isInside: (p: Vec3) => boolean): Vec3[] {
  const corners = new Map<string, Vec3>()
  for (const p of cell.flat()) {
    corners.set(p.join(' '), p)
  }
  const inside = [...corners.values()].filter(isInside)
  const surface = new Map<string, Vec3>()
  for (const { points, kind } of loops) {
    for (const p of kind === 'cap' ? [] : points) {
      surface.set(p.join(' '), p)
    }
  }
  return [...surface.values(), ...inside]
}

/** No edge of a modelled solid is parallel to this direction, so a ray crosses faces in their interiors. */
const SKEW = normalize([0.35119, 0.58727, 0.72913])

/**
 * Whether a point is inside a closed surface, by the signed crossings of a ray. For a point within rounding of the surface either result is possible.
 * @param triangles counter-clockwise seen from outside
 */
export function insideTest(triangles: readonly (readonly Vec3[])[]): (p: Vec3) => boolean {
  // In projection along the ray all triangles lie in a plane, where boxes exclude most of them.
  const x = normalize(cross(SKEW, [0, 0, 1]))
  const y = cross(SKEW, x)
  const flat = new Float64Array(9 * triangles.length)
  triangles.forEach((triangle, i) => triangle.forEach((p, k) => {
    flat[9 * i + 3 * k] = dot(x, p)
    flat[9 * i + 3 * k + 1] = dot(y, p)
    flat[9 * i + 3 * k + 2] = dot(SKEW, p)
  }))
  return p => {
    const [u, v, w] = [dot(x, p), dot(y, p), dot(SKEW, p)]
    let leaves = 0
    for (let i = 0; i < flat.length; i += 9) {
      const [au, av, bu, bv, cu, cv] = [flat[i]! - u, flat[i + 1]! - v, flat[i + 3]! - u, flat[i + 4]! - v, flat[i + 6]! - u, flat[i + 7]! - v]
      const ab = au * bv - av * bu
      const bc = bu * cv - bv * cu
      const ca = cu * av - cv * au
      if (!(ab > 0 && bc > 0 && ca > 0) && !(ab < 0 && bc < 0 && ca < 0)) {
        continue
      }
      const height = (bc * flat[i + 2]! + ca * flat[i + 5]! + ab * flat[i + 8]!) / (ab + bc + ca)
      if (height > w) {
        leaves += ab > 0 ? 1 : -1
      }
    }
    return leaves !== 0
  }
}

/** An edge along which the surface turns inwards, and the planes that could open it. */
export interface ReflexEdge {
  readonly ends: readonly [Vec3, Vec3]
  /** Benefit of a cut there: sine of the fold's angle × length, m. */
  readonly weight: number
  /** The bisecting plane, and the planes of both faces. */
  readonly planes: readonly [Plane, Plane, Plane]
}

/** Sine of the fold's angle below which two faces are coplanar. */
const STRAIGHT = 1e-6

/** @param triangles of a closed surface, as vertex indices */
export function reflexEdges(vertices: readonly Vec3[], triangles: readonly (readonly number[])[]): ReflexEdge[] {
  const first = new Map<string, number>()
  const normals = triangles.map(([a, b, c]) => normalize(cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!))))
  const found: ReflexEdge[] = []
  triangles.forEach((triangle, f) => triangle.forEach((a, k) => {
    const b = triangle[(k + 1) % 3]!
    const other = first.get(`${b} ${a}`)
    if (other === undefined) {
      first.set(`${a} ${b}`, f)
      return
    }
    const [m, n] = [normals[f]!, normals[other]!]
    const [p, q] = [vertices[a]!, vertices[b]!]
    // The edge runs a → b in this face, so its direction × this normal points out of this face: with the other's normal along it, the fold is outwards.
    const turn = dot(cross(m, n), normalize(sub(q, p)))
    const halving = normalize(sub(m, n))
    if (turn < -STRAIGHT && length(halving) > 0) {
      const at = (normal: Vec3): Plane => ({ normal, offset: dot(normal, p) })
      found.push({ ends: [p, q], weight: -turn * length(sub(q, p)), planes: [at(halving), at(m), at(n)] })
    }
  }))
  return found
}

/** Exact overlap volume of two solids, by clipping one with the faces of the other; an independent test of non-penetration. */

import { add, addScaled, cross, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../math/vector'
import { facePlanes, type ConvexSolid, type HalfSpacePlane } from './convex-solid'

type Polygon = readonly Vec3[]

/** m³ */
export function overlapVolume(a: ConvexSolid, b: ConvexSolid): number {
  return volumeBelow(a, facePlanes(b))
}

/** Volume of the part of a solid below all planes, m³. One plane gives its overlap with a half-space. */
export function volumeBelow(solid: ConvexSolid, planes: readonly HalfSpacePlane[]): number {
  const origin = solid.vertices[0]!
  let polygons: Polygon[] = solid.faces.map(face => face.map(v => sub(solid.vertices[v]!, origin)))
  for (const { normal, offset } of planes) {
    polygons = clip(polygons, normal, offset - dot(normal, origin))
    if (polygons.length === 0) {
      return 0
    }
  }
  return Math.max(0, volume(polygons))
}

/** Keeps the part where normal · x ≤ offset and closes the cut. */
function clip(polygons: readonly Polygon[], normal: Vec3, offset: number): Polygon[] {
  const height = (p: Vec3): number => dot(normal, p) - offset
  const kept: Polygon[] = []
  const cut: Vec3[] = []
  for (const polygon of polygons) {
    const part: Vec3[] = []
    polygon.forEach((p, k) => {
      const q = polygon[(k + 1) % polygon.length]!
      const hp = height(p)
      const hq = height(q)
      if (hp <= 0) {
        part.push(p)
        if (hp === 0) {
          cut.push(p)
        }
      }
      if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
        const crossing = addScaled(p, sub(q, p), hp / (hp - hq))
        part.push(crossing)
        cut.push(crossing)
      }
    })
    if (part.length >= 3 && polygon.some(p => height(p) < 0)) {
      kept.push(part)
    }
  }
  const cap = hullInPlane(cut, normal)
  return kept.length === 0 ? [] : cap.length >= 3 ? [...kept, cap] : kept
}

/** Convex hull of coplanar points, counter-clockwise about the plane's normal. */
function hullInPlane(points: readonly Vec3[], normal: Vec3): Vec3[] {
  const x = perpendicular(normalize(normal))
  const y = cross(normal, x)
  const flat = points.map(p => ({ p, u: dot(p, x), v: dot(p, y) })).sort((s, t) => s.u - t.u || s.v - t.v)
  type Flat = (typeof flat)[number]
  const chain = (list: readonly Flat[]): Flat[] => {
    const hull: Flat[] = []
    for (const c of list) {
      while (hull.length >= 2) {
        const [a, b] = [hull[hull.length - 2]!, hull[hull.length - 1]!]
        if ((b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u) > 0) {
          break
        }
        hull.pop()
      }
      hull.push(c)
    }
    return hull.slice(0, -1)
  }
  return [...chain(flat), ...chain([...flat].reverse())].map(({ p }) => p)
}

function volume(polygons: readonly Polygon[]): number {
  const points = polygons.flat()
  const middle = scale(points.reduce(add), 1 / points.length)
  let six = 0
  for (const polygon of polygons) {
    const a = sub(polygon[0]!, middle)
    for (let k = 1; k + 1 < polygon.length; k++) {
      six += dot(a, cross(sub(polygon[k]!, middle), sub(polygon[k + 1]!, middle)))
    }
  }
  return six / 6
}

/** Volume of a ball below a plane (a spherical cap), m³. `height`: of the centre above the plane, m. */
export function ballBelow(radius: number, height: number): number {
  const h = Math.max(0, Math.min(2 * radius, radius - height))
  return Math.PI * h * h * (3 * radius - h) / 3
}

/** Overlap volume of two balls, m³. */
export function ballsOverlap(radiusA: number, radiusB: number, distance: number): number {
  if (distance >= radiusA + radiusB) {
    return 0
  }
  const small = Math.min(radiusA, radiusB)
  if (distance <= Math.abs(radiusA - radiusB)) {
    return 4 / 3 * Math.PI * small * small * small
  }
  const plane = (distance * distance + radiusA * radiusA - radiusB * radiusB) / (2 * distance)
  return ballBelow(radiusA, plane) + ballBelow(radiusB, distance - plane)
}

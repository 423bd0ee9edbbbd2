/**
 * A closed mesh cut into convex cells along its own faces' planes: a binary space partition with leaves entirely inside or outside.
 *
 * Each cut takes the face plane that splits the fewest remaining faces. An otherwise empty region behind a face is inside. The cells are exact up to rounding,
 * but many more than needed: `convex-pieces.ts` joins them.
 */

import { add, addScaled, cross, dot, length, lengthSquared, normalize, perpendicular, scale, sub, ZERO, type Vec3 } from '../math/vector'

/** A convex solid as its faces, each counter-clockwise seen from outside, m. */
export type Cell = readonly (readonly Vec3[])[]

/** Points p with normal · p = offset; the normal is a unit vector. */
export interface Plane {
  readonly normal: Vec3
  readonly offset: number
}

interface Polygon {
  readonly points: readonly Vec3[]
  readonly plane: Plane
}

/** Candidates tried for each cut: enough to find a good one, few enough to be fast. */
const CANDIDATES = 24

/**
 * @param triangles of a closed surface, counter-clockwise seen from outside
 * @param tolerance distance from a plane below which a point lies on it, m
 * @param most cells; null where there would be more
 */
export function solidCells(triangles: readonly (readonly Vec3[])[], tolerance: number, most: number): Cell[] | null {
  const inside: Cell[] = []
  const pending: { cell: Cell, polygons: readonly Polygon[] }[] = [
    { cell: boundingCell(triangles.flat()), polygons: withSharedPlanes(triangles, tolerance) },
  ]
  let cuts = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { cell, polygons } = next
    const { plane } = bestCut(polygons, tolerance)
    if (++cuts > 8 * most) {
      return null
    }
    const on = polygons.find(polygon => liesOn(polygon, plane, tolerance))!
    const solidBehind = dot(on.plane.normal, plane.normal) > 0
    const [behind, front] = splitCell(cell, plane, tolerance)
    for (const [side, part] of [[-1, behind], [1, front]] as const) {
      if (part === null) {
        continue
      }
      const rest = polygons.flatMap(polygon => liesOn(polygon, plane, tolerance) ? [] : partOf(polygon, plane, side, tolerance))
      if (rest.length > 0) {
        pending.push({ cell: part, polygons: rest })
      } else if (solidBehind === (side < 0)) {
        inside.push(part)
        if (inside.length > most) {
          return null
        }
      }
    }
  }
  return inside
}

/** Triangles with equal planes get the same plane object, so that they are cut by exactly one plane. */
function withSharedPlanes(triangles: readonly (readonly Vec3[])[], tolerance: number): Polygon[] {
  const planes: Plane[] = []
  const areas = triangles.map(([a, b, c]) => cross(sub(b!, a!), sub(c!, a!)))
  const order = triangles.map((_, i) => i).sort((i, j) => lengthSquared(areas[j]!) - lengthSquared(areas[i]!) || i - j)
  const polygons: Polygon[] = []
  for (const i of order) {
    const points = triangles[i]!
    const normal = normalize(areas[i]!)
    if (lengthSquared(normal) === 0) {
      continue
    }
    let plane = planes.find(other => dot(other.normal, normal) > 0 && points.every(p => Math.abs(heightOver(other, p)) <= tolerance))
    if (plane === undefined) {
      plane = { normal, offset: dot(normal, scale(points.reduce(add, ZERO), 1 / points.length)) }
      planes.push(plane)
    }
    polygons.push({ points, plane })
  }
  return polygons
}

function heightOver(plane: Plane, p: Vec3): number {
  return dot(plane.normal, p) - plane.offset
}

function liesOn(polygon: Polygon, plane: Plane, tolerance: number): boolean {
  return polygon.plane === plane || polygon.points.every(p => Math.abs(heightOver(plane, p)) <= tolerance)
}

/** The plane that splits the fewest polygons; among equals the one that most lie on. */
function bestCut(polygons: readonly Polygon[], tolerance: number): Polygon {
  const planes = new Map<Plane, Polygon>()
  for (const polygon of polygons) {
    if (!planes.has(polygon.plane)) {
      planes.set(polygon.plane, polygon)
    }
  }
  const all = [...planes.values()]
  const stride = Math.max(1, Math.floor(all.length / CANDIDATES))
  let best = all[0]!
  let least = Infinity
  for (let i = 0; i < all.length; i += stride) {
    const { plane } = all[i]!
    let cost = 0
    for (const other of polygons) {
      let above = false
      let below = false
      for (const p of other.points) {
        const h = heightOver(plane, p)
        above ||= h > tolerance
        below ||= h < -tolerance
      }
      cost += above && below ? 1 : above || below ? 0 : -0.001
    }
    if (cost < least) {
      least = cost
      best = all[i]!
    }
  }
  return best
}

/** The part of a polygon on one side (±1) of a plane. */
function partOf(polygon: Polygon, plane: Plane, side: number, tolerance: number): Polygon[] {
  const points = clipped(polygon.points, plane, side, tolerance)
  return points.length >= 3 && points.some(p => side * heightOver(plane, p) > tolerance) ? [{ points, plane: polygon.plane }] : []
}

function clipped(points: readonly Vec3[], plane: Plane, side: number, tolerance: number): Vec3[] {
  const kept: Vec3[] = []
  points.forEach((p, k) => {
    const q = points[(k + 1) % points.length]!
    const hp = side * heightOver(plane, p)
    const hq = side * heightOver(plane, q)
    if (hp >= -tolerance) {
      kept.push(p)
    }
    if ((hp > tolerance && hq < -tolerance) || (hp < -tolerance && hq > tolerance)) {
      kept.push(addScaled(p, sub(q, p), hp / (hp - hq)))
    }
  })
  return kept
}

/** The parts of a cell behind and in front of a plane; null if empty. */
export function splitCell(cell: Cell, plane: Plane, tolerance: number): readonly [Cell | null, Cell | null] {
  let low = Infinity
  let high = -Infinity
  for (const face of cell) {
    for (const p of face) {
      const h = heightOver(plane, p)
      low = Math.min(low, h)
      high = Math.max(high, h)
    }
  }
  if (low >= -tolerance) {
    return [null, cell]
  }
  if (high <= tolerance) {
    return [cell, null]
  }
  const sections: Vec3[] = []
  const halves = [-1, 1].map(side => cell.flatMap(face => {
    const part = clipped(face, plane, side, tolerance)
    if (side < 0) {
      sections.push(...part.filter(p => Math.abs(heightOver(plane, p)) <= tolerance))
    }
    return part.length >= 3 && part.some(p => side * heightOver(plane, p) > tolerance) ? [part] : []
  }))
  const cap = around(sections, plane.normal)
  return [[...halves[0]!, cap], [...halves[1]!, [...cap].reverse()]]
}

/** Points of a convex section, each once, counter-clockwise about the normal. */
export function around(points: readonly Vec3[], normal: Vec3): Vec3[] {
  const middle = scale(points.reduce(add, ZERO), 1 / points.length)
  const x = perpendicular(normal)
  const y = cross(normal, x)
  const size = Math.max(...points.map(p => length(sub(p, middle))))
  // Pseudo-angle: grows with the angle, and needs no trigonometry.
  const angle = (u: number, v: number): number => {
    const r = u / (Math.abs(u) + Math.abs(v))
    return v < 0 ? 3 + r : 1 - r
  }
  const turned = points.map(p => ({ p, at: angle(dot(x, sub(p, middle)), dot(y, sub(p, middle))) })).sort((a, b) => a.at - b.at)
  return turned.filter(({ p }, i) => length(sub(p, turned[(i + turned.length - 1) % turned.length]!.p)) > 1e-9 * size).map(({ p }) => p)
}

/** A box around all points, with a margin. */
export function boundingCell(points: readonly Vec3[]): Cell {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const p of points) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, p[k]!)
      high[k] = Math.max(high[k]!, p[k]!)
    }
  }
  // A margin separates the box's own faces from the mesh's.
  const margin = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) / 8
  const corner = (i: number): Vec3 => [0, 1, 2].map(k => (i >> k) & 1 ? high[k]! + margin : low[k]! - margin) as unknown as Vec3
  return [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map(face => face.map(corner))
}

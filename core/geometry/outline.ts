/** Outlines drawn as points of a plane: whether they enclose an area, and their convex pieces. */

import { add, scale, sub, ZERO, type Vec3 } from '../math/vector'
import { orientation } from './orientation'
import { triangulate } from './polygon'

/** Coordinates in a plane, m. */
export type Point2 = readonly [number, number]

export type OutlineFault =
  | { readonly kind: 'tooFew' }
  | { readonly kind: 'twice', readonly points: readonly [number, number] }
  /** Sides from point i and from point j to the next ones. */
  | { readonly kind: 'crosses', readonly sides: readonly [number, number] }
  | { readonly kind: 'noArea' }

const flat = ([x, y]: Point2): Vec3 => [x, y, 0]

/** Positive if c lies to the left of the line from a to b, exactly 0 on it. */
export function turn(a: Point2, b: Point2, c: Point2): number {
  // Exact, by the plane through a, b and a point above a.
  const side = orientation(flat(a), flat(b), [a[0], a[1], 1], flat(c))
  return -side
}

/** The first fault of a closed outline; null if it is simple: no point occurs twice, and no side overlaps or crosses another. */
export function outlineFault(points: readonly Point2[]): OutlineFault | null {
  const n = points.length
  if (n < 3) return { kind: 'tooFew' }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) if (points[i]![0] === points[j]![0] && points[i]![1] === points[j]![1]) return { kind: 'twice', points: [j, i] }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) if (sidesMeet(points, j, i)) return { kind: 'crosses', sides: [j, i] }
  }
  return area(points) === 0 ? { kind: 'noArea' } : null
}

/** m²; positive if the outline runs counter-clockwise. */
export function area(points: readonly Point2[]): number {
  const [ox, oy] = points[0]!
  return points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!
    return sum + ((x - ox) * (v - oy) - (u - ox) * (y - oy)) / 2
  }, 0)
}

/** Whether two sides have a point in common; for neighbouring sides, one other than their shared corner. */
function sidesMeet(points: readonly Point2[], i: number, j: number): boolean {
  const n = points.length
  const [a, b, c, d] = [points[i]!, points[(i + 1) % n]!, points[j]!, points[(j + 1) % n]!]
  if ((i + 1) % n === j) return foldsBack(b, a, d)
  if ((j + 1) % n === i) return foldsBack(a, c, b)
  const [ca, da, ac, bc] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)]
  if (((ca > 0 && da < 0) || (ca < 0 && da > 0)) && ((ac > 0 && bc < 0) || (ac < 0 && bc > 0))) return true
  return (ca === 0 && between(a, b, c)) || (da === 0 && between(a, b, d)) || (ac === 0 && between(c, d, a)) || (bc === 0 && between(c, d, b))
}

/** Whether the two sides at a corner overlap. */
const foldsBack = (corner: Point2, p: Point2, q: Point2): boolean =>
  turn(p, corner, q) === 0 && (p[0] - corner[0]) * (q[0] - corner[0]) + (p[1] - corner[1]) * (q[1] - corner[1]) > 0

const between = (a: Point2, b: Point2, p: Point2): boolean =>
  p[0] >= Math.min(a[0], b[0]) && p[0] <= Math.max(a[0], b[0]) && p[1] >= Math.min(a[1], b[1]) && p[1] <= Math.max(a[1], b[1])

/**
 * Convex pieces of a simple outline, as counter-clockwise indices of its points: triangles, joined across their common
 * sides while the union is convex [Hertel, Mehlhorn 1983]. There are at most four times as many as the minimum. No point
 * is added, so the pieces are the outline exactly.
 */
export function convexParts(points: readonly Point2[]): number[][] {
  const order = points.flatMap((p, i) => turn(points.at(i - 1)!, p, points[(i + 1) % points.length]!) === 0 ? [] : [i])
  if (area(points) < 0) order.reverse()
  const turned = order.map(i => flat(points[i]!))
  const parts: number[][] = triangulate(turned, [0, 0, 1]).map(triangle => triangle.map(i => order[i]!))
    .filter(([a, b, c]) => turn(points[a!]!, points[b!]!, points[c!]!) > 0)
  for (let joined = true; joined;) {
    joined = false
    search: for (let i = 0; i < parts.length; i++) {
      for (let j = i + 1; j < parts.length; j++) {
        const whole = joinOf(points, parts[i]!, parts[j]!)
        if (whole === null) continue
        parts.splice(j, 1)
        parts[i] = whole
        joined = true
        break search
      }
    }
  }
  return parts
}

/** The union of two parts with a common side; null if there is none, or if it would not be convex. */
function joinOf(points: readonly Point2[], a: readonly number[], b: readonly number[]): number[] | null {
  for (let k = 0; k < a.length; k++) {
    const [from, to] = [a[k]!, a[(k + 1) % a.length]!]
    const at = b.findIndex((v, i) => v === to && b[(i + 1) % b.length] === from)
    if (at < 0) continue
    const whole = [...a.slice(0, k + 1), ...Array.from({ length: b.length - 2 }, (_, i) => b[(at + 2 + i) % b.length]!), ...a.slice(k + 1)]
    return whole.every((v, i) => turn(points[v]!, points[whole[(i + 1) % whole.length]!]!, points[whole[(i + 2) % whole.length]!]!) >= 0) ? whole : null
  }
  return null
}

/** Centroid of the area inside a simple outline. */
export function centroid(points: readonly Point2[]): Point2 {
  const origin = flat(points[0]!)
  let weight = 0
  const sum = points.reduce<Vec3>((total, p, i) => {
    const [a, b] = [sub(flat(p), origin), sub(flat(points[(i + 1) % points.length]!), origin)]
    const share = a[0] * b[1] - a[1] * b[0]
    weight += share
    return add(total, scale(add(a, b), share / 3))
  }, ZERO)
  return [origin[0] + sum[0] / weight, origin[1] + sum[1] / weight]
}

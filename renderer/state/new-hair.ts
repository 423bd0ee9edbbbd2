/** New hair on a body: on the part of its surface that is seen, or where a brush paints it; strands along its normals. */

import { dot, length, sub, type Vec3 } from '../../core/math/vector'
import type { Body, DeformableOf } from '../../core/scene'
import { boxOf } from '../modelling/extents'
import { strandAt, type Root } from '../modelling/hair-edit'
import type { ViewportApi } from './viewport-api'

/** Sections of the picture along each side in which the surface is looked up. */
const GRID = 48
/** × half the diagonal of the body: distance of roots, length and radius of strands. */
const SPACING = 0.2
const LENGTH = 0.4
const RADIUS = 0.005
/** kg/m */
const DENSITY = 0.002
/** Share of its length by which the end of a level strand sinks. */
const DROOP = 0.2
/** m/s² */
const G = 9.81

/** m: distance of roots, length and radius of strands. */
export interface HairSizes {
  readonly spacing: number
  readonly long: number
  readonly radius: number
}

/** m: half the diagonal of a body; 0 without a finite shape. */
export function sizeOf(body: Body): number {
  const box = boxOf(body)
  return box ? length(sub(box.high, box.low)) / 2 : 0
}

/** @param size half the diagonal of the body, m */
export function sizesFor(size: number): HairSizes {
  return { spacing: round(SPACING * size), long: round(LENGTH * size), radius: round(RADIUS * size) }
}

/** Hair on the body, one strand for each root. */
export function hairOn(roots: readonly Root[], { long, radius }: HairSizes, body: string): Omit<DeformableOf<'hair'>, 'id' | 'material'> {
  return {
    type: 'hair', radius, damping: 0.02, linearDensity: DENSITY, axialStiffness: round(1000 * DENSITY * G * long),
    // A level cantilever sinks by ρ g L⁴ ÷ 8 EI.
    bendingStiffness: Number((DENSITY * G * long ** 3 / (8 * DROOP)).toPrecision(4)),
    strands: roots.map(root => ({ body, points: strandAt(root, radius, long) })),
  }
}

/** Points of the body's surface that are seen, no two of them closer than a fifth of half its diagonal. */
export function seenRoots(api: ViewportApi, body: Body): readonly Root[] {
  const box = boxOf(body)
  if (!box) return []
  const size = sizeOf(body)
  const corner = (k: number) => [0, 1, 2].map(axis => (k >> axis & 1 ? box.high : box.low)[axis]!) as unknown as Vec3
  const corners = Array.from({ length: 8 }, (_, k) => api.projectToScreen(corner(k)))
  const seen = corners.filter(corner => corner !== null)
  const [left, right] = [Math.min(...seen.map(({ x }) => x)), Math.max(...seen.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...seen.map(({ y }) => y)), Math.max(...seen.map(({ y }) => y))]
  const roots: Root[] = []
  for (let row = 0; row < GRID && seen.length > 0; row++) {
    for (let column = 0; column < GRID; column++) {
      const hit = api.pickAt(left + (column + 0.5) * (right - left) / GRID, top + (row + 0.5) * (bottom - top) / GRID)
      if (hit?.body !== body.id) continue
      const near = roots.some(({ point }) => square(sub(point, hit.point)) < (SPACING * size) ** 2)
      if (!near) roots.push({ point: hit.point, normal: hit.normal })
    }
  }
  return roots
}

const square = (v: Vec3): number => dot(v, v)
const round = (value: number): number => Number(value.toPrecision(6))

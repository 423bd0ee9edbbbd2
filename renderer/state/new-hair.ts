/** Hair on the part of a body's surface that is seen: strands along its normals. */

import { addScaled, dot, length, sub, type Vec3 } from '../../core/math/vector'
import type { Body, DeformableOf } from '../../core/scene'
import { boxOf } from '../modelling/extents'
import type { ViewportApi } from './viewport-api'

/** Sections of the picture along each side in which the surface is looked up. */
const GRID = 48
/** × half the diagonal of the body: distance of roots, length and radius of strands. */
const SPACING = 0.2
const LENGTH = 0.4
const RADIUS = 0.005
/** Segments of a strand; the first one is clamped in the body. */
const SEGMENTS = 5
/** kg/m */
const DENSITY = 0.002
/** Share of its length by which the end of a level strand sinks. */
const DROOP = 0.2
/** m/s² */
const G = 9.81

interface Root {
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
}

/** Hair on the body, one strand for each root. @param size half the diagonal of the body, m */
export function hairOn(roots: readonly Root[], size: number, body: string): Omit<DeformableOf<'hair'>, 'id' | 'material'> {
  const long = LENGTH * size
  const radius = round(RADIUS * size)
  return {
    type: 'hair', radius, damping: 0.02, linearDensity: DENSITY, axialStiffness: round(1000 * DENSITY * G * long),
    // A level cantilever sinks by ρ g L⁴ ÷ 8 EI.
    bendingStiffness: Number((DENSITY * G * long ** 3 / (8 * DROOP)).toPrecision(4)),
    strands: roots.map(({ point, normal }) => ({
      body,
      points: Array.from({ length: SEGMENTS + 1 }, (_, k) => rounded(addScaled(point, normal, 1.01 * radius + long * k / SEGMENTS))),
    })),
  }
}

/** Points of the body's surface that are seen, no two of them closer than a fifth of half its diagonal. */
export function seenRoots(api: ViewportApi, body: Body): { readonly roots: readonly Root[]; readonly size: number } {
  const box = boxOf(body)
  if (!box) return { roots: [], size: 0 }
  const size = length(sub(box.high, box.low)) / 2
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
  return { roots, size }
}

const square = (v: Vec3): number => dot(v, v)
const round = (value: number): number => Number(value.toPrecision(6))
const rounded = (point: Vec3): Vec3 => point.map(value => Math.round(value * 1e6) / 1e6) as unknown as Vec3

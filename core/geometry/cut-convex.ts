/** Cuts a convex polyhedron in two by a plane. */

import { addScaled, dot, sub, type Vec3 } from '../math/vector'
import type { Mesh } from './mesh'
import { sizeOf } from './polyhedron-build'
import type { Plane } from './solid-cells'

/**
 * Distance from the plane up to which a corner lies on it, × size: the rounding of a corner's coordinates. A larger value would bend the section, and the
 * halves would overlap by as much.
 */
const ON_PLANE = 1e-13
/** Depth of a half, × size, below which it encloses no volume worth simulating, as for hulls. */
const FLAT = 1e-9

export interface ConvexHalves {
  /** Corners where normal · p ≤ offset, m; empty if there are none. */
  readonly behind: readonly Vec3[]
  /** Corners where normal · p ≥ offset. */
  readonly front: readonly Vec3[]
  /** Corners of the section, which both halves have, in no order; empty if the plane does not cross the solid. */
  readonly section: readonly Vec3[]
}

/** Each half is the hull of its corners. The corners of the section are computed once, so that the halves fit exactly. */
export function cutConvex({ vertices, faces }: Mesh, { normal, offset }: Plane): ConvexHalves {
  const size = sizeOf(vertices)
  const heights = vertices.map(p => {
    const height = dot(normal, p) - offset
    return Math.abs(height) <= ON_PLANE * size ? 0 : height
  })
  if (Math.min(...heights) >= -FLAT * size) return { behind: [], front: vertices, section: [] }
  if (Math.max(...heights) <= FLAT * size) return { behind: vertices, front: [], section: [] }
  const section = distinct([...vertices.filter((_, i) => heights[i] === 0), ...crossings(vertices, faces, heights)])
  const half = (side: number) => distinct([...vertices.filter((_, i) => side * heights[i]! > 0), ...section])
  return { behind: half(-1), front: half(1), section }
}

function crossings(vertices: readonly Vec3[], faces: Mesh['faces'], heights: readonly number[]): Vec3[] {
  return faces.flatMap(face => face.flatMap((a, k): Vec3[] => {
    const b = face[(k + 1) % face.length]!
    // Its two faces run along each edge in opposite directions. It is cut in the face where it rises.
    if (!(heights[a]! < 0 && heights[b]! > 0)) return []
    return [addScaled(vertices[a]!, sub(vertices[b]!, vertices[a]!), heights[a]! / (heights[a]! - heights[b]!))]
  }))
}

function distinct(points: readonly Vec3[]): Vec3[] {
  return [...new Map(points.map(p => [p.map(x => x + 0).join(' '), p])).values()]
}

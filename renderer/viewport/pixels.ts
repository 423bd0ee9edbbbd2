/** Distances in the picture. */

import type { Pixel } from './gizmos/handles'

/** CSS pixels from a point to a segment. */
export function distanceToSegment([ax, ay]: Pixel, [bx, by]: Pixel, x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(ax + t * dx - x, ay + t * dy - y)
}

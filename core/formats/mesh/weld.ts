/** Triangles from formats without shared vertices, such as STL: each corner is written for itself, and equal corners are one vertex. */

import type { Mesh } from '../../geometry/mesh'
import type { Vec3 } from '../../math/vector'

/**
 * × the largest extent: corners that differ by less are the same. Programs compute a corner anew for each triangle, so that its copies differ by roundings
 * of single precision (6e-8) or of six printed digits; an edge as short as this would be 1 µm of 1 m.
 */
const SAME = 1e-6
/** × that distance: edge of the cells in which neighbours are looked for. Larger cells hold more vertices; smaller ones are crossed more often. */
const CELL = 1000

/** Triangles that welding reduces to edges are dropped. @param corners three for each triangle, m */
export function weld(corners: readonly Vec3[]): Mesh {
  const vertices: Vec3[] = []
  const near = SAME * extentOf(corners)
  const cells = new Map<string, number[]>()
  const cellOf = (x: number) => near > 0 ? Math.floor(x / (CELL * near)) : 0
  const isSame = (v: number, p: Vec3) => p.every((x, k) => Math.abs(x - vertices[v]![k]!) <= near)
  const found = (p: Vec3): number | undefined => {
    const [low, high] = [p.map(x => cellOf(x - near)), p.map(x => cellOf(x + near))]
    for (let i = low[0]!; i <= high[0]!; i++) for (let j = low[1]!; j <= high[1]!; j++) for (let k = low[2]!; k <= high[2]!; k++) {
      const at = cells.get(`${i} ${j} ${k}`)?.find(v => isSame(v, p))
      if (at !== undefined) return at
    }
    return undefined
  }
  const index = corners.map(p => {
    const known = found(p)
    if (known !== undefined) return known
    const key = p.map(cellOf).join(' ')
    const cell = cells.get(key)
    const at = vertices.push(p) - 1
    if (cell) cell.push(at)
    else cells.set(key, [at])
    return at
  })
  const faces: number[][] = []
  for (let k = 0; k + 2 < index.length; k += 3) {
    const [a, b, c] = [index[k]!, index[k + 1]!, index[k + 2]!]
    if (a !== b && b !== c && c !== a) faces.push([a, b, c])
  }
  return { vertices, faces }
}

function extentOf(corners: readonly Vec3[]): number {
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]]
  for (const p of corners) for (let k = 0; k < 3; k++) {
    low[k] = Math.min(low[k]!, p[k]!)
    high[k] = Math.max(high[k]!, p[k]!)
  }
  return corners.length === 0 ? 0 : Math.max(...high.map((x, k) => x - low[k]!))
}

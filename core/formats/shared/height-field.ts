/**
 * Height fields as solids: a grid of heights over a base, cut exactly into convex columns. The surface of a cell is two triangles that meet in the diagonal
 * from its lowest row and column to its highest, as in MuJoCo. Cells whose surface is a ridge or flat are one column; flat rectangles of cells are one too.
 */

import type { Mesh } from '../../geometry/mesh'
import type { Vec3 } from '../../math/vector'

export interface HeightField {
  readonly columns: number
  readonly rows: number
  /** m above z = 0, row by row; the first row is at the lowest y, the first column at the lowest x. */
  readonly heights: Float64Array
  /** m: half the extent along x and y. */
  readonly half: readonly [number, number]
  /** m, above 0: how far the solid reaches below z = 0. */
  readonly base: number
}

export interface HeightSolid extends Mesh {
  readonly vertices: Vec3[]
  readonly faces: number[][]
  readonly pieces: { points: Vec3[] }[]
}

/** Grid points that a height field keeps. Its columns, two a cell at most, are all tested for contact. */
export const MOST_HEIGHTS = 2500
/** Difference of heights that counts as flat, × the larger extent. */
const FLAT = 1e-12

/** Every n-th height, and the last, so that no more remain than are allowed; null if none is left out. */
export function thinned(field: HeightField): { readonly field: HeightField; readonly step: number } | null {
  const { columns, rows, heights } = field
  let step = 1
  const kept = (count: number) => Math.ceil((count - 1) / step) + 1
  while (kept(columns) * kept(rows) > MOST_HEIGHTS) step++
  if (step === 1) return null
  const [across, along] = [kept(columns), kept(rows)]
  const [dx, dy] = [(columns - 1) / (across - 1), (rows - 1) / (along - 1)]
  const out = new Float64Array(across * along)
  for (let r = 0; r < along; r++) for (let c = 0; c < across; c++) out[r * across + c] = heightAt(heights, columns, rows, c * dx, r * dy)
  return { field: { ...field, columns: across, rows: along, heights: out }, step }
}

/** By linear interpolation on the triangles. @param c, r in cells from the first column and row */
export function heightAt(heights: Float64Array, columns: number, rows: number, c: number, r: number): number {
  const [i, j] = [Math.min(columns - 2, Math.floor(c)), Math.min(rows - 2, Math.floor(r))]
  const [u, v] = [c - i, r - j]
  const [a, b, d, e] = [heights[j * columns + i]!, heights[j * columns + i + 1]!, heights[(j + 1) * columns + i]!, heights[(j + 1) * columns + i + 1]!]
  return u >= v ? a + u * (b - a) + v * (e - b) : a + v * (d - a) + u * (e - d)
}

/** @param field of at least 2 × 2 heights, all above −base */
export function heightSolid(field: HeightField): HeightSolid {
  const { columns, rows, heights, half: [x, y], base } = field
  const at = (r: number, c: number, low = false): Vec3 => [
    -x + 2 * x * c / (columns - 1), -y + 2 * y * r / (rows - 1), low ? -base : heights[r * columns + c]!,
  ]
  return { ...surfaceOf(columns, rows, at), pieces: piecesOf(field, at) }
}

type At = (r: number, c: number, low?: boolean) => Vec3

function surfaceOf(columns: number, rows: number, at: At): { vertices: Vec3[]; faces: number[][] } {
  const vertices: Vec3[] = []
  for (const low of [false, true]) {
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) if (!low || isRim(r, c, rows, columns)) vertices.push(at(r, c, low))
  }
  const rim: number[] = []
  const below = new Map<number, number>()
  let next = columns * rows
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) if (isRim(r, c, rows, columns)) below.set(r * columns + c, next++)
  const faces: number[][] = []
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const i = r * columns + c
      faces.push([i, i + 1, i + columns + 1], [i, i + columns + 1, i + columns])
    }
  }
  for (let c = 0; c + 1 < columns; c++) rim.push(c)
  for (let r = 0; r + 1 < rows; r++) rim.push(r * columns + columns - 1)
  for (let c = columns - 1; c > 0; c--) rim.push((rows - 1) * columns + c)
  for (let r = rows - 1; r > 0; r--) rim.push(r * columns)
  rim.forEach((a, k) => {
    const b = rim[(k + 1) % rim.length]!
    faces.push([a, below.get(a)!, below.get(b)!, b])
  })
  faces.push(rim.map(i => below.get(i)!).reverse())
  return { vertices, faces }
}

const isRim = (r: number, c: number, rows: number, columns: number): boolean => r === 0 || c === 0 || r === rows - 1 || c === columns - 1

function piecesOf({ columns, rows, heights, half }: HeightField, at: At): { points: Vec3[] }[] {
  const pieces: { points: Vec3[] }[] = []
  const used = new Uint8Array(columns * rows)
  const tolerance = FLAT * Math.max(...half)
  const h = (r: number, c: number) => heights[r * columns + c]!
  const isFlat = (r: number, c: number) => Math.abs(h(r, c) + h(r + 1, c + 1) - h(r, c + 1) - h(r + 1, c)) <= tolerance
  /** Whether a flat cell lies in the plane of another. */
  const lies = (r: number, c: number, r0: number, c0: number) => isFlat(r, c) && used[r * columns + c] === 0 && [[0, 0], [0, 1], [1, 0]].every(([i, j]) => (
    Math.abs(h(r0, c0) + (r + i! - r0) * (h(r0 + 1, c0) - h(r0, c0)) + (c + j! - c0) * (h(r0, c0 + 1) - h(r0, c0)) - h(r + i!, c + j!)) <= tolerance))
  const column = (corners: readonly (readonly [number, number])[]) => {
    pieces.push({ points: [...corners.map(([r, c]) => at(r, c)), ...corners.map(([r, c]) => at(r, c, true))] })
  }
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      if (used[r * columns + c] === 1) continue
      const bend = h(r, c) + h(r + 1, c + 1) - h(r, c + 1) - h(r + 1, c)
      if (isFlat(r, c)) {
        let [right, top] = [c + 1, r + 1]
        while (right + 1 < columns && lies(r, right, r, c)) right++
        while (top + 1 < rows && Array.from({ length: right - c }, (_, k) => c + k).every(k => lies(top, k, r, c))) top++
        for (let i = r; i < top; i++) used.fill(1, i * columns + c, i * columns + right)
        column([[r, c], [r, right], [top, right], [top, c]])
      } else if (bend > 0) column([[r, c], [r, c + 1], [r + 1, c + 1], [r + 1, c]])
      else {
        column([[r, c], [r, c + 1], [r + 1, c + 1]])
        column([[r, c], [r + 1, c + 1], [r + 1, c]])
      }
    }
  }
  return pieces
}

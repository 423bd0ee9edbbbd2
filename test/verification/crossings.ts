/**
 * Counts intersections of the triangles of a surface, and of edges with triangles, by the signs of volumes in exact rational arithmetic of doubles
 * scaled to integers. Shares no code with the engine.
 */

type P = readonly [bigint, bigint, bigint]

/** Doubles as integers of one scale: 2⁻⁶⁰ m; the rounding is far below every relevant distance. */
const SCALE = 2 ** 60

function exact(x: ArrayLike<number>, p: number): P {
  return [0, 1, 2].map(k => BigInt(Math.round(x[3 * p + k]! * SCALE))) as unknown as P
}

const sub = (a: P, b: P): P => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/** Sign of the volume of the tetrahedron abcd. */
function side(a: P, b: P, c: P, d: P): number {
  const [u, v, w] = [sub(b, a), sub(c, a), sub(d, a)]
  const volume = u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])
  return volume > 0n ? 1 : volume < 0n ? -1 : 0
}

/** Whether the segment pq passes through the inside of the triangle abc. */
function pierces(p: P, q: P, a: P, b: P, c: P): boolean {
  if (side(a, b, c, p) * side(a, b, c, q) !== -1) return false
  const [s, t, u] = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)]
  return s !== 0 && s === t && t === u
}

/** Pairs of an edge and a triangle, without a common vertex, that pass through each other. @param edges beside the triangles' own */
export function crossings(x: ArrayLike<number>, triangles: readonly (readonly number[])[], edges: readonly (readonly number[])[] = []): number {
  const seen = new Set<string>()
  const all: [number, number][] = []
  const add = (a: number, b: number): void => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`
    if (!seen.has(key)) all.push([a, b])
    seen.add(key)
  }
  for (const [a, b] of edges) add(a!, b!)
  for (const [a, b, c] of triangles) [[a, b], [b, c], [c, a]].forEach(([p, q]) => { add(p!, q!) })
  const low = (vertices: readonly number[], k: number): number => Math.min(...vertices.map(v => x[3 * v + k]!))
  const high = (vertices: readonly number[], k: number): number => Math.max(...vertices.map(v => x[3 * v + k]!))
  const boxes = triangles.map(triangle => [0, 1, 2].map(k => [low(triangle, k), high(triangle, k)] as const))
  const order = triangles.map((_, t) => t).sort((s, t) => boxes[s]![0]![0] - boxes[t]![0]![0])
  const widest = Math.max(...boxes.map(([along]) => along![1] - along![0]))
  const starts = order.map(t => boxes[t]![0]![0])
  let count = 0
  for (const [p, q] of all) {
    const box = [0, 1, 2].map(k => [low([p, q], k), high([p, q], k)] as const)
    let [from, to] = [0, order.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (starts[middle]! < box[0]![0] - widest) from = middle + 1
      else to = middle
    }
    for (let k = from; k < order.length && starts[k]! <= box[0]![1]; k++) {
      const triangle = triangles[order[k]!]!
      const other = boxes[order[k]!]!
      if (triangle.includes(p) || triangle.includes(q)) continue
      if (box.some(([l, h], axis) => h < other[axis]![0] || l > other[axis]![1])) continue
      const [a, b, c] = triangle as [number, number, number]
      if (pierces(exact(x, p), exact(x, q), exact(x, a), exact(x, b), exact(x, c))) count++
    }
  }
  return count
}

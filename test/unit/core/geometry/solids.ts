/** Closed meshes of concave solids for tests, in triangles and in polygons. */

import type { Mesh } from '../../../../core/geometry/mesh'
import type { Vec3 } from '../../../../core/math/vector'

/** A prism over a simple polygon (counter-clockwise in x, y), from z = 0 to `height`; its sides are rectangles, its ends one polygon each. */
export function prism(outline: readonly (readonly [number, number])[], height: number): Mesh {
  const n = outline.length
  const vertices = [0, height].flatMap(z => outline.map(([x, y]): Vec3 => [x, y, z]))
  const around = outline.map((_, k) => k)
  return {
    vertices,
    faces: [[...around].reverse(), around.map(k => n + k), ...around.map(k => [k, (k + 1) % n, n + (k + 1) % n, n + k])],
  }
}

/** A flight of steps, each 1 deep and 1 high. */
export function stairs(steps: number): Mesh {
  const profile: [number, number][] = [[0, 0], [steps, 0]]
  for (let k = steps; k > 0; k--) profile.push([k, steps - k + 1], [k - 1, steps - k + 1])
  return prism(profile.filter(([x, y], i) => i === 0 || x !== profile[i - 1]![0] || y !== profile[i - 1]![1]), 2)
}

/** A cube of edge 3 with a square hole of edge 1 through it along z: not simply connected, so no prism. */
export function frame(): Mesh {
  const square = (r: number, z: number): Vec3[] => [[-r, -r, z], [r, -r, z], [r, r, z], [-r, r, z]]
  const vertices = [...square(1.5, 0), ...square(0.5, 0), ...square(1.5, 3), ...square(0.5, 3)]
  const faces = [0, 1, 2, 3].flatMap(k => {
    const l = (k + 1) % 4
    return [[k, l, 8 + l, 8 + k], [4 + l, 4 + k, 12 + k, 12 + l], [l, k, 4 + k, 4 + l], [8 + k, 8 + l, 12 + l, 12 + k]]
  })
  return { vertices, faces }
}

/** A torus of radii 1 and 0.3 about z. */
export function torus(around: number, across: number): Mesh {
  const vertices = Array.from({ length: around * across }, (_, i): Vec3 => {
    const u = Math.floor(i / across) * 2 * Math.PI / around
    const v = (i % across) * 2 * Math.PI / across
    const r = 1 + 0.3 * Math.cos(v)
    return [r * Math.cos(u), r * Math.sin(u), 0.3 * Math.sin(v)]
  })
  const faces = vertices.map((_, i) => {
    const [u, v] = [Math.floor(i / across), i % across]
    const [w, x] = [(u + 1) % around, (v + 1) % across]
    return [u * across + v, w * across + v, w * across + x, u * across + x]
  })
  return { vertices, faces }
}

type Outline = readonly (readonly [number, number])[]
const circle = (r: number, n: number): Outline => Array.from({ length: n }, (_, k) => {
  const angle = 2 * Math.PI * (k + 0.5) / n
  return [r * Math.cos(angle), r * Math.sin(angle)]
})

/** The solid between two outlines of equally many corners, from z = 0 to `height`. */
export function tube(outer: Outline, inner: Outline, height: number): Mesh {
  const n = outer.length
  const vertices = [0, height].flatMap(z => [...outer, ...inner].map(([x, y]): Vec3 => [x, y, z]))
  const faces = outer.flatMap((_, k) => {
    const l = (k + 1) % n
    return [[k, l, 2 * n + l, 2 * n + k], [n + l, n + k, 3 * n + k, 3 * n + l], [l, k, n + k, n + l], [2 * n + k, 2 * n + l, 3 * n + l, 3 * n + k]]
  })
  return { vertices, faces }
}

/** A gear of 50 mm and `teeth` teeth, 10 mm thick, with a bore of 12 mm along z. */
export function gear(teeth: number): Mesh {
  const outer = circle(1, 4 * teeth).map(([x, y], k) => { const r = k % 4 < 2 ? 0.05 : 0.04; return [r * x, r * y] as const })
  return tube(outer, circle(0.006, 4 * teeth), 0.01)
}

/** A plate of 11 × 5 squares of `edge` and as thick, in squares, with a hole of one square about (2.5, 2.5) and one of 3 × 3 about (7.5, 2.5) edges. */
export function plateWithTwoHoles(edge: number): Mesh {
  const isSolid = (i: number, j: number) => i >= 0 && i < 11 && j >= 0 && j < 5 && !(i === 2 && j === 2) && !(i >= 6 && i <= 8 && j >= 1 && j <= 3)
  const vertices: Vec3[] = []
  const faces: number[][] = []
  const face = (...corners: Vec3[]) => { faces.push(corners.map(([x, y, z]) => vertices.push([edge * x, edge * y, edge * z]) - 1)) }
  for (let i = 0; i < 11; i++) {
    for (let j = 0; j < 5; j++) {
      if (!isSolid(i, j)) continue
      face([i, j, 1], [i + 1, j, 1], [i + 1, j + 1, 1], [i, j + 1, 1])
      face([i, j + 1, 0], [i + 1, j + 1, 0], [i + 1, j, 0], [i, j, 0])
      if (!isSolid(i + 1, j)) face([i + 1, j, 0], [i + 1, j + 1, 0], [i + 1, j + 1, 1], [i + 1, j, 1])
      if (!isSolid(i - 1, j)) face([i, j, 1], [i, j + 1, 1], [i, j + 1, 0], [i, j, 0])
      if (!isSolid(i, j + 1)) face([i + 1, j + 1, 0], [i, j + 1, 0], [i, j + 1, 1], [i + 1, j + 1, 1])
      if (!isSolid(i, j - 1)) face([i + 1, j, 1], [i, j, 1], [i, j, 0], [i + 1, j, 0])
    }
  }
  return { vertices, faces }
}

/** The surface of unit cubes at integer places. */
export function cubes(places: readonly Vec3[]): Mesh {
  const key = (p: readonly number[]): string => p.join()
  const filled = new Set(places.map(key))
  const [vertices, at]: [Vec3[], Map<string, number>] = [[], new Map()]
  const faces: number[][] = []
  const corner = (p: Vec3): number => at.get(key(p)) ?? (at.set(key(p), vertices.length), vertices.push(p) - 1)
  for (const place of places) {
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const shift = (p: Vec3, k: number, by: number): Vec3 => p.map((x, i) => i === k % 3 ? x + by : x) as unknown as Vec3
        if (filled.has(key(shift(place, axis, 2 * side - 1)))) continue
        const from = shift(place, axis, side)
        const square = [from, shift(from, axis + 1, 1), shift(shift(from, axis + 1, 1), axis + 2, 1), shift(from, axis + 2, 1)].map(corner)
        const [a, b, c, d] = (side === 1 ? square : square.reverse()) as [number, number, number, number]
        faces.push([a, b, c], [a, c, d])
      }
    }
  }
  return { vertices, faces }
}

/**
 * Number of handles of a closed triangle mesh, summed over its connected parts: the number of through holes of the solid [Euler's formula:
 * V − E + F = 2 (parts − handles)].
 */
export function handlesOf({ vertices, faces }: Mesh): number {
  const parent = vertices.map((_, i) => i)
  const root = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!
      i = parent[i]!
    }
    return i
  }
  for (const [a, b, c] of faces) {
    parent[root(a!)] = root(b!)
    parent[root(b!)] = root(c!)
  }
  const used = new Set(faces.flat())
  const parts = new Set([...used].map(root)).size
  return parts - (used.size - faces.length / 2) / 2
}

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

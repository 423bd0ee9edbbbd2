/** The five regular solids, standing on a face. */

import { hullFaces } from '../../geometry/hull'
import { cross, distanceSquared, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import { count, entry, metres } from './entry'

const GOLDEN = (1 + Math.sqrt(5)) / 2
const signs = [-1, 1] as const
/** (±a, ±b, ±c) with their cyclic permutations. */
const rings = (a: number, b: number): Vec3[] => signs.flatMap(s => signs.flatMap((t): Vec3[] => [[0, s * a, t * b], [t * b, 0, s * a], [s * a, t * b, 0]]))
const cube: readonly Vec3[] = signs.flatMap(x => signs.flatMap(y => signs.map((z): Vec3 => [x, y, z])))

const CORNERS: Readonly<Record<number, readonly Vec3[]>> = {
  4: [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]],
  6: cube,
  8: signs.flatMap((s): Vec3[] => [[s, 0, 0], [0, s, 0], [0, 0, s]]),
  12: [...cube, ...rings(1 / GOLDEN, GOLDEN)],
  20: rings(1, GOLDEN),
}

const SOLIDS = [
  { value: 4, label: 'Tetrahedron' }, { value: 6, label: 'Cube' }, { value: 8, label: 'Octahedron' }, { value: 12, label: 'Dodecahedron' }, { value: 20, label: 'Icosahedron' },
] as const

export const regularSolid = entry({
  id: 'regular-solid', label: 'Regular solid', planar: false, help: 'Tetrahedron, cube, octahedron, dodecahedron or icosahedron, standing on a face.',
  fields: { faces: { ...count('Solid', 12, 4, 20), choices: SOLIDS }, edge: metres('Edge', 0.3) },
  make: ({ faces, edge }, material) => {
    const corners = CORNERS[faces]!
    const shortest = Math.sqrt(Math.min(...corners.slice(1).map(corner => distanceSquared(corner, corners[0]!))))
    const points = onFace(corners.map(corner => scale(corner, edge / shortest)))
    const name = SOLIDS.find(({ value }) => value === faces)!.label
    return { bodies: [{ id: name.toLowerCase(), name, position: [0, 0, -Math.min(...points.map(point => point[2]))], shapes: [{ type: 'convexHull', points, material }] }] }
  },
})

/** Rotated so that one face is at the bottom. */
function onFace(points: readonly Vec3[]): Vec3[] {
  const { vertices, loops: [loop] } = hullFaces('regular solid', points)
  const [a, b, c] = loop!.map(i => vertices[i]!) as [Vec3, Vec3, Vec3]
  const unit = (v: Vec3): Vec3 => scale(v, 1 / length(v))
  const x = unit(sub(b, a))
  const down = unit(cross(sub(b, a), sub(c, a)))
  const y = cross(x, down)
  return points.map((point): Vec3 => [dot(point, x), dot(point, y), -dot(point, down)])
}

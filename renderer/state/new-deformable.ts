import { cos, PI, sin } from '../../core/math/elementary'
import { type Deformable, type DeformableOf, type Scene } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { newElement } from './free-names'

/** Cells along each side of a new sheet, and of a new block of particles. */
const CELLS = 8
const BLOCK = 3
/** Rings of triangles of a new disc, m: its radius. */
const RINGS = 5
const RADIUS = 0.5

type Sheet = Pick<DeformableOf<'cloth'>, 'vertices' | 'triangles' | 'restUV'>
export type NewDeformable = 'rope' | 'cloth' | 'disc' | 'particles'

/** A visible deformable one metre above a point, pinned if it would otherwise only fall. */
export function newDeformable(type: NewDeformable, label: string, scene: Scene, material: string, [x, y, z]: Vec3): Deformable {
  const made = newElement(scene, label, type === 'disc' ? 'cloth' : type)
  const at = (dx: number, dy: number, dz: number): Vec3 => [round(x + dx), round(y + dy), round(z + 1 + dz)]
  switch (type) {
    case 'rope': return { ...made, type, material, radius: 0.01, damping: 0.005, points: [at(-0.5, 0, 0), at(0.5, 0, 0)], segments: 24, pins: [0] }
    case 'cloth': return { ...made, type, material, damping: 0.005, pins: [0, CELLS * (CELLS + 1)], ...sheet(at) }
    case 'disc': return { ...made, type: 'cloth', material, damping: 0.005, pins: [0], ...disc(at) }
    case 'particles': return { ...made, type, material, radius: 0.03, pins: [0], ...lattice(at) }
  }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6

/** Vertices on rings around the centre, six more on each; a triangle has its corners on two of them. */
function disc(at: (dx: number, dy: number, dz: number) => Vec3): Sheet {
  const first = (ring: number): number => ring === 0 ? 0 : 1 + 3 * ring * (ring - 1)
  const places: (readonly [number, number])[] = [[0, 0]]
  const triangles: [number, number, number][] = []
  for (let ring = 1; ring <= RINGS; ring++) {
    const [out, inside] = [6 * ring, Math.max(6 * (ring - 1), 1)]
    for (let k = 0; k < out; k++) {
      const angle = 2 * PI * k / out
      places.push([RADIUS * ring / RINGS * cos(angle), RADIUS * ring / RINGS * sin(angle)])
      // In each sixth of the ring, the inner ring has one vertex fewer.
      const inner = (j: number): number => first(ring - 1) + (j - Math.floor(j / ring)) % inside
      const outer = (j: number): number => first(ring) + j % out
      triangles.push([outer(k), outer(k + 1), inner(k)])
      if (ring > 1 && k % ring !== ring - 1) triangles.push([inner(k), outer(k + 1), inner(k + 1)])
    }
  }
  return { vertices: places.map(([u, v]) => at(u, v, 0)), triangles, restUV: places.map(([u, v]): [number, number] => [round(u), round(v)]) }
}

function sheet(at: (dx: number, dy: number, dz: number) => Vec3): Sheet {
  const places = Array.from({ length: (CELLS + 1) * (CELLS + 1) }, (_, k) => [Math.floor(k / (CELLS + 1)) / CELLS, (k % (CELLS + 1)) / CELLS] as const)
  const triangles = Array.from({ length: CELLS * CELLS }, (_, k) => {
    const [a, odd] = [Math.floor(k / CELLS) * (CELLS + 1) + k % CELLS, (Math.floor(k / CELLS) + k) % 2]
    const b = a + CELLS + 1
    return odd === 0 ? [[a, b, b + 1], [a, b + 1, a + 1]] : [[a, b, a + 1], [b, b + 1, a + 1]]
  }).flat()
  return { vertices: places.map(([u, v]) => at(u - 0.5, v - 0.5, 0)), triangles, restUV: places.map(([u, v]): [number, number] => [u, v]) }
}

/** A block of masses with springs along edges and diagonals of faces. */
function lattice(at: (dx: number, dy: number, dz: number) => Vec3): Pick<Extract<Deformable, { type: 'particles' }>, 'particles' | 'springs'> {
  const spacing = 0.15
  const corners = Array.from({ length: BLOCK * BLOCK * BLOCK }, (_, k) => [Math.floor(k / (BLOCK * BLOCK)), Math.floor(k / BLOCK) % BLOCK, k % BLOCK] as const)
  const springs = corners.flatMap((p, a) => corners.flatMap((q, b) => {
    const square = [0, 1, 2].reduce((sum, k) => sum + (p[k]! - q[k]!) * (p[k]! - q[k]!), 0)
    return b > a && square <= 2 ? [{ a, b, restLength: round(spacing * Math.sqrt(square)), stiffness: 500, damping: 0.5 }] : []
  }))
  return { particles: corners.map(([i, j, k]) => ({ position: at(spacing * (i - 1), spacing * (j - 1), spacing * (k - 1)), mass: 0.05 })), springs }
}

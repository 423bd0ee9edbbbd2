import { describe, expect, it } from 'vitest'
import { convexHull } from '../../../../core/geometry/hull'
import { openShare, triangleMesh, type Mesh } from '../../../../core/geometry/mesh'
import { MOST_PLATES, surfacePlates } from '../../../../core/geometry/surface-plates'
import { ShapeError } from '../../../../core/geometry/shape'
import { add, distance, dot, scale, type Vec3 } from '../../../../core/math/vector'
import { box, recorded, sceneOf } from '../../../verification/support'
import { frame, torus } from './solids'

/** A grid of n × n cells over a square of side 2 about the origin, of triangles seen from above. */
function grid(n: number, height: (x: number, y: number) => number): Mesh {
  const vertices = Array.from({ length: (n + 1) ** 2 }, (_, k): Vec3 => {
    const [x, y] = [-1 + 2 * (k % (n + 1)) / n, -1 + 2 * Math.floor(k / (n + 1)) / n]
    return [x, y, height(x, y)]
  })
  const faces = Array.from({ length: n * n }, (_, k) => k + Math.floor(k / n)).flatMap(k => [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]])
  return { vertices, faces }
}
const hills = (x: number, y: number) => 0.3 * Math.sin(3 * x) * Math.cos(4 * y) + 0.1 * Math.sin(9 * x + y)

/** Whether a point is in one of the solids, up to 1e-9. */
function isIn(pieces: readonly (readonly Vec3[])[]): (p: Vec3) => boolean {
  const hulls = pieces.map(points => convexHull('piece', points))
  return p => hulls.some(({ faces }) => faces.every(({ normal, offset }) => dot(normal, p) - offset <= 1e-9))
}

function onSurface({ vertices, faces }: Mesh, each: (p: Vec3) => void): void {
  for (const face of faces) {
    const [a, b, c] = face.map(v => vertices[v]!) as [Vec3, Vec3, Vec3]
    for (const [u, v, w] of [[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5], [0.9, 0.05, 0.05]] as const) each(add(add(scale(a, u), scale(b, v)), scale(c, w)))
  }
}

describe('an open surface by plates', () => {
  it('is one plate if it is flat, whose front is the surface', () => {
    const { pieces, depth } = surfacePlates(grid(6, x => 0.5 * x))
    expect(pieces).toHaveLength(1)
    expect(depth).toBeCloseTo(0.01 * Math.hypot(2, 2, 1), 12)
    for (const corner of [[-1, -1, -0.5], [1, -1, 0.5], [1, 1, 0.5], [-1, 1, -0.5]] as const) expect(Math.min(...pieces[0]!.map(p => distance(p, corner)))).toBeLessThan(1e-12)
    expect(pieces[0]!.every(p => p[2] <= 0.5 * p[0] + 1e-12)).toBe(true)
  })

  it('of hills is covered everywhere, and nothing stands above it', () => {
    const mesh = grid(9, hills)
    const isSolid = isIn(surfacePlates(mesh).pieces)
    onSurface(mesh, p => expect(isSolid(p)).toBe(true))
    // A little above the surface there is no plate, also beside ridges and in valleys.
    onSurface(mesh, p => expect(isSolid([p[0], p[1], p[2] + 1e-6])).toBe(false))
  })

  it('comes through no neighbour at a sharp ridge', () => {
    // Two sides with 20° between them.
    const { pieces } = surfacePlates({ vertices: [[-0.176, 0, 0], [0.176, 0, 0], [0.176, 1, 0], [-0.176, 1, 0], [0, 0, 1], [0, 1, 1]], faces: [[1, 2, 5, 4], [3, 0, 4, 5]] })
    expect(pieces).toHaveLength(2)
    for (const piece of pieces) for (const p of piece) expect(Math.abs(p[0])).toBeLessThanOrEqual(0.176 * (1 - p[2]) + 1e-12)
  })

  it('is half as deep as the room behind it', () => {
    const square = (z: number): Vec3[] => [[0, 0, z], [1, 0, z], [1, 1, z], [0, 1, z]]
    // Two sheets, back to back, 4 mm apart.
    const { pieces } = surfacePlates({ vertices: [...square(0.004), ...square(0)], faces: [[0, 1, 2, 3], [7, 6, 5, 4]] })
    const heights = pieces.map(piece => piece.map(p => p[2]).sort((a, b) => a - b))
    for (const [k, expected] of [[0.002, 0.004], [0, 0.002]].entries()) for (const [i, z] of heights[k]!.entries()) expect(z).toBeCloseTo(expected[i < 4 ? 0 : 1]!, 5)
  })

  it('is turned where faces look to the other side than most, and as a whole if it looks down', () => {
    const mesh = grid(3, hills)
    const up = surfacePlates(mesh)
    const mixed = surfacePlates({ ...mesh, faces: mesh.faces.map((face, k) => k === 4 ? [...face].reverse() : face) })
    expect([mixed.evened, mixed.turned, up.evened, up.turned]).toEqual([true, false, false, false])
    const down = surfacePlates({ ...mesh, faces: mesh.faces.map(face => [...face].reverse()) })
    expect([down.evened, down.turned]).toEqual([false, true])
    const volume = (pieces: readonly (readonly Vec3[])[]) => pieces.reduce((sum, piece) => sum + convexHull('piece', piece).massProperties.volume, 0)
    for (const other of [mixed, down]) expect(volume(other.pieces)).toBeCloseTo(volume(up.pieces), 12)
  })

  it('is refused with its number of flat parts if they are too many', () => {
    const refuse = () => surfacePlates(grid(60, hills))
    expect(refuse).toThrow(ShapeError)
    expect(refuse).toThrow(`flat parts, and at most ${MOST_PLATES} are used as they are`)
  })
})

describe('the open share of a surface', () => {
  it('is 0 for solids, 1 for a sheet, and the missing area for a leak', () => {
    expect(openShare(triangleMesh(frame()))).toBe(0)
    expect(openShare(triangleMesh(torus(12, 8)))).toBe(0)
    expect(openShare(grid(5, x => x))).toBeCloseTo(1, 12)
    const leaking = triangleMesh(torus(12, 8))
    expect(openShare({ ...leaking, faces: leaking.faces.slice(2) })).toBeLessThan(0.02)
    // A cube of edge 1 without its lid.
    const cube = triangleMesh({ vertices: [0, 1, 2, 3, 4, 5, 6, 7].map(k => [k & 1, k >> 1 & 1, k >> 2] as Vec3), faces: [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] })
    expect(openShare(cube)).toBeCloseTo(1 / 5, 12)
  })
})

describe('bodies on an open surface', () => {
  const ground = (mesh: Mesh) => {
    const { surface, pieces } = surfacePlates(mesh)
    return {
      id: 'ground', type: 'fixed' as const,
      shapes: [{ type: 'mesh' as const, vertices: [...surface.vertices], faces: surface.faces.map(face => [...face]), pieces: pieces.map(points => ({ points })), material: 'stone' }],
    }
  }
  /** A plane of slope 1 : 4 in single precision, and one with bends too large for that. */
  const rounded = grid(6, (x, y) => Math.fround(0.25 * x + 1e-7 * Math.sin(50 * x + 31 * y)))
  const bent = grid(2, (x, y) => 0.25 * x + 1e-4 * Math.sin(50 * x + 31 * y))

  it('has plates for bends, and none for rounding', () => {
    expect(surfacePlates(rounded).pieces).toHaveLength(1)
    expect(surfacePlates(bent).pieces.length).toBeGreaterThan(3)
  })

  it.each([['time-stepping', rounded, 0.8], ['event-driven', bent, 0.3]] as const)('slide as over one plane (%s)', { tags: 'long' }, (method, mesh, duration) => {
    const slope = Math.atan2(0.25, 1)
    const [s, c] = [Math.sin(-slope / 2), Math.cos(-slope / 2)]
    const start = 0.7
    const middle = [start - 0.1002 * Math.sin(slope), 0.03, 0.25 * start + 0.1002 * Math.cos(slope)] as [number, number, number]
    const scene = sceneOf([ground(mesh), box('box', [0.2, 0.2, 0.2], middle, { orientation: [0, s, 0, c] })], 0.1, { duration, outputRate: 10, method })
    const run = recorded(scene)
    expect(run.end.status).toBe('completed')
    const [first, last] = [run.frames[0]!.bodies, run.frames.at(-1)!.bodies]
    const body = last.length - 13
    const g = 9.81 * (Math.sin(slope) - 0.1 * Math.cos(slope))
    expect(Math.hypot(last[body]! - first[body]!, last[body + 2]! - first[body + 2]!) / (0.5 * g * duration * duration)).toBeCloseTo(1, 1)
    expect(Math.abs(last[body + 1]! - first[body + 1]!)).toBeLessThan(1e-3)
  })
})

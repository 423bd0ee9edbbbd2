import { describe, expect, it } from 'vitest'
import type { Shape, ShapeOf } from '../../../../../core/scene'
import { cross, dot, sub, type Vec3 } from '../../../../../core/math/vector'
import { triangulate } from '../../../../../core/geometry/polygon'
import type { DrawingMesh } from '../../../../../renderer/viewport/geometry/drawing-mesh'
import { FINE } from '../../../../../renderer/viewport/geometry/round'
import { drawingOf } from '../../../../../renderer/shapes'

type Solid = Exclude<Shape, ShapeOf<'halfSpace'>>
const material = 'm'
const TETRAHEDRON: Vec3[] = [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]
const TETRAHEDRON_FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]

/** Shape, exact volume, largest relative error of the drawn volume, and half of the bounding box. */
const solids: readonly (readonly [Solid, number, number, Vec3])[] = [
  [{ type: 'box', size: [1, 2, 3], material }, 6, 1e-6, [0.5, 1, 1.5]],
  [{ type: 'convexHull', points: [...TETRAHEDRON, [0, 0, 0]], material }, 8 / 3, 1e-6, [1, 1, 1]],
  [{ type: 'polyhedron', vertices: TETRAHEDRON, faces: TETRAHEDRON_FACES, material }, 8 / 3, 1e-6, [1, 1, 1]],
  [{ type: 'mesh', vertices: TETRAHEDRON, faces: TETRAHEDRON_FACES, scale: 2, material }, 64 / 3, 1e-6, [2, 2, 2]],
  [{ type: 'sphere', radius: 2, material }, 4 / 3 * Math.PI * 8, 0.02, [2, 2, 2]],
  [{ type: 'ellipsoid', radii: [1, 2, 3], material }, 4 / 3 * Math.PI * 6, 0.02, [1, 2, 3]],
  [{ type: 'superquadric', radii: [1, 2, 3], exponents: [2, 2], material }, 8, 0.02, [1, 2, 3]],
  [{ type: 'superquadric', radii: [1, 1, 1], exponents: [0.1, 0.1], material }, 8 * 0.985, 0.02, [1, 1, 1]],
  [{ type: 'capsule', radius: 0.5, height: 2, material }, Math.PI * 0.25 * 2 + Math.PI / 6, 0.02, [0.5, 0.5, 1.5]],
  [{ type: 'cylinder', radius: 0.5, height: 2, material }, Math.PI * 0.25 * 2, 0.01, [0.5, 0.5, 1]],
]

function built(shape: Solid): { mesh: DrawingMesh; at: (i: number) => Vec3; normal: (i: number) => Vec3 } {
  const drawing = drawingOf(shape)!
  const mesh = drawing.build(FINE)
  const { scale } = drawing
  const vector = (data: Float32Array, i: number, s: Vec3): Vec3 => [data[3 * i]! * s[0], data[3 * i + 1]! * s[1], data[3 * i + 2]! * s[2]]
  return { mesh, at: i => vector(mesh.positions, i, scale), normal: i => vector(mesh.normals, i, [1 / scale[0], 1 / scale[1], 1 / scale[2]]) }
}

function triangles(mesh: DrawingMesh): [number, number, number][] {
  return Array.from({ length: mesh.indices.length / 3 }, (_, t) => [mesh.indices[3 * t]!, mesh.indices[3 * t + 1]!, mesh.indices[3 * t + 2]!])
}

const rounded = (p: Vec3) => p.map(x => (Math.round(x * 1e4) / 1e4 + 0).toFixed(4)).join()

describe.each(solids)('drawing mesh of %o', (shape, volume, tolerance, half) => {
  const { mesh, at, normal } = built(shape)

  it('is closed: every edge has a triangle on each side', () => {
    const count = new Map<string, number>()
    for (const [a, b, c] of triangles(mesh)) {
      const keys = [rounded(at(a)), rounded(at(b)), rounded(at(c))] as const
      if (new Set(keys).size < 3) continue
      for (const [p, q] of [[keys[0], keys[1]], [keys[1], keys[2]], [keys[2], keys[0]]] as const) {
        count.set(`${p}>${q}`, (count.get(`${p}>${q}`) ?? 0) + 1)
      }
    }
    for (const [key, times] of count) {
      const [p, q] = key.split('>')
      expect(count.get(`${q}>${p}`), key).toBe(times)
    }
  })

  it('has the shape\'s volume, which is positive only with triangles anticlockwise from outside', () => {
    const measured = triangles(mesh).reduce((sum, [a, b, c]) => sum + dot(at(a), cross(at(b), at(c))) / 6, 0)
    expect(Math.abs(measured / volume - 1)).toBeLessThan(tolerance)
  })

  it('has the shape\'s extent', () => {
    for (const k of [0, 1, 2] as const) {
      const values = Array.from({ length: mesh.positions.length / 3 }, (_, i) => at(i)[k])
      expect(Math.max(...values)).toBeCloseTo(half[k], 2)
      expect(Math.min(...values)).toBeCloseTo(-half[k], 2)
    }
  })

  it('has shading normals on the outer side of its triangles', () => {
    for (const [a, b, c] of triangles(mesh)) {
      const flat = cross(sub(at(b), at(a)), sub(at(c), at(a)))
      for (const corner of [a, b, c]) expect(dot(flat, normal(corner))).toBeGreaterThanOrEqual(-1e-9)
    }
  })
})

describe('cone', () => {
  it('has its origin in the middle of the base and its apex above', () => {
    const { mesh, at } = built({ type: 'cone', radius: 0.5, height: 2, material })
    const heights = Array.from({ length: mesh.positions.length / 3 }, (_, i) => at(i)[2])
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([0, 2])
    const volume = triangles(mesh).reduce((sum, [a, b, c]) => sum + dot(at(a), cross(at(b), at(c))) / 6, 0)
    expect(Math.abs(volume / (Math.PI * 0.25 * 2 / 3) - 1)).toBeLessThan(0.01)
  })
})

describe('edges', () => {
  it('of a box are its twelve, and a cut cube of triangles shows no diagonals', () => {
    expect(built({ type: 'box', size: [1, 1, 1], material }).mesh.edges.length).toBe(12 * 6)
    const corners = Array.from({ length: 8 }, (_, i): Vec3 => [i & 1, (i >> 1) & 1, i >> 2])
    expect(built({ type: 'convexHull', points: corners, material }).mesh.edges.length).toBe(12 * 6)
  })

  it('equal shapes share a geometry, different ones do not', () => {
    const key = (shape: Solid) => drawingOf(shape)!.key
    expect(key({ type: 'sphere', radius: 1, material })).toBe(key({ type: 'ellipsoid', radii: [1, 2, 3], material }))
    expect(key({ type: 'convexHull', points: [...TETRAHEDRON], material })).toBe(key({ type: 'convexHull', points: [...TETRAHEDRON], material }))
    expect(key({ type: 'capsule', radius: 1, height: 1, material })).not.toBe(key({ type: 'capsule', radius: 1, height: 2, material }))
  })

  it('are all that is drawn of a hull without volume', () => {
    const { mesh } = built({ type: 'convexHull', points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], material })
    expect(mesh.indices.length).toBe(0)
    expect(mesh.edges.length).toBe(12 * 6)
  })
})

describe('triangulation', () => {
  it('covers a concave polygon exactly, inside it alone', () => {
    const arrow: Vec3[] = [[0, 0, 0], [4, 0, 0], [4, 4, 0], [2, 1, 0]]
    const area = triangulate(arrow, [0, 0, 1]).map(([a, b, c]) => cross(sub(arrow[b]!, arrow[a]!), sub(arrow[c]!, arrow[a]!))[2] / 2)
    expect(area.every(part => part > 0)).toBe(true)
    expect(area.reduce((sum, part) => sum + part)).toBeCloseTo(6, 12)
  })
})

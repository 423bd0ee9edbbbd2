import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { box } from '../../../../core/geometry/box'
import { convexHull } from '../../../../core/geometry/hull'
import { Polyhedron } from '../../../../core/geometry/polyhedron'
import { ShapeError, type ShapeFault } from '../../../../core/geometry/shape'
import { cross, dot, length, type Vec3 } from '../../../../core/math/vector'
import { direction, hull, random } from '../collision/random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const CUBE: Vec3[] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]
const TRIANGLES = [
  [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6],
]

function fault(make: () => unknown): { fault: ShapeFault, message: string } {
  try {
    make()
  } catch (error) {
    if (error instanceof ShapeError) {
      return { fault: error.fault, message: error.message }
    }
    throw error
  }
  throw new Error('no error')
}

describe('a polyhedron', () => {
  it('is the same from triangles as from squares: six faces, twelve edges, eight vertices', () => {
    const cube = Polyhedron.fromFaces('polyhedron', CUBE, TRIANGLES)
    expect([cube.vertices.length, cube.edges.length, cube.faces.length]).toEqual([8, 12, 6])
    expect(cube.faces.every(face => face.loop.length === 4)).toBe(true)
  })

  it('drops vertices inside a face or an edge', () => {
    const hulled = convexHull('convexHull', [...CUBE, [0.5, 0.5, 0], [0.5, 0, 0], [0.5, 0.5, 0.5], [0.25, 0.75, 1]])
    expect([hulled.vertices.length, hulled.edges.length, hulled.faces.length]).toEqual([8, 12, 6])
    expect(hulled.vertices).toEqual(CUBE)
  })

  it('has outward unit normals, no vertex above a face, edges between the two faces they name', () => {
    fc.assert(fc.property(seeds, seed => {
      const solid = hull(random(seed), 30, 1)
      expect(solid.vertices.length - solid.edges.length + solid.faces.length).toBe(2)
      for (const face of solid.faces) {
        expect(Math.abs(length(face.normal) - 1)).toBeLessThan(1e-15)
        expect(Math.max(...solid.vertices.map(v => dot(face.normal, v))) - face.offset).toBeLessThan(1e-14)
      }
      for (const edge of solid.edges) {
        const m = cross(solid.faces[edge.left]!.normal, solid.faces[edge.right]!.normal)
        expect(dot(m, edge.direction)).toBeGreaterThan(0)
        for (const f of [edge.left, edge.right]) {
          expect(Math.abs(dot(solid.faces[f]!.normal, solid.vertices[edge.to]!) - solid.faces[f]!.offset)).toBeLessThan(1e-14)
        }
      }
    }), { numRuns: 100 })
  })

  it('has the support vertex found by checking all of them, from any start', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const solid = hull(r, 40, 1)
      const d = direction(r)
      const start = Math.floor(r() * solid.vertices.length)
      const best = Math.max(...solid.vertices.map(v => dot(v, d)))
      expect(dot(solid.vertices[solid.supportIndex(d[0], d[1], d[2], start)]!, d)).toBeGreaterThan(best - 1e-15)
    }))
  })

  it('contains all the points of which it is the hull', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const points = Array.from({ length: 60 }, () => direction(r).map(x => x * r()) as unknown as Vec3)
      const solid = convexHull('convexHull', points)
      expect(points.every(p => solid.faces.every(face => dot(face.normal, p) <= face.offset + 1e-14))).toBe(true)
      expect(solid.vertices.every(v => points.includes(v))).toBe(true)
    }), { numRuns: 50 })
  })
})

describe('a polyhedron is refused', () => {
  const faces = TRIANGLES
  const dented: Vec3[] = [...CUBE, [0.5, 0.5, 0.6]]
  const dentedFaces = [...TRIANGLES.slice(0, 10), [4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]
  it.each<[string, ShapeFault, RegExp, () => unknown]>([
    ['when not convex', 'nonConvex', /not convex: vertex \d+ .* above the plane of face/, () => Polyhedron.fromFaces('polyhedron', dented, dentedFaces)],
    ['when a face is missing', 'openSurface', /open: face \d+ has no neighbour/, () => Polyhedron.fromFaces('polyhedron', CUBE, faces.slice(1))],
    ['when a face is turned', 'nonManifold', /turned inside out/, () => Polyhedron.fromFaces('polyhedron', CUBE, [[0, 6, 4], ...faces.slice(1)])],
    ['when all faces point inwards', 'inwardFaces', /point inwards/, () => Polyhedron.fromFaces('polyhedron', CUBE, faces.map(f => [...f].reverse()))],
    ['when an index is out of range', 'indexOutOfRange', /vertex 9; there are vertices 0 to 7/, () => Polyhedron.fromFaces('polyhedron', CUBE, [[0, 9, 6], ...faces.slice(1)])],
    ['when a face is bent', 'nonPlanarFace', /face 5 is not plane/, () => Polyhedron.fromFaces('polyhedron', CUBE.map((v, i) => i === 7 ? [1, 1, 1.1] : v), [
      [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]])],
    ['when a face has no area', 'degenerateFace', /face 0/, () => Polyhedron.fromFaces('polyhedron', CUBE, [[0, 4, 0], ...faces.slice(1)])],
    ['when flat', 'zeroVolume', /volume is/, () => Polyhedron.fromFaces('polyhedron', [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 3, 2], [2, 3, 0], [3, 1, 0]])],
    ['when a point is repeated', 'duplicatePoint', /points 0 and 8/, () => convexHull('convexHull', [...CUBE, [0, 0, 0]])],
    ['when a point is not finite', 'notFinite', /point 0 is \(NaN/, () => convexHull('convexHull', [[NaN, 0, 0], ...CUBE])],
    ['when its points lie on a plane', 'coplanarPoints', /one plane/, () => convexHull('convexHull', CUBE.slice(0, 4).concat([[0.3, 0.2, 0]]))],
    ['when its points lie on a line', 'coplanarPoints', /one plane/, () => convexHull('convexHull', [[0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 5, 5]])],
    ['when it has three points', 'tooFewPoints', /3 points given; a solid needs at least 4/, () => convexHull('convexHull', CUBE.slice(0, 3))],
    ['when a box has no height', 'outOfRange', /size z is 0/, () => box([1, 1, 0])],
  ])('%s', (_, expected, message, make) => {
    const found = fault(make)
    expect(found.fault).toBe(expected)
    expect(found.message).toMatch(message)
    expect(found.message).toMatch(/^(box|polyhedron|convexHull): /)
  })

  it('also if one point is given twice, as 0 and as −0', () => {
    expect(fault(() => convexHull('convexHull', [...CUBE, [-0, 0, 0]])).fault).toBe('duplicatePoint')
  })
})

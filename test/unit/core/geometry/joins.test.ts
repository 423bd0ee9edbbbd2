import { describe, expect, it } from 'vitest'
import { convexHull } from '../../../../core/geometry/hull'
import { joinsOf } from '../../../../core/geometry/joins'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import { surfacePlates } from '../../../../core/geometry/surface-plates'
import type { Vec3 } from '../../../../core/math/vector'

const brick = ([x, y, z]: Vec3, [a, b, c]: Vec3): Polyhedron =>
  convexHull('piece', [0, 1].flatMap(i => [0, 1].flatMap(j => [0, 1].map((k): Vec3 => [x + i * a, y + j * b, z + k * c]))))
const coveredNormals = (pieces: readonly Polyhedron[], piece: number): string[] =>
  pieces[piece]!.faces.filter((_, f) => joinsOf(pieces)[piece]!.covered[f] === 1).map(({ normal }) => normal.map(value => Math.round(value) + 0).join())

describe('the joins of convex pieces', () => {
  it('are none between pieces apart', () => {
    expect(joinsOf([brick([0, 0, 0], [1, 1, 1]), brick([2, 0, 0], [1, 1, 1])])).toEqual([null, null])
  })

  it('cover the common face of two cubes, from both sides', () => {
    const cubes = [brick([0, 0, 0], [1, 1, 1]), brick([1, 0, 0], [1, 1, 1])]
    expect(coveredNormals(cubes, 0)).toEqual(['1,0,0'])
    expect(coveredNormals(cubes, 1)).toEqual(['-1,0,0'])
    const { around } = joinsOf(cubes)[0]!
    cubes[0]!.vertices.forEach(([x], v) => expect(around[v]).toHaveLength(x === 1 ? 3 : 0))
  })

  it('cover no face of cubes that share an edge only, and none that a smaller neighbour leaves half free', () => {
    expect(coveredNormals([brick([0, 0, 0], [1, 1, 1]), brick([1, 0, 1], [1, 1, 1])], 0)).toEqual([])
    expect(coveredNormals([brick([0, 0, 0], [1, 1, 1]), brick([1, 0, 0], [1, 1, 0.5])], 0)).toEqual([])
  })

  it.each([['a ridge', -0.1], ['a valley', 0.1]])('cover the sides of two plates of a surface that bends to %s, not their fronts', (_, rise) => {
    const vertices: Vec3[] = [[-1, 0, rise], [0, 0, 0], [0, 1, 0], [-1, 1, rise], [1, 0, rise], [1, 1, rise]]
    const { pieces } = surfacePlates({ vertices, faces: [[0, 1, 2, 3], [1, 4, 5, 2]] })
    const plates = pieces.map(points => convexHull('plate', points))
    expect(plates).toHaveLength(2)
    expect(coveredNormals(plates, 0)).toHaveLength(1)
    expect(coveredNormals(plates, 0)[0]!.slice(-1)).toBe('0')
  })
})

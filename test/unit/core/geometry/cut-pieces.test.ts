import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutPieces } from '../../../../core/geometry/cut-pieces'
import { insideTest, reflexEdges, splitPart, volumeOf, wholePart } from '../../../../core/geometry/cut-surface'
import { convexHull } from '../../../../core/geometry/hull'
import { enclosedMass, triangleMesh, type Mesh } from '../../../../core/geometry/mesh'
import { boundingCell } from '../../../../core/geometry/solid-cells'
import { distanceToTriangle, deviationFrom } from '../../../../core/geometry/surface-distance'
import { REFERENCE } from '../lcp/reference'
import { frame, prism, stairs } from './solids'

const trianglesOf = ({ vertices, faces }: Mesh) => faces.map(face => face.map(v => vertices[v]!))
const hullsOf = (pieces: NonNullable<ReturnType<typeof cutPieces>>) => pieces.map(points => convexHull('mesh', points))
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** A wheel with square teeth and a square hole: all flat faces. */
function gear(teeth: number): Mesh {
  const outline: [number, number][] = []
  for (let i = 0; i < teeth; i++) {
    for (const [part, r] of [[0, 1], [0.4, 1], [0.5, 1.2], [0.9, 1.2]] as const) {
      const angle = (i + part) * 2 * Math.PI / teeth
      outline.push([r * Math.cos(angle), r * Math.sin(angle)])
    }
  }
  return triangleMesh(prism(outline, 0.3))
}

describe('a surface cut by planes', () => {
  it('has parts whose signed volumes add up, however often they are cut, through faces and corners too', () => {
    const mesh = triangleMesh(frame())
    const whole = wholePart(trianglesOf(mesh), boundingCell(mesh.vertices))
    expect(volumeOf(whole)).toBeCloseTo(24, 12)
    const planes = [
      { normal: [1, 0, 0], offset: 0.5 }, { normal: [0, 1, 0], offset: -0.5 }, { normal: [0, 0, 1], offset: 1.3 },
      { normal: [Math.SQRT1_2, Math.SQRT1_2, 0], offset: 0 }, { normal: [0.6, 0, 0.8], offset: 1 },
    ] as const
    let parts = [whole]
    for (const plane of planes) parts = parts.flatMap(part => splitPart(part, plane, 1e-7) ?? [part])
    expect(parts.length).toBeGreaterThan(10)
    expect(sum(parts.map(volumeOf))).toBeCloseTo(24, 12)
  })

  it('identifies the inside, without holes', () => {
    const mesh = triangleMesh(frame())
    const isInside = insideTest(trianglesOf(mesh))
    expect(isInside([1, 1, 1])).toBe(true)
    expect(isInside([0, 0, 1.5])).toBe(false)
    expect(isInside([2, 0, 1])).toBe(false)
  })

  it('finds the edges that turn inwards, and only those', () => {
    const mesh = triangleMesh(stairs(3))
    expect(reflexEdges(mesh.vertices, mesh.faces)).toHaveLength(2)
    const cube = triangleMesh(prism([[0, 0], [1, 0], [1, 1], [0, 1]], 1))
    expect(reflexEdges(cube.vertices, cube.faces)).toHaveLength(0)
  })
})

describe('convex pieces by cuts', () => {
  it('fill the solid if there are enough of them: a frame keeps its hole, a gear its gaps', { tags: 'long' }, () => {
    for (const mesh of [triangleMesh(frame()), gear(8)]) {
      const { volume } = enclosedMass(mesh)
      const hulls = hullsOf(cutPieces(mesh, 64, 1e-4)!)
      const share = sum(hulls.map(hull => hull.massProperties.volume)) / volume
      expect(share).toBeGreaterThan(1 - 1e-9)
      expect(share).toBeLessThan(1.0005)
      expect(deviationFrom(mesh, hulls).most).toBeLessThan(0.02)
    }
  })

  it('contain every corner of the mesh, however few they are', () => {
    const mesh = gear(8)
    const hulls = hullsOf(cutPieces(mesh, 5, 1e-4)!)
    expect(hulls.length).toBeLessThanOrEqual(5)
    const within = (p: readonly [number, number, number]) => hulls.some(hull => hull.faces.every(({ normal, offset }) =>
      normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] <= offset + 1e-6))
    expect(mesh.vertices.filter(p => !within(p))).toEqual([])
  })

  const torus = join(REFERENCE, 'failures/torus.obj')
  it.skipIf(!existsSync(torus))('of the reference torus are its 32 segments', { tags: 'long' }, () => {
    const lines = readFileSync(torus, 'utf8').split('\n')
    const vertices = lines.filter(line => line.startsWith('v ')).map(line => line.split(/\s+/).slice(1, 4).map(Number) as unknown as [number, number, number])
    const faces = lines.filter(line => line.startsWith('f ')).map(line => line.trim().split(/\s+/).slice(1).map(word => Number(word.split('/')[0]) - 1))
    const mesh = triangleMesh({ vertices, faces })
    const pieces = cutPieces(mesh, 64, 0.001)!
    expect(pieces).toHaveLength(32)
    expect(sum(hullsOf(pieces).map(hull => hull.massProperties.volume)) / enclosedMass(mesh).volume).toBeCloseTo(1, 9)
  })
})

describe('the distance from a triangle', () => {
  it('is that of its inside, its edges and its corners', () => {
    const triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] as const
    expect(distanceToTriangle([0.2, 0.2, 3], triangle)).toBeCloseTo(3, 12)
    expect(distanceToTriangle([0.5, -2, 0], triangle)).toBeCloseTo(2, 12)
    expect(distanceToTriangle([-3, -4, 0], triangle)).toBeCloseTo(5, 12)
  })
})

import { describe, expect, it } from 'vitest'
import { probeHoles, throughHoles } from '../../../../core/geometry/closed-holes'
import { convexHull } from '../../../../core/geometry/hull'
import { triangleMesh } from '../../../../core/geometry/mesh'
import { cubes, frame, gear, handlesOf, plateWithTwoHoles, prism, stairs, torus } from './solids'

describe('through holes of a solid', () => {
  it.each([
    ['a frame', frame(), [[0, 0, 1.5]], [1]],
    ['a ring', torus(32, 16), [[0, 0, 0]], [1.4]],
    ['a gear', gear(20), [[0, 0, 0.005]], [0.012]],
    ['a plate', plateWithTwoHoles(1), [[2.5, 2.5, 0.5], [7.5, 2.5, 0.5]], [1, 3]],
  ] as const)('are found with place and width: %s', (_, solid, centres, diameters) => {
    const mesh = triangleMesh(solid)
    const holes = throughHoles(mesh).sort((a, b) => a.centre[0] - b.centre[0])
    expect(holes).toHaveLength(centres.length)
    expect(handlesOf(mesh)).toBe(centres.length)
    holes.forEach(({ centre, diameter, axis }, i) => {
      const size = diameters[i]!
      centre.forEach((x, k) => expect(Math.abs(x - centres[i]![k]!)).toBeLessThan(0.03 * size))
      expect(diameter / size).toBeCloseTo(1, 1)
      expect(Math.abs(axis[2])).toBeGreaterThan(0.99)
    })
  })

  it('are the straight parts of a bent one', () => {
    const block = [0, 1, 2, 3].flatMap(x => [0, 1, 2].flatMap(y => [0, 1, 2, 3].map(z => [x, y, z] as const)))
    const mesh = cubes(block.filter(([x, y, z]) => !(y === 1 && ((z === 1 && x <= 2) || (x === 2 && z >= 1)))))
    expect(handlesOf(mesh)).toBe(1)
    const holes = throughHoles(mesh).sort((a, b) => a.centre[0] - b.centre[0])
    expect(holes.map(({ centre, diameter }) => [...centre, diameter].map(x => Number(x.toFixed(3)) + 0))).toEqual([[1, 1.5, 1.5, 1], [2.5, 1.5, 3, 1]])
  })

  it('are neither dents, nor grooves, nor steps', () => {
    const U = prism([[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]], 5)
    for (const solid of [U, stairs(4)]) {
      expect(throughHoles(triangleMesh(solid))).toEqual([])
      expect(handlesOf(triangleMesh(solid))).toBe(0)
    }
  })

  it('are open as far as pieces leave them', () => {
    const mesh = triangleMesh(frame())
    const holes = throughHoles(mesh)
    const box = (x: number) => convexHull('convexHull', [-2, 2].flatMap(y => [1, 2].flatMap(z => [[-2, y, z], [x, y, z]] as const)))
    expect(probeHoles(mesh, holes, [])[0]!.open).toBe(1)
    expect(probeHoles(mesh, holes, [box(2)])[0]!.open).toBe(0)
    const half = probeHoles(mesh, holes, [box(0)])[0]!.open
    expect(half).toBeGreaterThan(0.4)
    expect(half).toBeLessThan(0.6)
  })
})

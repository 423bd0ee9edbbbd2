import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyMass, partsOf, solidsOf } from '../../../../core/analysis/solids'
import { planarSolid } from '../../../../core/geometry/planar'
import { bodiesAtPoint, discOf, groundOf, ModellingError, prismOf, rectangleOf, rodOf, type Point2 } from '../../../../core/modelling'
import { toOuter } from '../../../../core/math/pose'
import { rotate } from '../../../../core/math/quaternion'
import { resolveBody, resolveScene, resolveShape, type Body, type Scene } from '../../../../core/scene'

const material = 'wood'
const scene = (bodies: Body[]): Scene => ({ format: 'cairn-scene', version: 1, materials: [{ id: material, density: 1 }], bodies }) as Scene
const L: Point2[] = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]

function massOf(parts: Omit<Body, 'id'>) {
  const body = resolveBody({ id: 'a', ...parts })
  const { mass, centerOfMass } = bodyMass(body, partsOf(body, resolveScene(scene([{ id: 'a', ...parts }]))))
  return { mass, center: toOuter(body, centerOfMass) }
}

describe('bodies that are drawn', () => {
  it.each(['xy', 'xz', 'yz'] as const)('an L drawn in %s is a prism of two pieces about its centroid', plane => {
    const parts = prismOf(L, plane, [0, 0, 0], 0.5, material)
    expect(parts.shapes).toHaveLength(2)
    const { mass, center } = massOf(parts)
    expect(mass).toBeCloseTo(1.5, 12)
    const [u, v] = [5 / 6, 5 / 6]
    const at = plane === 'xy' ? [u, v, 0.25] : plane === 'xz' ? [u, 0, v] : [0, u, v]
    center.forEach((x, k) => { expect(x).toBeCloseTo(at[k]!, 12) })
    parts.position!.forEach((x, k) => { expect(x).toBeCloseTo(at[k]!, 12) })
  })

  it('those drawn in the plane y = 0 are accepted by a two-dimensional scene', () => {
    const all = [
      prismOf(L, 'xz', [0, 0, 0], 0.4, material), rectangleOf([1, 2], [-1, 0], 0.4, material), discOf([1, 1], [1, 3], 0.4, material), rodOf([0, 1], [2, -1], 0.2, material),
      groundOf([0, 0], [1, 0.2], material),
    ]
    for (const { shapes } of all) {
      for (const shape of shapes!) for (const solid of solidsOf(shape)) expect(() => planarSolid(shape.type, solid, resolveShape(shape))).not.toThrow()
    }
  })

  it('a rod runs from end to end, in either drawing direction', () => {
    const number = fc.integer({ min: -20, max: 20 })
    fc.assert(fc.property(number, number, number, number, (ax, az, bx, bz) => {
      fc.pre(ax !== bx || az !== bz)
      const rod = rodOf([ax, az], [bx, bz], 0.1, material)
      const { height } = rod.shapes![0] as { height: number }
      const body = resolveBody({ id: 'a', ...rod })
      const ends = [1, -1].map(side => toOuter(body, [0, 0, side * height / 2]))
      for (const [x, z] of [[ax, az], [bx, bz]] as const) {
        expect(Math.min(...ends.map(end => Math.hypot(end[0] - x, end[1], end[2] - z)))).toBeLessThan(1e-12)
      }
      expect(rotate(body.orientation, [0, 1, 0])[1]).toBeCloseTo(1, 12)
    }))
  })

  it('ground lies below its line, in either drawing direction', () => {
    for (const [a, b] of [[[0, 0], [1, 1]], [[1, 1], [0, 0]]] as const) {
      const { shapes, position } = groundOf(a, b, material)
      const { normal } = shapes![0] as unknown as { normal: number[] }
      expect(normal[2]).toBeCloseTo(Math.SQRT1_2, 14)
      expect(normal[0]).toBeCloseTo(-Math.SQRT1_2, 14)
      expect(position![1]).toBe(0)
    }
  })

  it('reports errors of an outline', () => {
    const cross: Point2[] = [[0, 0], [1, 1], [1, 0], [0, 1]]
    expect(() => prismOf(cross, 'xz', [0, 0, 0], 1, material)).toThrow('The side from point 1 meets the side from point 3: an outline may not cross or touch itself')
    expect(() => prismOf(L, 'xz', [0, 0, 0], 0, material)).toThrow('The depth is 0 m')
    expect(() => rectangleOf([0, 0], [0, 1], 1, material)).toThrow(ModellingError)
    expect(() => discOf([0, 0], [0, 0], 1, material)).toThrow(ModellingError)
    expect(() => rodOf([0, 0], [0, 0], 1, material)).toThrow(ModellingError)
    expect(() => groundOf([0, 0], [0, 0], material)).toThrow(ModellingError)
  })

  it('finds the bodies that contain a point', () => {
    const all = scene([
      { id: 'a', ...rectangleOf([0, 0], [1, 1], 0.4, material) }, { id: 'b', ...discOf([1, 1], [1, 1.5], 0.4, material) }, { id: 'ground', ...groundOf([0, 0.8], [1, 0.8], material) },
    ])
    const at = (x: number, z: number) => bodiesAtPoint(all, [x, 0, z]).map(({ id }) => id)
    expect(at(0.9, 0.9)).toEqual(['a', 'b'])
    expect(at(0.1, 0.5)).toEqual(['a', 'ground'])
    expect(at(3, 3)).toEqual([])
  })
})

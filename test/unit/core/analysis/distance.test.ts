import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bodyDistance, solidDistance } from '../../../../core/analysis/distance'
import { solidsOf } from '../../../../core/analysis/solids'
import { normalizeQuaternion } from '../../../../core/math/quaternion'
import { distance, length, sub, type Vec3 } from '../../../../core/math/vector'
import type { Shape } from '../../../../core/scene'

const placed = (shape: Shape, position: Vec3, orientation: readonly [number, number, number, number] = [0, 0, 0, 1]) =>
  ({ primitive: solidsOf(shape)[0]!, pose: { position, orientation: normalizeQuaternion(orientation) } })
const sphere = (radius: number): Shape => ({ type: 'sphere', radius, material: 'm' })
const box = (x: number, y: number, z: number): Shape => ({ type: 'box', size: [x, y, z], material: 'm' })
const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })
const anywhere = fc.tuple(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)).filter(q => q.some(x => Math.abs(x) > 0.1))

it('two spheres are as far apart as their centres less their radii', () => {
  fc.assert(fc.property(number(0.1, 3), number(0.1, 3), fc.tuple(number(4, 9), number(-9, 9), number(4, 9)), (r, s, p) => {
    const found = solidDistance(placed(sphere(r), [0, 0, 0]), placed(sphere(s), p))
    const apart = length(p) - r - s
    expect(Math.abs(found.distance - Math.max(0, apart))).toBeLessThan(1e-8)
  }))
})

it('a box over a plane is as high as its lowest corner, however it is turned', () => {
  const plane: Shape = { type: 'halfSpace', normal: [0, 0, 1], offset: 0.5, material: 'm' }
  fc.assert(fc.property(anywhere, q => {
    const a = placed(box(1, 2, 3), [0, 0, 4], q)
    const found = solidDistance(a, placed(plane, [0, 0, 0]))
    expect(Math.abs(found.pointA[2] - found.pointB[2] - found.distance)).toBeLessThan(1e-12)
    expect(found.pointB[2]).toBeCloseTo(0.5, 12)
  }))
})

it('a ball is as far from a turned box as from its nearest point, by clamping in the box\'s axes', () => {
  fc.assert(fc.property(anywhere, fc.tuple(number(-4, 4), number(-4, 4), number(-4, 4)), (q, p) => {
    const a = placed(box(1, 2, 3), [0, 0, 0], q)
    const turned = placed(sphere(0.25), p)
    const local = solidDistance(a, turned)
    const [x, y, z, w] = normalizeQuaternion(q)
    // p in the box's axes, by the conjugate rotation written out.
    const t: Vec3 = [-2 * (y * p[2] - z * p[1]), -2 * (z * p[0] - x * p[2]), -2 * (x * p[1] - y * p[0])]
    const inner: Vec3 = [p[0] + w * t[0] - (y * t[2] - z * t[1]), p[1] + w * t[1] - (z * t[0] - x * t[2]), p[2] + w * t[2] - (x * t[1] - y * t[0])]
    const half: Vec3 = [0.5, 1, 1.5]
    const nearest = inner.map((c, k) => Math.max(-half[k]!, Math.min(half[k]!, c))) as unknown as Vec3
    expect(Math.abs(local.distance - Math.max(0, distance(inner, nearest) - 0.25))).toBeLessThan(1e-8)
  }))
})

it('two boxes with parallel faces, crossed edges and facing corners', () => {
  expect(solidDistance(placed(box(1, 1, 1), [0, 0, 0]), placed(box(1, 1, 1), [0.3, 0.2, 2])).distance).toBeCloseTo(1, 12)
  const corner = solidDistance(placed(box(1, 1, 1), [0, 0, 0]), placed(box(1, 1, 1), [2, 2, 2]))
  expect(corner.distance).toBeCloseTo(Math.sqrt(3), 12)
  expect(length(sub(corner.pointA, [0.5, 0.5, 0.5]))).toBeLessThan(1e-12)
  const edge = Math.SQRT1_2
  const crossed = solidDistance(placed(box(1, 1, 4), [0, 0, 0], [0, Math.SQRT1_2, 0, Math.SQRT1_2]), placed(box(1, 4, 1), [0, 0, 3], [0, 0.3826834323650898, 0, 0.9238795325112867]))
  expect(crossed.distance).toBeCloseTo(3 - 0.5 - edge, 10)
})

it('bodies that touch or overlap have distance zero, and bodies without solids have none', () => {
  expect(solidDistance(placed(box(1, 1, 1), [0, 0, 0]), placed(box(1, 1, 1), [0.4, 0.1, 0.2])).distance).toBe(0)
  expect(solidDistance(placed(sphere(1), [0, 0, 0]), placed(sphere(1), [0, 0, 0])).distance).toBe(0)
  expect(bodyDistance([], [placed(sphere(1), [0, 0, 0])])).toBeNull()
})

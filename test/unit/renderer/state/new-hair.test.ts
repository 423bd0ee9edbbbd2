import { describe, expect, it } from 'vitest'
import { parseScene, type Body } from '../../../../core/scene'
import type { Vec3 } from '../../../../core/math/vector'
import { hairOn, seenRoots, sizeOf, sizesFor } from '../../../../renderer/state/new-hair'
import type { Hit, ViewportApi } from '../../../../renderer/state/viewport-api'

const ball: Body = { id: 'ball', position: [1, 2, 3], shapes: [{ type: 'sphere', radius: 0.5, material: 'felt' }] }

/** A view along −z at 100 pixels a metre of the ball, whose left half another body hides. */
const api = {
  projectToScreen: ([x, y]: Vec3) => ({ x: 100 * x, y: 100 * y }),
  pickAt(x: number, y: number): Hit | null {
    const [dx, dy] = [x / 100 - 1, y / 100 - 2]
    const square = 0.25 - dx * dx - dy * dy
    if (square < 0) return null
    const normal: Vec3 = [2 * dx, 2 * dy, 2 * Math.sqrt(square)]
    return { body: dx < 0 ? 'wall' : 'ball', shape: 0, point: [1 + dx, 2 + dy, 3 + normal[2] / 2], normal, edge: null }
  },
} as unknown as ViewportApi

describe('hair on the seen part of a body', () => {
  const roots = seenRoots(api, ball)
  const size = sizeOf(ball)

  it('has roots all over that part, at an even distance, and none elsewhere', () => {
    expect(roots.length).toBeGreaterThan(10)
    for (const { point, normal } of roots) {
      expect(point[0]).toBeGreaterThanOrEqual(1)
      expect(normal[2]).toBeGreaterThanOrEqual(0)
    }
    const apart = roots.flatMap(({ point }, i) => roots.slice(0, i).map(other => Math.hypot(...point.map((x, k) => x - other.point[k]!))))
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(0.2 * size)
    // Every point that is seen has a root within that distance.
    for (const [x, y] of [[105, 200], [140, 200], [110, 230], [120, 165]] as const) {
      const { point } = api.pickAt(x, y)!
      expect(Math.min(...roots.map(root => Math.hypot(...root.point.map((value, k) => value - point[k]!))))).toBeLessThan(0.25 * size)
    }
  })

  it('is a valid deformable whose strands stand out of the body along its normals', () => {
    const hair = { id: 'hair', material: 'felt', ...hairOn(roots, sizesFor(size), 'ball') }
    expect(parseScene({ format: 'cairn-scene', version: 1, materials: [{ id: 'felt' }], bodies: [ball], deformables: [hair] })).toMatchObject({ ok: true })
    for (const { body, points } of hair.strands) {
      expect(body).toBe('ball')
      const away = points.map(point => Math.hypot(point[0] - 1, point[1] - 2, point[2] - 3))
      expect(away[0]!).toBeGreaterThan(0.5 + hair.radius!)
      expect(away[5]! - away[0]!).toBeCloseTo(0.4 * size, 5)
    }
  })

  it('is none on a body without a finite shape', () => {
    expect(seenRoots(api, { id: 'ground', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'felt' }] })).toEqual([])
  })
})

/** Polygons in the plane against an independent search: separation, normal, contact region, rates. */

import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { HalfSpace } from '../../../../core/geometry/half-space'
import { Polyhedron } from '../../../../core/geometry/polyhedron'
import { Sphere } from '../../../../core/geometry/sphere'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { between, random, type Random } from './random'

type Corner = readonly [x: number, z: number]

function polygon(r: Random): Corner[] {
  const count = 3 + Math.floor(between(r, 0, 6))
  const squash = between(r, 0.2, 1)
  return Array.from({ length: count }, (_, k): Corner => {
    const angle = 2 * Math.PI * (k + between(r, 0, 0.7)) / count
    return [Math.cos(angle), squash * Math.sin(angle)]
  })
}

function pose(r: Random, far: number): Pose {
  const [angle, way] = [between(r, -Math.PI, Math.PI), between(r, 0, far)]
  const direction = between(r, -Math.PI, Math.PI)
  return { position: [way * Math.cos(direction), 0, way * Math.sin(direction)], orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] }
}

const world = (corners: readonly Corner[], at: Pose): Corner[] => corners.map(([x, z]) => {
  const [u, , w] = toOuter(at, [x, 0, z])
  return [u, w]
})

/** Distance of two polygons by all points against all sides; where they overlap, minus the least depth over all sides' normals. */
function separation(a: readonly Corner[], b: readonly Corner[]): number {
  const sides = (of: readonly Corner[]): [Corner, Corner][] => of.map((p, k) => [p, of[(k + 1) % of.length]!])
  const depth = (of: readonly Corner[], other: readonly Corner[]): number => Math.max(...sides(of).map(([[x, z], [u, w]]) => {
    const size = Math.hypot(u - x, w - z)
    return Math.min(...other.map(([p, q]) => ((w - z) * (p - x) - (u - x) * (q - z)) / size))
  }))
  const apart = Math.max(depth(a, b), depth(b, a))
  if (apart <= 0) return apart
  const nearest = (points: readonly Corner[], of: readonly Corner[]): number => Math.min(...points.flatMap(([p, q]) => sides(of).map(([[x, z], [u, w]]) => {
    const t = Math.max(0, Math.min(1, ((p - x) * (u - x) + (q - z) * (w - z)) / ((u - x) * (u - x) + (w - z) * (w - z))))
    return Math.hypot(p - x - t * (u - x), q - z - t * (w - z))
  })))
  return Math.min(nearest(a, b), nearest(b, a))
}

describe('two polygons', () => {
  it.each([1, 2, 3])('have the separation or depth found by brute force (seed %s)', seed => {
    const r = random(seed)
    for (let k = 0; k < 100; k++) {
      const [a, b] = [polygon(r), polygon(r)]
      const collider = createCollider(
        { primitive: Polyhedron.polygon(a, 0.1), pose: IDENTITY_POSE }, { primitive: Polyhedron.polygon(b, 0.3), pose: IDENTITY_POSE })!
      // In sequence, so that cached planes are tested too.
      for (let i = 0; i < 10; i++) {
        const [at, bt] = [pose(r, 1), pose(r, 2.5)]
        const expected = separation(world(a, at), world(b, bt))
        const found = collider.separating(at, bt)
        expect(Math.abs(found.separation - expected)).toBeLessThanOrEqual(1e-12)
        expect(Math.abs(found.normal[1])).toBe(0)
        const region = collider.region(at, bt, 1e-9)
        expect(region.length > 0).toBe(expected <= 1e-9)
        expect(region.length).toBeLessThanOrEqual(2)
        for (const pair of region) {
          const { point, normal } = pair.locate(at, bt)
          expect([Math.abs(point[1]), Math.abs(normal[1])]).toEqual([0, 0])
        }
      }
    }
  })

  it('touch side on side at two points, vertex on side at one, vertex on vertex at one', () => {
    const square: Corner[] = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    const solid = Polyhedron.polygon(square, 0.5)
    const collider = createCollider({ primitive: solid, pose: IDENTITY_POSE }, { primitive: solid, pose: IDENTITY_POSE })!
    const at = (x: number, z: number, angle = 0): Pose => ({ position: [x, 0, z], orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] })
    expect(collider.region(at(0.5, 2), at(0, 0), 1e-9).map(pair => pair.locate(at(0.5, 2), at(0, 0)).point)).toEqual([[-0.5, 0, 1], [1, 0, 1]])
    const tilted = at(0, 1 + Math.SQRT2, Math.PI / 4)
    expect(collider.region(tilted, at(0, 0), 1e-9)).toHaveLength(1)
    const corner = collider.region(at(2, 2), at(0, 0), 1e-9)
    expect(corner).toHaveLength(1)
    expect(corner[0]!.locate(at(2, 2), at(0, 0)).point).toEqual([1, 0, 1])
  })
})

describe('a polygon and what is not one', () => {
  const square: Corner[] = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
  const a = { primitive: Polyhedron.polygon(square, 0.5), pose: IDENTITY_POSE }
  const at = (x: number, z: number): Pose => ({ position: [x, 0, z], orientation: [0, 0, 0, 1] })

  it('stands on a half-space with two points', () => {
    const ground = { primitive: new HalfSpace([0, 0, 1], 0), pose: IDENTITY_POSE }
    const collider = createCollider(a, ground)!
    expect(collider.region(at(0, 1), IDENTITY_POSE, 1e-9).map(pair => pair.locate(at(0, 1), IDENTITY_POSE).point)).toEqual([[-1, 0, 0], [1, 0, 0]])
  })

  it('meets a disc at a corner and on a side, in the plane', () => {
    const disc = { primitive: new Sphere(0.5), pose: IDENTITY_POSE }
    const collider = createCollider(disc, a)!
    expect(collider.separation(at(0.3, 2), at(0, 0))).toBeCloseTo(0.5, 14)
    expect(collider.separation(at(2, 2), at(0, 0))).toBeCloseTo(Math.SQRT2 - 0.5, 14)
    const [touch] = collider.region(at(0.3, 1.5), at(0, 0), 1e-9)
    expect(touch!.locate(at(0.3, 1.5), at(0, 0))).toMatchObject({ point: [0.3, 0, 1], normal: [0, 0, 1] })
  })
})

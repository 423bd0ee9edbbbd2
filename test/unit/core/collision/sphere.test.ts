import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signedDistance } from '../../../../core/analysis/separation'
import { solidAt, type ConvexSolid } from '../../../../core/analysis/convex-solid'
import { createCollider } from '../../../../core/collision/collider'
import { SpherePolyhedronCollider } from '../../../../core/collision/sphere-polyhedron'
import { box } from '../../../../core/geometry/box'
import { HalfSpace } from '../../../../core/geometry/half-space'
import { Sphere } from '../../../../core/geometry/sphere'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { addScaled, dot, type Vec3 } from '../../../../core/math/vector'
import { checkRates } from './rates'
import { direction, hull, motionOf, pose, random, vector } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const at = (x: number, y: number, z: number): Pose => ({ position: [x, y, z], orientation: [0, 0, 0, 1] })

describe('a sphere', () => {
  it('has the distance from a hull of its centre less its radius, with and without a witness, and touches it in one point', () => {
    fc.assert(fc.property(seeds, fc.constantFrom(1e-3, 1, 1e3), (seed, size) => {
      const r = random(seed)
      const solid = hull(r, 15, size)
      const radius = size * (0.1 + r())
      const collider = new SpherePolyhedronCollider({ center: [0, 0, 0], radius }, solid)
      const there = pose(r, size)
      let here = pose(r, 3 * size)
      for (let k = 0; k < 5; k++) {
        here = { ...here, position: addScaled(here.position, vector(r), 0.1 * size) }
        const point: ConvexSolid = { vertices: [here.position], faces: [] }
        const body = solidAt(solid, there)
        const distance = signedDistance(point, body)
        expect(Math.abs(collider.separation(here, there) - (distance - radius))).toBeLessThan(1e-13 * size)
        const region = collider.region(here, there, Math.max(distance - radius, 0) + 1e-12 * size)
        expect(region).toHaveLength(1)
        const { gap, normal } = region[0]!.locate(here, there)
        expect(Math.abs(gap - (distance - radius))).toBeLessThan(1e-13 * size)
        expect(region[0]!.margin(here, there)).toBeGreaterThan(-1e-12 * size)
        if (distance > 1e-3 * size) {
          const foot = addScaled(here.position, normal, -distance)
          expect(Math.abs(signedDistance({ vertices: [foot], faces: [] }, body))).toBeLessThan(1e-12 * size)
        }
      }
    }), { numRuns: 200 })
  })

  it('changes from face to edge to vertex where its margin passes zero', () => {
    const cube = box([2, 2, 2])
    const collider = new SpherePolyhedronCollider({ center: [0, 0, 0], radius: 0.5 }, cube)
    const kind = (p: Pose): string => collider.region(p, IDENTITY_POSE, 1e-9)[0]!.featureB.kind
    expect([kind(at(0.5, 0.5, 1.5)), kind(at(1.2, 0, 1.4)), kind(at(1.1, 1.1, 1.3))]).toEqual(['face', 'edge', 'vertex'])
    const [onFace] = collider.region(at(0.5, 0, 1.5), IDENTITY_POSE, 1e-9)
    expect(onFace!.margin(at(0.75, 0, 1.5), IDENTITY_POSE)).toBeCloseTo(0.25, 8)
    expect(onFace!.margin(at(1.1, 0, 1.5), IDENTITY_POSE)).toBeCloseTo(-0.1, 8)
    const [onEdge] = collider.region(at(1.2, 0, 1.4), IDENTITY_POSE, 1e-9)
    expect(onEdge!.margin(at(0.9, 0, 1.5), IDENTITY_POSE)).toBeLessThan(0)
    expect(onEdge!.margin(at(1.2, 1.1, 1.4), IDENTITY_POSE)).toBeLessThan(0)
  })

  it('has the rates of its contacts on faces, edges and vertices, off its body\'s centre too', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const solid = hull(r, 10, 1)
      const center: Vec3 = vector(r, 0.5)
      const collider = new SpherePolyhedronCollider({ center, radius: 0.7 }, solid)
      const a = motionOf({ position: addScaled([0, 0, 0], direction(r), 2), orientation: pose(r).orientation }, vector(r), vector(r))
      const b = motionOf(pose(r, 0.1), vector(r), vector(r))
      const [pair] = collider.region(a.pose, b.pose, 10)
      const { gap } = pair!.locate(a.pose, b.pose)
      if (gap > -0.5) {
        checkRates(pair!, a, b)
      }
    }), { numRuns: 200 })
  })

  it('meets a sphere and a half-space on the line from centre to centre or plane', () => {
    const ball = { primitive: new Sphere(0.5), pose: IDENTITY_POSE }
    const two = createCollider(ball, ball)!
    const [pair] = two.region(at(0, 0.6, 0.8), IDENTITY_POSE, 1e-9)
    const { point, normal, gap } = pair!.locate(at(0, 0.6, 0.8), IDENTITY_POSE)
    expect(gap).toBeCloseTo(0, 15)
    expect(dot(normal, [0, 0.6, 0.8])).toBeCloseTo(1, 15)
    expect(point[2]).toBeCloseTo(0.4, 15)
    const ground = { primitive: new HalfSpace([0, 0, 1], 1), pose: IDENTITY_POSE }
    expect(createCollider(ball, ground)!.separation(at(3, 4, 2), IDENTITY_POSE)).toBe(0.5)
    expect(createCollider(ground, ball)!.region(IDENTITY_POSE, at(3, 4, 1.5), 1e-9)[0]!.locate(IDENTITY_POSE, at(3, 4, 1.5)).normal[2]).toBe(-1)
    expect(createCollider(ground, ground)).toBeNull()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { Cone } from '../../../../core/geometry/cone'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { rotateInverse } from '../../../../core/math/quaternion'
import { dot, scale, type Vec3 } from '../../../../core/math/vector'
import { quadrature } from '../geometry/quadrature'
import { checkRates } from './rates'
import { between, direction, motionOf, orientation, pose, random, vector, type Random } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
const round = (r: Random): Cylinder | Cone => r() < 0.5 ? new Cylinder(between(r, 0.2, 1), between(r, 0.2, 2)) : new Cone(between(r, 0.2, 1), between(r, 0.2, 2))
const ground = new HalfSpace([0, 0, 1], 0)
const turnedBy = (angle: number): Pose['orientation'] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]

describe('cylinders and cones', () => {
  it('have the mass properties that adding up thin columns gives', () => {
    const cylinder = new Cylinder(0.5, 1.2)
    const cone = new Cone(0.5, 1.2)
    const sums = [
      quadrature(cylinder.bounds, (x, y) => x * x + y * y < 0.25 ? [-0.6, 0.6] : null, 800),
      quadrature(cone.bounds, (x, y) => x * x + y * y < 0.25 ? [0, 1.2 * (1 - 2 * Math.hypot(x, y))] : null, 800),
    ]
    ;[cylinder, cone].forEach((shape, k) => {
      const [own, sum] = [shape.massProperties, sums[k]!]
      expect(Math.abs(own.volume / sum.volume - 1)).toBeLessThan(2e-4)
      own.centroid.forEach((x, i) => expect(Math.abs(x - sum.centroid[i]!)).toBeLessThan(2e-4))
      own.inertia.forEach((x, i) => expect(Math.abs(x - sum.inertia[i]!)).toBeLessThan(3e-4 * sum.inertia[0]))
    })
  })

  it('are as far from a plane as their farthest point against it', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const shape = round(r)
      const plane = new HalfSpace(direction(r), between(r, -1, 1))
      const at = pose(r, 2)
      const lowest = toOuter(at, shape.support(rotateInverse(at.orientation, scale(plane.normal, -1))))
      const own = createCollider({ primitive: shape, pose: IDENTITY_POSE }, placed(plane))!
      expect(Math.abs(own.separation(at, IDENTITY_POSE) - (dot(plane.normal, lowest) - plane.offset))).toBeLessThan(1e-14)
      const inner = pose(r, 0.5)
      const moved = createCollider({ primitive: shape, pose: inner }, placed(plane))!
      const sum: Vec3 = toOuter(at, toOuter(inner, shape.support(rotateInverse(inner.orientation, rotateInverse(at.orientation, scale(plane.normal, -1))))))
      expect(Math.abs(moved.separation(at, IDENTITY_POSE) - (dot(plane.normal, sum) - plane.offset))).toBeLessThan(1e-14)
    }))
  })

  it('have the rates of their contacts: a rim\'s lowest point wanders, an apex stays', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const collider = createCollider({ primitive: round(r), pose: pose(r, 0.3) }, placed(new HalfSpace(direction(r), -3)))!
      const a = motionOf({ position: vector(r), orientation: orientation(r) }, vector(r), vector(r), vector(r, 0.2))
      const b = motionOf(pose(r, 0.2), vector(r), vector(r))
      for (const pair of collider.region(a.pose, b.pose, 100)) {
        checkRates(pair, a, b, 1e-4, 1e-5)
      }
    }), { numRuns: 100 })
  })

  it('touch a plane with one point of the rim tilted, with two lying, with the whole rim standing', () => {
    const cylinder = createCollider(placed(new Cylinder(0.5, 2)), placed(ground))!
    const cone = createCollider(placed(new Cone(1, 2)), placed(ground))!
    const lean = 0.3
    const tilted: Pose = { position: [0, 0, Math.cos(lean) + 0.5 * Math.sin(lean)], orientation: turnedBy(lean) }
    expect(cylinder.region(tilted, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['rim0/face0'])
    const lying: Pose = { position: [0, 0, 0.5], orientation: turnedBy(Math.PI / 2) }
    expect(cylinder.region(lying, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['rim0/face0', 'rim1/face0'])
    for (const tilt of [0, 1e-13, 1e-10]) {
      const standing: Pose = { position: [0, 0, 1], orientation: turnedBy(tilt) }
      const found = cylinder.region(standing, IDENTITY_POSE, 1e-9)
      expect(found).toHaveLength(32)
      expect(found.every(pair => Math.abs(pair.locate(standing, IDENTITY_POSE).gap) < 1e-9)).toBe(true)
    }
    const slope = Math.atan(0.5)
    const onSide: Pose = { position: [0, 0, Math.cos(slope)], orientation: turnedBy(Math.PI / 2 + slope) }
    expect(cone.region(onSide, IDENTITY_POSE, 1e-9).map(pair => pair.featureA.kind).sort()).toEqual(['rim', 'vertex'])
    const onTip: Pose = { position: [0, 0, 2], orientation: [1, 0, 0, 0] }
    expect(cone.region(onTip, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['vertex0/face0'])
  })

  it('standing are given the very point of the rim on which they lean', () => {
    const cylinder = createCollider(placed(new Cylinder(0.5, 2)), placed(ground))!
    const at: Pose = { position: [0, 0, 1], orientation: [0, 0, 0, 1] }
    const held = cylinder.region(at, IDENTITY_POSE, 1e-9)
    for (const leaning of [0.1, 1, 2, 4, 6]) {
      const lean: Vec3 = [Math.cos(leaning), Math.sin(leaning), 0]
      const acceleration = (pair: { locate: typeof held[number]['locate'] }): number => 1 - 2.01 * dot(pair.locate(at, IDENTITY_POSE).point, lean)
      const added = cylinder.refine!(at, IDENTITY_POSE, held, acceleration, 1e-12)
      expect(dot(added!.locate(at, IDENTITY_POSE).point, lean)).toBeCloseTo(0.5, 14)
      expect(cylinder.refine!(at, IDENTITY_POSE, [...held, added!], acceleration, 1e-12)).toBeNull()
      expect(cylinder.refine!(at, IDENTITY_POSE, held, pair => 2 + acceleration(pair), 1e-12)).toBeNull()
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import type { FeaturePair } from '../../../../core/collision/contact'
import { box } from '../../../../core/geometry/box'
import { Capsule } from '../../../../core/geometry/capsule'
import { Cone } from '../../../../core/geometry/cone'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { HalfSpace } from '../../../../core/geometry/half-space'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import { Sphere } from '../../../../core/geometry/sphere'
import type { Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, dot, scale, type Vec3 } from '../../../../core/math/vector'
import { quadrature } from '../geometry/quadrature'
import { checkRates } from './rates'
import { remembersNothing } from './remembering'
import { between, direction, hull, motionOf, orientation, pose, random, vector, type Random } from './random'
import { placed, round, seeds, turnedBy } from './round-solids'

const ground = new HalfSpace([0, 0, 1], 0)

const HARD = [4, 22, 404, 405, 579, 632, 1015, 1339, 1364]

const KINDS: readonly ((r: Random) => Primitive)[] = [
  round, round, r => hull(r, 12, 1), r => box([between(r, 0.2, 2), between(r, 0.2, 2), between(r, 0.2, 2)]), r => new Sphere(between(r, 0.2, 1)),
  r => new Capsule(between(r, 0.1, 0.6), between(r, 0.1, 1.5)), r => new Ellipsoid([between(r, 0.2, 1), between(r, 0.2, 1), between(r, 0.2, 1)]),
]

function checkRound(seed: number): void {
  const r = random(seed)
  remembersNothing(round(r), KINDS[Math.floor(KINDS.length * r())]!(r), r)
}

describe('cylinders and cones', () => {
  it('have the mass properties of a sum over thin columns', () => {
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
      expect(Math.abs(own.separation(at, IDENTITY_POSE) - (dot(plane.normal, lowest) - plane.offset))).toBeLessThan(1e-13)
      const inner = pose(r, 0.5)
      const moved = createCollider({ primitive: shape, pose: inner }, placed(plane))!
      const sum: Vec3 = toOuter(at, toOuter(inner, shape.support(rotateInverse(inner.orientation, rotateInverse(at.orientation, scale(plane.normal, -1))))))
      expect(Math.abs(moved.separation(at, IDENTITY_POSE) - (dot(plane.normal, sum) - plane.offset))).toBeLessThan(1e-13)
    }))
  })

  // Hard cases: curves followed from an earlier pose.
  it.each(HARD)('have the same separation as by a fresh search, which no nearby direction improves, after any earlier queries: %i', checkRound)
  it('have the same separation as by a fresh search, which no nearby direction improves, after any earlier queries', () => {
    fc.assert(fc.property(seeds, checkRound), { numRuns: 40 })
  })

  it('have the rates of their contacts: a rim\'s lowest point moves along it, an apex does not', () => {
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
      expect(found).toHaveLength(8)
      expect(found.every(pair => Math.abs(pair.locate(standing, IDENTITY_POSE).gap) < 1e-9)).toBe(true)
    }
    const slope = Math.atan(0.5)
    const onSide: Pose = { position: [0, 0, Math.cos(slope)], orientation: turnedBy(Math.PI / 2 + slope) }
    expect(cone.region(onSide, IDENTITY_POSE, 1e-9).map(pair => pair.featureA.kind).sort()).toEqual(['rim', 'vertex'])
    const onTip: Pose = { position: [0, 0, 2], orientation: [1, 0, 0, 0] }
    expect(cone.region(onTip, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['vertex0/face0'])
  })

  it('standing on a plane have a rim, with the correct lowest point for any tilt', () => {
    const cylinder = createCollider(placed(new Cylinder(0.5, 2)), placed(ground))!
    const at: Pose = { position: [0, 0, 1], orientation: [0, 0, 0, 1] }
    const [rim, ...others] = cylinder.rims!(at, IDENTITY_POSE, 1e-9)
    expect(others).toEqual([])
    for (const leaning of [0.1, 1, 2, 4, 6]) {
      const lean: Vec3 = [Math.cos(leaning), Math.sin(leaning), 0]
      const acceleration = (pair: FeaturePair): number => 1 - 2.01 * dot(pair.locate(at, IDENTITY_POSE).point, lean)
      for (const angle of [rim!.lowest(acceleration), rim!.towards(addScaled([0, 0, 0], lean, 3))]) {
        expect(dot(rim!.at(angle!).locate(at, IDENTITY_POSE).point, lean)).toBeCloseTo(0.5, 14)
      }
    }
    const tilted: Pose = { position: [0, 0, 1], orientation: turnedBy(1e-8) }
    expect(cylinder.rims!(tilted, IDENTITY_POSE, 1e-9)).toEqual([])
  })

  it('report when they stop standing, and, tilted, when they land flat', () => {
    const collider = createCollider(placed(new Cylinder(0.5, 2)), placed(ground))!
    const tiltedBy = (angle: number): Pose => ({ position: [0, 0, Math.cos(angle) + 0.5 * Math.sin(angle)], orientation: turnedBy(angle) })
    const held = collider.region(tiltedBy(0), IDENTITY_POSE, 1e-9)
    expect(held).toHaveLength(8)
    for (const pair of held) {
      expect(pair.margin(tiltedBy(1e-9), IDENTITY_POSE)).toBeGreaterThan(0)
      expect(pair.margin(tiltedBy(3e-9), IDENTITY_POSE)).toBeLessThan(0)
    }
    const leaning = collider.region(tiltedBy(0.2), IDENTITY_POSE, 1e-9)
    const far = collider.candidates(tiltedBy(0.2), IDENTITY_POSE, leaning).map(pair => pair.locate(tiltedBy(0.2), IDENTITY_POSE).gap)
    expect(Math.min(...far)).toBeCloseTo(Math.sin(0.2), 14)
    const [landing, ...others] = collider.landings!(tiltedBy(0.2), IDENTITY_POSE, leaning)
    expect(others).toEqual([])
    expect(landing!(tiltedBy(0.2), IDENTITY_POSE)).toBeCloseTo(Math.sin(0.2), 8)
    // Past the flat pose, the opposite side of the rim is the lowest and keeps falling.
    expect(landing!(tiltedBy(-0.2), IDENTITY_POSE)).toBeCloseTo(-Math.sin(0.2), 8)
    expect(landing!(tiltedBy(1e-11), IDENTITY_POSE)).toBeGreaterThan(0)
    expect(landing!(tiltedBy(-1e-11), IDENTITY_POSE)).toBeLessThan(0)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidAt, type ConvexSolid } from '../../../../core/analysis/convex-solid'
import { distanceToSegment, segmentDistance, distanceToPolygon } from '../../../../core/analysis/separation'
import { edgesOf } from '../../../../core/analysis/convex-solid'
import { createCollider } from '../../../../core/collision/collider'
import { box } from '../../../../core/geometry/box'
import { Capsule } from '../../../../core/geometry/capsule'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Primitive } from '../../../../core/geometry/shape'
import { Sphere } from '../../../../core/geometry/sphere'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { scale, type Vec3 } from '../../../../core/math/vector'
import { quadrature } from '../geometry/quadrature'
import { checkRates } from './rates'
import { advance, between, direction, hull, motionOf, orientation, pose, random, vector } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
const LYING: Pose['orientation'] = [0, Math.SQRT1_2, 0, Math.SQRT1_2]
const axisOf = (capsule: Capsule, at: Pose): [Vec3, Vec3] => [toOuter(at, [0, 0, -capsule.height / 2]), toOuter(at, [0, 0, capsule.height / 2])]

/** Distance of a segment outside a solid, over all pairs of features. */
function segmentToSolid(p: Vec3, q: Vec3, solid: ConvexSolid): number {
  const polygons = solid.faces.map(face => face.map(v => solid.vertices[v]!))
  return Math.min(
    ...polygons.map(polygon => Math.min(distanceToPolygon(p, polygon), distanceToPolygon(q, polygon))),
    ...edgesOf(solid).map(([r, s]) => segmentDistance(p, q, r, s)),
  )
}

describe('a capsule', () => {
  it('has the mass properties of a sum over thin columns', () => {
    const capsule = new Capsule(0.5, 1.2)
    const sum = quadrature(capsule.bounds, (x, y) => {
      const rest = 0.25 - x * x - y * y
      return rest > 0 ? [-0.6 - Math.sqrt(rest), 0.6 + Math.sqrt(rest)] : null
    }, 600)
    expect(Math.abs(capsule.massProperties.volume / sum.volume - 1)).toBeLessThan(5e-4)
    capsule.massProperties.inertia.forEach((x, i) => expect(Math.abs(x - sum.inertia[i]!)).toBeLessThan(5e-4 * sum.inertia[0]))
  })

  it('is as far from a hull, a capsule and a sphere as its axis less the radii', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const capsule = new Capsule(between(r, 0.1, 0.5), between(r, 0.2, 2))
      const at: Pose = { position: scale(direction(r), between(r, 1.5, 3)), orientation: orientation(r) }
      const there = pose(r, 0.3)
      const [p, q] = axisOf(capsule, at)
      const solid = hull(r, 12, 1)
      const apart = segmentToSolid(p, q, solidAt(solid, there))
      const found = createCollider(placed(capsule), placed(solid))!.separation(at, there)
      if (found > -capsule.girth) {
        expect(Math.abs(found - (apart - capsule.girth))).toBeLessThan(1e-12)
      }
      const other = new Capsule(between(r, 0.1, 0.5), between(r, 0.2, 2))
      expect(Math.abs(createCollider(placed(capsule), placed(other))!.separation(at, there)
        - (segmentDistance(p, q, ...axisOf(other, there)) - capsule.girth - other.girth))).toBeLessThan(1e-12)
      const ball = new Sphere(between(r, 0.1, 1))
      expect(Math.abs(createCollider(placed(ball), placed(capsule))!.separation(there, at)
        - (distanceToSegment(there.position, p, q) - capsule.girth - ball.radius))).toBeLessThan(1e-12)
    }), { numRuns: 300 })
  })

  it('has the same distance from a hull with cached data as without, mostly without a new search', () => {
    const r = random(3)
    let [hits, queries] = [0, 0]
    for (let k = 0; k < 30; k++) {
      const [capsule, solid] = [new Capsule(between(r, 0.05, 0.3), between(r, 0.2, 2)), hull(r, 20, 1)]
      const remembers = createCollider(placed(capsule), placed(solid))!
      const start = motionOf({ position: scale(direction(r), between(r, 1.1, 2)), orientation: orientation(r) }, vector(r), vector(r, 2))
      for (let i = 0; i < 60; i++) {
        const { pose: at } = advance(start, i / 240)
        const afresh = createCollider(placed(capsule), placed(solid))!.separation(at, IDENTITY_POSE)
        expect(Math.abs(remembers.separation(at, IDENTITY_POSE) - afresh)).toBeLessThan(1e-13)
      }
      hits += remembers.counts.witnessHits
      queries += remembers.counts.queries
    }
    expect(hits / queries).toBeGreaterThan(0.8)
  })

  it('has the rates of all its kinds of contact', () => {
    const kinds = new Set<string>()
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = { primitive: new Capsule(0.4, 1), pose: pose(r, 0.2) }
      const which = r()
      const b = placed(which < 0.5 ? hull(r, 8, 1) : which < 0.8 ? new Capsule(0.3, 1.5) : which < 0.9 ? new Sphere(1) : new HalfSpace(direction(r), -1))
      const poseA: Pose = { position: scale(direction(r), 2.2), orientation: orientation(r) }
      const poseB = pose(r, 0.1)
      const [pair] = createCollider(a, b)!.region(poseA, poseB, 100)
      const { gap } = pair!.locate(poseA, poseB)
      if (gap > 0) {
        kinds.add(pair!.featureA.kind + '/' + pair!.featureB.kind)
        checkRates(pair!, motionOf(poseA, vector(r), vector(r)), motionOf(poseB, vector(r), vector(r)), 2e-4, 1e-6)
      }
    }), { numRuns: 300 })
    expect(kinds.size).toBeGreaterThan(6)
  })

  it('lies on a plane, a face, an edge and another capsule along a line held by its two ends', () => {
    const capsule = placed(new Capsule(0.5, 2))
    const on = (b: Primitive, height: number, shift = 0, orientationOf = LYING) => {
      const at: Pose = { position: [shift, 0, height], orientation: orientationOf }
      return createCollider(capsule, placed(b))!.region(at, IDENTITY_POSE, 1e-9)
        .map(pair => pair.locate(at, IDENTITY_POSE).point.map(x => Math.round(1e9 * x) / 1e9 + 0))
        .sort((p, q) => p[0]! - q[0]! || p[1]! - q[1]!)
    }
    expect(on(new HalfSpace([0, 0, 1], 0), 0.5)).toEqual([[-1, 0, 0], [1, 0, 0]])
    expect(on(box([4, 4, 2]), 1.5)).toEqual([[-1, 0, 1], [1, 0, 1]])
    expect(on(box([4, 4, 2]), 1.5, 1.5)).toEqual([[0.5, 0, 1], [2, 0, 1]])
    expect(on(box([1, 4, 2]), 1.5)).toEqual([[-0.5, 0, 1], [0.5, 0, 1]])
    expect(on(new Sphere(1), 1.5)).toEqual([[0, 0, 1]])
    const lying = { primitive: new Capsule(0.5, 2), pose: { position: [0.5, 0, 0] as Vec3, orientation: LYING } }
    const at: Pose = { position: [0, 0, 1], orientation: LYING }
    expect(createCollider(capsule, lying)!.region(at, IDENTITY_POSE, 1e-9)
      .map(pair => Math.round(1e9 * pair.locate(at, IDENTITY_POSE).point[0]) / 1e9).sort()).toEqual([-0.5, 1])
    const across: Pose = { position: [0, 0, 1], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }
    expect(createCollider(capsule, lying)!.region(across, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['axis0/axis0'])
  })

  it('whose axis passes through the other solid overlaps deeply', () => {
    const plate = box([4, 4, 0.1])
    const found = createCollider(placed(new Capsule(0.2, 2)), placed(plate))!.separation(IDENTITY_POSE, IDENTITY_POSE)
    expect(found).toBeCloseTo(-1 - 0.05 - 0.2, 12)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { SmoothSmoothCollider } from '../../../../core/collision/smooth-smooth'
import { SmoothSupport } from '../../../../core/collision/support'
import { box } from '../../../../core/geometry/box'
import { Capsule } from '../../../../core/geometry/capsule'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Primitive } from '../../../../core/geometry/shape'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, cross, distance, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { checkRates } from './rates'
import { remembersNothing } from './remembering'
import { implicitOf } from '../geometry/black-box'
import { between, direction, hull, motionOf, orientation, pose, random, vector, type Random } from './random'
import { sampled } from '../../../sampled'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })

/** max over directions of min_A n·a − max_B n·b by a pattern search; uses support points only. */
function bruteSeparation(a: Primitive, poseA: Pose, b: Primitive, poseB: Pose, r: Random): number {
  const s = (n: Vec3): number => {
    const onA = toOuter(poseA, a.support(rotateInverse(poseA.orientation, scale(n, -1))))
    const onB = toOuter(poseB, b.support(rotateInverse(poseB.orientation, n)))
    return dot(n, sub(onA, onB))
  }
  let best = -Infinity
  for (let start = 0; start < 4; start++) {
    let n = normalize(addScaled(normalize(sub(poseA.position, poseB.position)), direction(r), start * 0.3))
    let value = s(n)
    let width = 0.5
    while (width > 1e-9) {
      const u = perpendicular(n)
      const v = cross(n, u)
      let improved = false
      for (let k = 0; k < 12; k++) {
        const [x, y] = [width * Math.cos(k * Math.PI / 6), width * Math.sin(k * Math.PI / 6)]
        const m = normalize(addScaled(addScaled(n, u, x), v, y))
        const tried = s(m)
        if (tried > value) {
          value = tried
          n = m
          improved = true
          break
        }
      }
      width = improved ? width * 1.2 : width / 2
    }
    best = Math.max(best, value)
  }
  return best
}

function smooth(r: Random, ratio = 5, low = 0.2, high = 1.8): SmoothPrimitive {
  const size = (): number => Math.exp(between(r, -Math.log(ratio) / 2, Math.log(ratio) / 2))
  const radii: Vec3 = [size(), size(), size()]
  return r() < 0.15 ? new Sphere(radii[0]) : r() < 0.5 ? new Ellipsoid(radii) : new Superquadric(radii, [between(r, low, high), between(r, low, high)])
}

// Hard cases: flat spots, and cached directions from an earlier pose.
it.each([53, 68, 76, 138, 284, 313])('superquadrics have the same separation as by a fresh search, which no nearby direction improves, after any earlier queries: %i', checkSuperquadric)
it('superquadrics have the same separation as by a fresh search, which no nearby direction improves, after any earlier queries', () => {
  fc.assert(fc.property(seeds, checkSuperquadric), { numRuns: 40 })
})

function checkSuperquadric(seed: number): void {
  const r = random(seed)
  const superquadric = (): Primitive =>
    new Superquadric([between(r, 0.2, 1), between(r, 0.2, 1), between(r, 0.2, 1)], [between(r, 0.4, 1.6), between(r, 0.4, 1.6)])
  const others: readonly (() => Primitive)[] = [
    superquadric, () => new Ellipsoid([between(r, 0.2, 1), between(r, 0.2, 1), between(r, 0.2, 1)]), () => hull(r, 12, 1),
    () => box([between(r, 0.2, 2), between(r, 0.2, 2), between(r, 0.2, 2)]), () => new Capsule(between(r, 0.1, 0.6), between(r, 0.1, 1.5)),
  ]
  remembersNothing(superquadric(), others[Math.floor(others.length * r())]!(), r)
}

describe('the extremal points of two smooth solids', () => {
  it('have the separation found by a search over all directions: exponents 0.2 to 1.8, axis ratios to 100', { tags: 'long' }, () => {
    fc.assert(fc.property(seeds, fc.constantFrom(2, 10, 100), (seed, ratio) => {
      const r = random(seed)
      const a = smooth(r, ratio)
      const b = smooth(r, ratio)
      const poseB = pose(r, 0.5)
      const poseA: Pose = { position: addScaled(poseB.position, direction(r), between(r, 0.9, 2) * (a.radius + b.radius)), orientation: orientation(r) }
      const { separation: found, normal } = createCollider(placed(a), placed(b))!.separating(poseA, poseB)
      const size = a.radius + b.radius
      // The returned distance is the separation along the returned direction.
      const onA = toOuter(poseA, a.support(rotateInverse(poseA.orientation, scale(normal, -1))))
      const onB = toOuter(poseB, b.support(rotateInverse(poseB.orientation, normal)))
      expect(Math.abs(dot(normal, sub(onA, onB)) - found)).toBeLessThan(1e-10 * size)
      const brute = bruteSeparation(a, poseA, b, poseB, r)
      // The separation along any direction is a lower bound of the maximum, so only smaller values are errors.
      expect(found - brute).toBeGreaterThan(-1e-10 * size)
    }), { numRuns: 100 })
  })

  it('are found in at most three Newton steps on average from those of the previous step', () => {
    const r = random(7)
    let [iterations, queries] = [0, 0]
    for (let k = 0; k < 100; k++) {
      const [a, b] = [smooth(r, 100), smooth(r, 100)]
      const collider = new SmoothSmoothCollider(new SmoothSupport(a, IDENTITY_POSE), new SmoothSupport(b, IDENTITY_POSE))
      const start = pose(r, 0.1)
      const away: Pose = { position: scale(direction(r), 1.2 * (a.radius + b.radius)), orientation: orientation(r) }
      const spin = motionOf(away, vector(r), vector(r, 2))
      collider.separation(away, start)
      const before = collider.counts.iterations
      for (let i = 1; i <= 50; i++) {
        collider.separation({ ...away, position: addScaled(away.position, spin.velocity, i / 240) }, start)
      }
      iterations += collider.counts.iterations - before
      queries += 50
    }
    expect(iterations / queries).toBeLessThan(3)
  })
})

describe('a smooth solid', () => {
  sampled('has the distance from a hull found by a search over all directions', { few: 30, all: 200 }, cases => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = smooth(r, 4, 0.4, 1.6)
      const b = hull(r, 10, 1)
      const poseB = pose(r, 0.5)
      const poseA: Pose = { position: addScaled(poseB.position, direction(r), between(r, 0.9, 2) * (a.radius + b.radius)), orientation: orientation(r) }
      const collider = createCollider(placed(a), placed(b))!
      const found = collider.separation(poseA, poseB)
      const brute = bruteSeparation(a, poseA, b, poseB, r)
      expect(found - brute).toBeGreaterThan(-1e-9)
      if (found > 0) {
        // The pattern search sticks at kinks of the hull's support function.
        expect(found - brute).toBeLessThan(1e-2)
        const region = collider.region(poseA, poseB, found + 1e-12)
        expect(region).toHaveLength(1)
        const { point, normal, gap } = region[0]!.locate(poseA, poseB)
        expect(Math.abs(gap - found)).toBeLessThan(1e-12)
        const onB = addScaled(point, normal, -gap / 2)
        const local = rotateInverse(poseB.orientation, sub(onB, poseB.position))
        const height = Math.max(...b.faces.map(face => dot(face.normal, local) - face.offset))
        expect(Math.abs(height)).toBeLessThan(1e-10)
        const onA = rotateInverse(poseA.orientation, sub(addScaled(point, normal, gap / 2), poseA.position))
        expect(Math.abs(implicitOf(a).value(onA))).toBeLessThan(1e-8)
      }
    }), { numRuns: cases })
  })

  it('has the rates of its contacts on planes, edges, vertices and other smooth solids', () => {
    const kinds = new Map<string, number>()
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = r() < 0.5 ? new Ellipsoid([between(r, 0.5, 1.5), between(r, 0.5, 1.5), between(r, 0.5, 1.5)])
        : new Superquadric([between(r, 0.5, 1.5), between(r, 0.5, 1.5), between(r, 0.5, 1.5)], [1, 1])
      // The curvature of superquadrics with other exponents is discontinuous on their symmetry planes, where differences are meaningless.
      const which = r()
      const b: Primitive = which < 0.2 ? new HalfSpace(direction(r), 0) : which < 0.6 ? hull(r, 8, 1) : new Ellipsoid([1, between(r, 0.5, 1.5), 0.7])
      const offset: Pose = { position: vector(r, 0.3), orientation: orientation(r) }
      const collider = createCollider({ primitive: a, pose: offset }, placed(b))!
      const poseA: Pose = { position: scale(direction(r), 3), orientation: orientation(r) }
      const poseB = pose(r, 0.1)
      const [pair] = collider.region(poseA, poseB, 100)
      const motionA = motionOf(poseA, vector(r), vector(r), vector(r, 0.2))
      const motionB = motionOf(poseB, vector(r), vector(r))
      if (pair!.locate(poseA, poseB).gap > 0) {
        const kind = pair!.featureB.kind
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        checkRates(pair!, motionA, motionB, 1e-3, 1e-6)
      }
    }), { numRuns: 300 })
    expect([...kinds.keys()].sort()).toEqual(['edge', 'face', 'surface', 'vertex'])
  })

  it('touches a plane where its normal is the plane\'s: ellipsoid and superquadric with both exponents 1 alike', () => {
    const radii: Vec3 = [1, 2, 0.5]
    const ground = placed(new HalfSpace([0, 0.6, 0.8], 0.1))
    const at: Pose = { position: [0.1, 0.2, 3], orientation: orientation(random(3)) }
    const one = createCollider(placed(new Ellipsoid(radii)), ground)!.region(at, IDENTITY_POSE, 10)[0]!.locate(at, IDENTITY_POSE)
    const other = createCollider(placed(new Superquadric(radii, [1, 1])), ground)!.region(at, IDENTITY_POSE, 10)[0]!.locate(at, IDENTITY_POSE)
    expect(distance(one.point, other.point)).toBeLessThan(1e-14)
    expect(Math.abs(one.gap - other.gap)).toBeLessThan(1e-14)
  })
})

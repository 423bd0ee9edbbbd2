import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { box } from '../../../../core/geometry/box'
import { Capsule } from '../../../../core/geometry/capsule'
import type { Cone } from '../../../../core/geometry/cone'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import type { Primitive } from '../../../../core/geometry/shape'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotate, rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, distance, dot, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { checkRates } from './rates'
import { implicitOf } from '../geometry/black-box'
import { between, direction, hull, motionOf, orientation, pose, random, vector, type Random } from './random'
import { placed, round, seeds, turnedBy } from './round-solids'
import { sampled } from '../../../sampled'

/** How far a point lies outside a solid, m; ≤ 0 inside. */
function outside(shape: Primitive, [x, y, z]: Vec3): number {
  const around = Math.hypot(x, y)
  switch (shape.kind) {
    case 'cylinder': {
      const { girth, height } = shape as Cylinder
      return Math.max(around - girth, Math.abs(z) - height / 2)
    }
    case 'cone': {
      const { girth, height } = shape as Cone
      return Math.max(-z, (height * around + girth * z - girth * height) / Math.hypot(girth, height))
    }
    case 'capsule': {
      const { girth, height } = shape as Capsule
      return Math.hypot(around, Math.max(0, Math.abs(z) - height / 2)) - girth
    }
    case 'polyhedron':
      return Math.max(...(shape as Polyhedron).faces.map(face => dot(face.normal, [x, y, z]) - face.offset))
    default:
      return implicitOf(shape as SmoothPrimitive).value([x, y, z])
  }
}

describe('cylinders and cones against other solids', () => {
  const other = (r: Random): Primitive => {
    const which = r()
    return which < 0.25 ? hull(r, 8, 1) : which < 0.3 ? box([1, 1, 1]) : which < 0.4 ? new Sphere(between(r, 0.3, 1)) : which < 0.5 ? new Capsule(0.4, 1)
      : which < 0.6 ? new Ellipsoid([1, 0.6, 0.4]) : which < 0.7 ? new Superquadric([1, 0.6, 0.4], [1, 0.8]) : round(r)
  }

  sampled('are separated exactly by the distance of their two points, and no farther along the normal', { few: 100, all: 400 }, cases => {
    const kinds = new Map<string, number>()
    let apart = 0
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = round(r)
      const b = other(r)
      const at: Pose = { position: scale(direction(r), between(r, 1.2, 4)), orientation: orientation(r) }
      const there = pose(r, 0.1)
      const collider = createCollider(placed(a), placed(b))!
      const { separation, normal, point } = collider.separating(at, there)
      if (separation > 1e-3) {
        apart++
        const local = (p: Vec3, q: Pose): Vec3 => rotateInverse(q.orientation, sub(p, q.position))
        const onA = addScaled(point, normal, separation / 2)
        const onB = addScaled(point, normal, -separation / 2)
        expect(Math.abs(outside(a, local(onA, at)))).toBeLessThan(1e-8)
        expect(outside(b, local(onB, there))).toBeLessThan(1e-8)
        const lowA = dot(normal, toOuter(at, a.support(rotateInverse(at.orientation, scale(normal, -1)))))
        const highB = dot(normal, toOuter(there, b.support(rotateInverse(there.orientation, normal))))
        expect(Math.abs(lowA - highB - separation)).toBeLessThan(1e-8)
        const [pair] = collider.region(at, there, separation + 1e-9)
        const kind = `${a.kind} ${pair!.featureA.kind}/${b.kind} ${pair!.featureB.kind}`
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }), { numRuns: cases })
    expect(apart).toBeGreaterThan(cases / 2)
    expect(kinds.size).toBeGreaterThan(20)
  })

  it('have the same separation for any pose of the whole scene, and exchanging them only reverses the normals', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const [a, b] = [round(r), other(r)]
      const at: Pose = { position: scale(direction(r), between(r, 1.2, 4)), orientation: orientation(r) }
      const there = pose(r, 0.1)
      const motion = pose(r, 3)
      const moved = (p: Pose): Pose => { const q = composePoses(motion, p); return { ...q, orientation: normalizeQuaternion(q.orientation) } }
      const here = createCollider(placed(a), placed(b))!.separating(at, there)
      const elsewhere = createCollider(placed(a), placed(b))!.separating(moved(at), moved(there))
      const turned = createCollider(placed(b), placed(a))!.separating(there, at)
      expect(Math.abs(here.separation - elsewhere.separation)).toBeLessThan(1e-9)
      expect(Math.abs(here.separation - turned.separation)).toBeLessThan(1e-9)
      if (here.separation > 1e-3) {
        expect(distance(here.normal, scale(turned.normal, -1))).toBeLessThan(1e-5)
        expect(distance(rotate(motion.orientation, here.normal), elsewhere.normal)).toBeLessThan(1e-5)
      }
    }), { numRuns: 200 })
  })

  it('have the rates of all their kinds of contact', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = round(r)
      const b = other(r)
      const at: Pose = { position: scale(direction(r), 3), orientation: orientation(r) }
      const there = pose(r, 0.1)
      const collider = createCollider({ primitive: a, pose: pose(r, 0.2) }, placed(b))!
      const { separation } = collider.separating(at, there)
      const [pair] = collider.region(at, there, separation + 1e-9)
      if (separation > 0.05) {
        checkRates(pair!, motionOf(at, vector(r), vector(r), vector(r, 0.2)), motionOf(there, vector(r), vector(r)), 1e-4, 1e-5)
      }
    }), { numRuns: 200 })
  })

  it('stand on a box with the rim inside its face, the face\'s corners under them, and where its edges cross the rim', () => {
    const stand = createCollider(placed(new Cylinder(0.5, 2)), placed(box([4, 4, 1])))!
    const whole: Pose = { position: [0, 0, 1.5], orientation: [0, 0, 0, 1] }
    expect(stand.region(whole, IDENTITY_POSE, 1e-9)).toHaveLength(8)
    const overhang: Pose = { position: [2, 0, 1.5], orientation: [0, 0, 0, 1] }
    const points = stand.region(overhang, IDENTITY_POSE, 1e-9).map(pair => pair.locate(overhang, IDENTITY_POSE).point)
    expect(Math.max(...points.map(p => p[0]))).toBeCloseTo(2, 12)
    expect(points.filter(p => Math.abs(p[0] - 2) < 1e-9).map(p => Math.round(1e9 * p[1]) / 1e9).sort()).toEqual([-0.5, 0.5])
    const onPost = createCollider(placed(new Cylinder(2, 1)), placed(box([1, 1, 1])))!
    const table: Pose = { position: [0, 0, 1], orientation: [0, 0, 0, 1] }
    expect(onPost.region(table, IDENTITY_POSE, 1e-9).map(pair => pair.featureB.kind)).toEqual(['vertex', 'vertex', 'vertex', 'vertex'])
  })

  it('lie on a box along a line', () => {
    const lie = createCollider(placed(new Cylinder(0.5, 2)), placed(box([4, 4, 1])))!
    const lying: Pose = { position: [0, 0, 1], orientation: turnedBy(Math.PI / 2) }
    expect(lie.region(lying, IDENTITY_POSE, 1e-9).map(pair => pair.locate(lying, IDENTITY_POSE).point[0]).sort((p, q) => p - q)
      .map(x => Math.round(1e9 * x) / 1e9)).toEqual([-1, 1])
    const half: Pose = { position: [1.5, 0, 1], orientation: turnedBy(Math.PI / 2) }
    expect(lie.region(half, IDENTITY_POSE, 1e-9).map(pair => pair.locate(half, IDENTITY_POSE).point[0]).sort((p, q) => p - q)
      .map(x => Math.round(1e9 * x) / 1e9)).toEqual([0.5, 2])
  })
})

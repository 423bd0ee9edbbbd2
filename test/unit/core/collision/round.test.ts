import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { extremalPoints } from '../../../../core/collision/extreme-direction'
import { RimSupport } from '../../../../core/collision/round'
import { PointSupport } from '../../../../core/collision/support'
import type { FeaturePair } from '../../../../core/collision/contact'
import { box } from '../../../../core/geometry/box'
import { Capsule } from '../../../../core/geometry/capsule'
import { Cone } from '../../../../core/geometry/cone'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { HalfSpace } from '../../../../core/geometry/half-space'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import type { Polyhedron } from '../../../../core/geometry/polyhedron'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import type { Primitive } from '../../../../core/geometry/shape'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotate, rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, cross, distance, dot, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { quadrature } from '../geometry/quadrature'
import { checkRates } from './rates'
import { remembersNothing } from './remembering'
import { implicitOf } from '../geometry/black-box'
import { between, direction, hull, motionOf, orientation, pose, random, vector, type Random } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
const round = (r: Random): Cylinder | Cone =>
  r() < 0.5 ? new Cylinder(between(r, 0.2, 1), between(r, 0.2, 2)) : new Cone(between(r, 0.2, 1), between(r, 0.2, 2))
const ground = new HalfSpace([0, 0, 1], 0)
const turnedBy = (angle: number): Pose['orientation'] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]

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
      expect(Math.abs(own.separation(at, IDENTITY_POSE) - (dot(plane.normal, lowest) - plane.offset))).toBeLessThan(1e-13)
      const inner = pose(r, 0.5)
      const moved = createCollider({ primitive: shape, pose: inner }, placed(plane))!
      const sum: Vec3 = toOuter(at, toOuter(inner, shape.support(rotateInverse(inner.orientation, rotateInverse(at.orientation, scale(plane.normal, -1))))))
      expect(Math.abs(moved.separation(at, IDENTITY_POSE) - (dot(plane.normal, sum) - plane.offset))).toBeLessThan(1e-13)
    }))
  })

  // Seeds for which a curve, followed from an earlier place, once ended where solids do not face each other.
  it.each(HARD)('are as far apart as a fresh look says, and as no direction around denies, whatever was asked before: %i', checkRound)
  it('are as far apart as a fresh look says, and as no direction around denies, whatever was asked before', () => {
    fc.assert(fc.property(seeds, checkRound), { numRuns: 40 })
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
      expect(found).toHaveLength(8)
      expect(found.every(pair => Math.abs(pair.locate(standing, IDENTITY_POSE).gap) < 1e-9)).toBe(true)
    }
    const slope = Math.atan(0.5)
    const onSide: Pose = { position: [0, 0, Math.cos(slope)], orientation: turnedBy(Math.PI / 2 + slope) }
    expect(cone.region(onSide, IDENTITY_POSE, 1e-9).map(pair => pair.featureA.kind).sort()).toEqual(['rim', 'vertex'])
    const onTip: Pose = { position: [0, 0, 2], orientation: [1, 0, 0, 0] }
    expect(cone.region(onTip, IDENTITY_POSE, 1e-9).map(pair => pair.key)).toEqual(['vertex0/face0'])
  })

  it('standing have a rim, whose lowest point for any tilt of what is asked lies where it should', () => {
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

  it('standing are told when they no longer stand, and tilted when they come down flat', () => {
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
    // Past flat, where the other side of the rim is the lowest, it goes on falling.
    expect(landing!(tiltedBy(-0.2), IDENTITY_POSE)).toBeCloseTo(-Math.sin(0.2), 8)
    expect(landing!(tiltedBy(1e-11), IDENTITY_POSE)).toBeGreaterThan(0)
    expect(landing!(tiltedBy(-1e-11), IDENTITY_POSE)).toBeLessThan(0)
  })
})

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

it('a rim that hardly leans across an edge is found in its turn of 1e-9, from wherever it is looked for', () => {
  const radius = 0.1
  const axis = normalize([0.05, 1e-9, 1])
  const rim = new RimSupport({ center: [0, 0, 0], normal: axis, radius })
  const across: Vec3 = [0, 1, 0]
  // The edge passes under the rim at 60° from the middle of the chord.
  const at = rim.at(IDENTITY_POSE, [0, 0, 0]).support(normalize(sub([0.5, Math.sqrt(0.75), 0], scale(axis, dot([0.5, Math.sqrt(0.75), 0], axis)))))
  const edge = new PointSupport(sub(at, [0, 0, 1e-6]))
  for (const turned of [0, 1e-9, 1e-7, 1e-5, 1e-3, 0.1]) {
    for (const way of [1, -1]) {
      const found = extremalPoints(rim.at(IDENTITY_POSE, [0, 0, 0]), edge.at(IDENTITY_POSE, [0, 0, 0]), [0.05 + way * turned, 0, 1], 1, { axis: across, lean: 0 })
      expect(Math.abs(dot(cross(across, found.normal), sub(found.onA, found.onB)))).toBeLessThanOrEqual(1e-7)
      expect(Math.abs(found.separation - 1e-6)).toBeLessThanOrEqual(2e-9)
    }
  }
})

describe('cylinders and cones against other solids', () => {
  const other = (r: Random): Primitive => {
    const which = r()
    return which < 0.25 ? hull(r, 8, 1) : which < 0.3 ? box([1, 1, 1]) : which < 0.4 ? new Sphere(between(r, 0.3, 1)) : which < 0.5 ? new Capsule(0.4, 1)
      : which < 0.6 ? new Ellipsoid([1, 0.6, 0.4]) : which < 0.7 ? new Superquadric([1, 0.6, 0.4], [1, 0.8]) : round(r)
  }

  it('are exactly as far apart as the two points that they name, and no farther along the normal', () => {
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
    }), { numRuns: 400 })
    expect(apart).toBeGreaterThan(200)
    expect(kinds.size).toBeGreaterThan(20)
  })

  it('are as far apart wherever the whole scene lies, and exchanging them only turns the normals round', () => {
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

describe('a rim that hardly leans on an edge', () => {
  const table = { primitive: box([1, 1, 1]), pose: { position: [-0.5, 0, -0.5] as Vec3, orientation: [0, 0, 0, 1] as const } }
  // Its middle is 6 cm beyond the edge x = z = 0, which it crosses 8 cm to either side; it leans sideways, about the line at right angles to the edge.
  const leaning = (angle: number, y: number): Pose => {
    const orientation: Pose['orientation'] = [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)]
    const low = rotate(orientation, [-0.06, angle > 0 ? -0.08 : 0.08, -0.01])
    return { position: [-low[0], y - low[1], -low[2]], orientation }
  }
  // Askew in the world: nothing is exact in rounding.
  const world: Pose = { position: [0.3, -0.2, 0.5], orientation: normalizeQuaternion([0.1, 0.2, 0.3, 0.9]) }
  const inWorld = (at: Pose): Pose => composePoses(world, at)
  const touching = (at: Pose): FeaturePair => {
    const region = createCollider(placed(new Cylinder(0.1, 0.02)), table)!.region(inWorld(at), world, 1e-10)
    expect(region.map(({ featureA, featureB }) => featureA.kind + featureB.kind)).toEqual(['rimedge'])
    return region[0]!
  }

  it.each([1e-3, 1e-5, 1e-7, 1e-8])('touches it to rounding where it crosses it, at %f rad, and where it is followed to', angle => {
    const pair = touching(leaning(angle, 0))
    for (let k = 0; k < 50; k++) {
      const at = inWorld(leaning(angle, 1e-3 * k))
      const { point, normal, gap } = pair.locate(at, world)
      expect(distance(point, toOuter(world, [0, 1e-3 * k, 0]))).toBeLessThan(2e-15)
      expect(Math.abs(gap)).toBeLessThan(1e-15)
      expect(Math.abs(rotateInverse(world.orientation, normal)[1])).toBeLessThan(1e-15)
      expect(pair.margin(at, world)).toBeGreaterThan(0)
    }
  })

  it('is followed around it, to its other crossing where it leans the other way', () => {
    const pair = touching(leaning(1e-3, 0))
    for (const angle of [1e-4, 1e-6, -1e-6, -1e-5, 1e-7, 1e-9]) {
      expect(distance(pair.locate(inWorld(leaning(angle, 0)), world).point, toOuter(world, [0, 0, 0]))).toBeLessThan(2e-15)
    }
  })
})

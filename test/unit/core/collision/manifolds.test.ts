/** Manifolds: contacts of two solids as columns, of the contact region and of features that may touch next, with exact gaps while features are kept. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import type { ContactLocation, FeaturePair } from '../../../../core/collision/contact'
import { manifoldOf, Placements, type Manifold } from '../../../../core/collision/manifolds'
import { box } from '../../../../core/geometry/box'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Primitive } from '../../../../core/geometry/shape'
import { Sphere } from '../../../../core/geometry/sphere'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, type Quat } from '../../../../core/math/quaternion'
import { addScaled, distance, dot, ZERO } from '../../../../core/math/vector'

const solidOf = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE, shape: 0, material: 0 })
const unit = { noNaN: true, min: -1, max: 1 }
const orientation = fc.tuple(fc.double(unit), fc.double(unit), fc.double(unit), fc.double({ noNaN: true, min: 0.2, max: 1 })).map(q => normalizeQuaternion(q as Quat))

function pairOf(a: Primitive, b: Primitive) {
  const collider = createCollider(solidOf(a), solidOf(b))!
  return { collider, manifold: manifoldOf(solidOf(a), solidOf(b), collider, 1e-9) }
}

function placed(...poses: readonly Pose[]): Placements {
  const at = new Placements(poses.length)
  poses.forEach(({ position, orientation: q }, body) => {
    at.center.set(position, 3 * body)
    at.orientation.set(q, 4 * body)
    at.place(body, ZERO)
  })
  return at
}

interface Found extends ContactLocation {
  readonly features: FeaturePair
}

function contactsOf(manifold: Manifold, poseA: Pose, poseB: Pose, reach: number): { readonly bound: number, readonly found: readonly Found[] } {
  const found: Found[] = []
  const bound = manifold.contacts(placed(poseA, poseB), 0, 1, reach, {
    add: (code, features, x, y, z, nx, ny, nz, gap) => {
      found.push({ features: features ?? manifold.featuresOf(code), point: [x, y, z], normal: [nx, ny, nz], gap })
    },
  })
  return { bound, found }
}

/** A pose of A along the direction that separates it best from B, a gap apart. */
function apartBy(gap: number, { collider }: ReturnType<typeof pairOf>, from: Pose, poseB: Pose): Pose {
  let pose = from
  for (let k = 0; k < 30; k++) {
    const { separation, normal } = collider.separating(pose, poseB)
    pose = { position: addScaled(pose.position, normal, gap - separation), orientation: pose.orientation }
  }
  return pose
}

describe('two boxes that stand apart by a little', () => {
  const a = box([0.6, 0.5, 0.4])
  const b = box([0.5, 0.7, 0.3])

  it('have contacts with gaps no larger than their distance, each at its features, for any rotation', () => {
    fc.assert(fc.property(orientation, orientation, fc.double({ noNaN: true, min: 1e-6, max: 1e-3 }), (qa, qb, gap) => {
      const pair = pairOf(a, b)
      const poseB: Pose = { position: [0, 0, 0], orientation: qb }
      const poseA = apartBy(gap, pair, { position: [0.2, 0.1, 2], orientation: qa }, poseB)
      const { found, bound } = contactsOf(pair.manifold, poseA, poseB, 2 * gap)
      expect(bound).toBeCloseTo(gap, 12)
      expect(found.length).toBeGreaterThan(0)
      const gaps = found.map(contact => contact.gap)
      expect(Math.min(...gaps)).toBeCloseTo(gap, 9)
      expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * gap * (1 + 1e-9))
      for (const { features, point, normal, gap: own } of found) {
        const at = features.locate(poseA, poseB)
        expect(own).toBeCloseTo(at.gap, 13)
        expect(distance(point, at.point)).toBeLessThan(1e-12)
        expect(distance(normal, at.normal)).toBeLessThan(1e-12)
      }
    }), { numRuns: 200 })
  })

  it('have those of their contact region where face lies on face', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, min: 0.1, max: 1.4 }), fc.double({ noNaN: true, min: -0.2, max: 0.2 }), (angle, shift) => {
      const { collider, manifold } = pairOf(a, b)
      const poseA: Pose = { position: [shift, 0.07, 0.3500001], orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] }
      const region = collider.region(poseA, IDENTITY_POSE, 1e-6).map(({ key }) => key).sort()
      expect(contactsOf(manifold, poseA, IDENTITY_POSE, 1e-6).found.map(({ features }) => features.key).sort()).toEqual(region)
    }))
  })

  it('keep their features during small motions, with exact gaps', () => {
    const { manifold } = pairOf(a, b)
    const first: Pose = { position: [0.1, 0.05, 0.3505], orientation: [0, 0, 0, 1] }
    const kept = contactsOf(manifold, first, IDENTITY_POSE, 0.01)
    expect(kept.found).toHaveLength(4)
    const then: Pose = { position: [0.1, 0.05, 0.3503], orientation: normalizeQuaternion([1e-4, -5e-5, 1e-5, 1]) }
    const { found, bound } = contactsOf(manifold, then, IDENTITY_POSE, 0.01)
    expect(bound).toBe(-Infinity)
    found.forEach(({ features, gap }, k) => {
      expect(features).toBe(kept.found[k]!.features)
      expect(gap).toBeCloseTo(features.locate(then, IDENTITY_POSE).gap, 13)
    })
  })

  it('have no contact beyond the reach, and are known to be separated', () => {
    const { manifold } = pairOf(a, b)
    const { found, bound } = contactsOf(manifold, { position: [0, 0, 0.5], orientation: [0, 0, 0, 1] }, IDENTITY_POSE, 0.1)
    expect(found).toEqual([])
    expect(bound).toBeCloseTo(0.15, 12)
  })
})

describe('the separation of a pair', () => {
  const cases = { 'two boxes': [box([0.6, 0.5, 0.4]), box([0.5, 0.7, 0.3])], 'a box over a plane': [box([0.6, 0.5, 0.4]), new HalfSpace([0, 0, 1], 0)], 'two balls': [new Sphere(0.3), new Sphere(0.2)] } as const

  for (const [name, [a, b]] of Object.entries(cases)) {
    it(`is never more than the distance, and its direction parts what overlaps: ${name}`, () => {
      fc.assert(fc.property(orientation, orientation, fc.double({ noNaN: true, min: 0.05, max: 0.9 }), (qa, qb, height) => {
        const { collider, manifold } = pairOf(a, b)
        const poseA: Pose = { position: [0.05, 0.02, height], orientation: qa }
        const poseB: Pose = { position: [0, 0, 0], orientation: b instanceof HalfSpace ? [0, 0, 0, 1] : qb }
        const out = new Float64Array(6)
        const separation = manifold.separation(placed(poseA, poseB), 0, 1, out)
        const exact = collider.separation(poseA, poseB)
        if (exact >= 0) expect(separation).toBeGreaterThanOrEqual(0)
        expect(separation).toBeLessThanOrEqual(exact + 1e-12)
        if (separation >= 0) return
        expect(separation).toBeCloseTo(exact, 12)
        const moved: Pose = { position: addScaled(poseA.position, [out[0]!, out[1]!, out[2]!], -separation), orientation: qa }
        expect(Math.abs(collider.separation(moved, poseB))).toBeLessThan(1e-12)
      }))
    })
  }
})

describe('a box over a plane', () => {
  it('has a contact for every corner within reach, and for no other', () => {
    fc.assert(fc.property(orientation, fc.double({ noNaN: true, min: 0, max: 0.4 }), (q, reach) => {
      const solid = box([0.6, 0.5, 0.4])
      const { manifold } = pairOf(solid, new HalfSpace([0, 0, 1], 0))
      const pose: Pose = { position: [0, 0, 0.5], orientation: q }
      const { found } = contactsOf(manifold, pose, IDENTITY_POSE, reach)
      const placedHeights = solid.vertices.map(v => dot([2 * (q[0] * q[2] - q[3] * q[1]), 2 * (q[1] * q[2] + q[3] * q[0]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])], v) + 0.5)
      expect(found.map(({ features }) => features.featureA.index).sort((v, w) => v - w)).toEqual(placedHeights.flatMap((height, v) => height <= reach ? [v] : []))
      for (const { features, gap } of found) expect(gap).toBeCloseTo(placedHeights[features.featureA.index]!, 12)
    }))
  })
})

describe('a cylinder that is nearly upright over a plane', () => {
  const pair = pairOf(new Cylinder(0.2, 0.1), new HalfSpace([0, 0, 1], 0))
  const leaning = (angle: number): Pose => ({ position: [0, 0, 0.05 + 0.2 * Math.sin(angle)], orientation: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)] })

  it('has contacts all around its rim if the whole rim is within reach, and its lowest point otherwise', () => {
    const around = contactsOf(pair.manifold, leaning(1e-3), IDENTITY_POSE, 1e-2).found
    const sides = new Set(around.map(({ point: [x, y] }) => Math.round(2 * Math.atan2(y, x) / Math.PI)))
    expect(sides.size).toBeGreaterThanOrEqual(4)
    expect(contactsOf(pair.manifold, leaning(0.3), IDENTITY_POSE, 1e-2).found).toHaveLength(1)
  })
})

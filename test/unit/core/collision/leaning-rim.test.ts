import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../core/collision/collider'
import { extremalPoints } from '../../../../core/collision/extreme-direction'
import { RimSupport } from '../../../../core/collision/round'
import { PointSupport } from '../../../../core/collision/support'
import type { FeaturePair } from '../../../../core/collision/contact'
import { box } from '../../../../core/geometry/box'
import { Cylinder } from '../../../../core/geometry/cylinder'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { normalizeQuaternion, rotate, rotateInverse } from '../../../../core/math/quaternion'
import { cross, distance, dot, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { placed } from './round-solids'

it('the contact of a rim tilted by 1e-9 over an edge is found from any start', () => {
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

describe('a slightly tilted rim on an edge', () => {
  const table = { primitive: box([1, 1, 1]), pose: { position: [-0.5, 0, -0.5] as Vec3, orientation: [0, 0, 0, 1] as const } }
  // Its middle is 6 cm beyond the edge x = z = 0, which it crosses 8 cm to either side; it leans sideways, about the line at right angles to the edge.
  const leaning = (angle: number, y: number): Pose => {
    const orientation: Pose['orientation'] = [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)]
    const low = rotate(orientation, [-0.06, angle > 0 ? -0.08 : 0.08, -0.01])
    return { position: [-low[0], y - low[1], -low[2]], orientation }
  }
  // Rotated in the world, so that rounding affects every number.
  const world: Pose = { position: [0.3, -0.2, 0.5], orientation: normalizeQuaternion([0.1, 0.2, 0.3, 0.9]) }
  const inWorld = (at: Pose): Pose => composePoses(world, at)
  const touching = (at: Pose): FeaturePair => {
    const region = createCollider(placed(new Cylinder(0.1, 0.02)), table)!.region(inWorld(at), world, 1e-10)
    expect(region.map(({ featureA, featureB }) => featureA.kind + featureB.kind)).toEqual(['rimedge'])
    return region[0]!
  }

  it.each([1e-3, 1e-5, 1e-7, 1e-8])('touches it where it crosses it, to rounding, at %f rad, also when tracked', angle => {
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

  it('is tracked to its other crossing when it tilts the other way', () => {
    const pair = touching(leaning(1e-3, 0))
    for (const angle of [1e-4, 1e-6, -1e-6, -1e-5, 1e-7, 1e-9]) {
      expect(distance(pair.locate(inWorld(leaning(angle, 0)), world).point, toOuter(world, [0, 0, 0]))).toBeLessThan(2e-15)
    }
  })
})

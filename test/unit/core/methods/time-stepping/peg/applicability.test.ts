/** The faces over which a point lies: by the distance from the point's foot to each side's line, for solids at any pose. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { box } from '../../../../../../core/geometry/box'
import { Polyhedron } from '../../../../../../core/geometry/polyhedron'
import { isOverFace } from '../../../../../../core/methods/time-stepping/peg/applicability'
import { PlacedSolid } from '../../../../../../core/methods/time-stepping/peg/placed'
import { toOuter } from '../../../../../../core/math/pose'
import { normalizeQuaternion, rotate, type Quat } from '../../../../../../core/math/quaternion'
import { addScaled, sub, ZERO, type Vec3 } from '../../../../../../core/math/vector'

const SIZE = [1, 0.6, 0.4] as const
const number = fc.double({ min: -1, max: 1, noNaN: true })

it('is, of a polygon, whether the foot lies between the ends of its side', () => {
  const corners: [number, number][] = [[1, 0], [0.4, 0.9], [-0.7, 0.6], [-0.9, -0.5], [0.2, -0.8]]
  const solid = Polyhedron.polygon(corners, 0.5)
  fc.assert(fc.property(fc.tuple(number, number), number, fc.nat(4), number, number, fc.double({ min: 0, max: 0.3, noNaN: true }), (place, turn, f, at, above, reach) => {
    const pose = { position: [10 * place[0], 0, 10 * place[1]] as Vec3, orientation: [0, Math.sin(2 * turn), 0, Math.cos(2 * turn)] as Quat }
    const placed = new PlacedSolid().place(solid, pose, ZERO)
    const [from, to] = solid.faces[f]!.loop.map(v => solid.vertices[v]!) as [Vec3, Vec3]
    const length = Math.hypot(...sub(to, from))
    // From 1 before the one end to 1 behind the other, in lengths of the side.
    const along = 0.5 + 1.5 * at
    const [x, y, z] = toOuter(pose, addScaled(addScaled(from, sub(to, from), along), solid.faces[f]!.normal, above))
    const beyond = length * Math.max(-along, along - 1)
    fc.pre(Math.abs(beyond - reach) > 1e-9)
    expect(isOverFace(placed, f, x, y, z, reach)).toBe(beyond < reach)
  }), { numRuns: 500 })
})

it('is what a box says in its own frame', () => {
  const solid = box(SIZE)
  fc.assert(fc.property(
    fc.tuple(number, number, number), fc.tuple(number, number, number, number), fc.nat(5), fc.tuple(number, number, number), fc.double({ min: 0, max: 0.3, noNaN: true }),
    (place, turn, f, within, reach) => {
      const size = Math.hypot(...turn)
      fc.pre(size > 0.1)
      const pose = { position: place.map(x => 10 * x) as unknown as Vec3, orientation: normalizeQuaternion(turn as Quat) }
      const placed = new PlacedSolid()
      placed.place(solid, pose, ZERO)
      // In the frame of the box: the face's axis, and by how much the point lies beyond the sides of the other two.
      const local = within.map((x, k) => x * SIZE[k]!) as unknown as Vec3
      const world = toOuter(pose, local)
      const outward = [0, 1, 2].map(k => placed.normals[3 * f + k]!) as unknown as Vec3
      const inBox = rotate([-pose.orientation[0], -pose.orientation[1], -pose.orientation[2], pose.orientation[3]], outward)
      const axis = inBox.findIndex(x => Math.abs(x) > 0.5)
      const beyond = Math.max(...[0, 1, 2].filter(k => k !== axis).map(k => Math.abs(local[k]!) - SIZE[k]! / 2))
      fc.pre(Math.abs(beyond - reach) > 1e-9)
      const [x, y, z] = addScaled(world, outward, 0.7)
      expect(isOverFace(placed, f, x, y, z, reach)).toBe(beyond < reach)
    },
  ), { numRuns: 500 })
})

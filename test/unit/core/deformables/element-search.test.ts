/**
 * Two facts prove a smallest distance: a plane that separates the whole element from the solid by that distance, by its support function, and a point
 * of the solid at that distance from the element.
 */

import { describe, expect, it } from 'vitest'
import { createPrimitive, type ShapeSpec } from '../../../../core/geometry/primitives'
import { ElementSearch } from '../../../../core/deformables/contact/element-search'
import { toOuter, type Pose } from '../../../../core/math/pose'
import { rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, dot, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { sampled } from '../../../sampled'
import { ascend } from '../collision/ascent'
import { between, direction, orientation, random, vector } from '../collision/random'

const SHAPES: readonly ShapeSpec[] = [
  { type: 'ellipsoid', radii: [0.4, 0.2, 0.6] },
  { type: 'superquadric', radii: [0.5, 0.3, 0.4], exponents: [0.4, 1.5] },
  { type: 'cylinder', radius: 0.3, height: 0.7 },
  { type: 'cone', radius: 0.4, height: 0.8 },
  { type: 'implicit', formula: '(x/0.4)^2 + (y/0.2)^2 + (z/0.5)^2 - 1' },
]

describe.each(SHAPES)('an element near $type', spec => {
  const primitive = createPrimitive(spec)
  const pose: Pose = { position: [0.1, -0.2, 0.15], orientation: orientation(random(3)) }
  const support = (m: Vec3): Vec3 => toOuter(pose, primitive.support(rotateInverse(pose.orientation, m)))
  const reach = (m: Vec3): number => dot(m, support(m))

  for (const corners of [2, 3]) sampled(`with ${corners} corners has the distance proved by a plane and a point`, { few: 4, all: 12 }, cases => {
    const r = random(11 + corners)
    let inside = 0
    for (let k = 0; k < cases; k++) {
      const search = new ElementSearch({ primitive, pose }, corners)
      // About a point just out of the surface, so that sides and insides are nearest as often as corners.
      const m = direction(r)
      const middle = addScaled(support(m), m, 10 ** between(r, -6, -0.5))
      const across = Array.from({ length: corners }, () => { const v = vector(r, 1); return addScaled(v, m, -dot(v, m)) })
      const mean = across.reduce((sum, v) => addScaled(sum, v, 1 / corners), [0, 0, 0] as Vec3)
      const size = 10 ** between(r, -2, 0.3)
      const points = across.map(v => addScaled(middle, sub(v, mean), size))
      search.find(Float64Array.from([...points.flat(), ...Array<number>(9 - 3 * corners).fill(0)]))
      const n = [...search.normal] as unknown as Vec3
      const y = points.reduce((sum, p, c) => addScaled(sum, p, search.weights[c]!), [0, 0, 0] as Vec3)
      const beyond = Math.min(...points.map(p => dot(n, p))) - reach(n)
      expect(Math.abs(beyond - search.distance)).toBeLessThan(1e-12)
      // No direction separates the element's point from the solid better, so the solid has a point at that distance.
      const apart = (v: Vec3): number => dot(v, y) - reach(v)
      expect(apart(ascend(apart, [n, direction(r)]))).toBeLessThan(search.distance + 1e-11)
      if (search.isInside) inside++
    }
    expect(inside).toBeGreaterThan(cases / 6)
  })

  it('has a negative distance if the solid passes through the inside of a large triangle', () => {
    const search = new ElementSearch({ primitive, pose }, 3)
    const r = random(5)
    for (let k = 0; k < 20; k++) {
      const n = direction(r)
      const u = normalize(sub(direction(r), scale(n, 0.1)))
      const v: Vec3 = normalize([n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]])
      const corner = (angle: number): Vec3 => addScaled(addScaled(pose.position, u, 9 * Math.cos(angle)), v, 9 * Math.sin(angle))
      search.find(Float64Array.from([corner(0), corner(2), corner(4)].flat()))
      expect(search.distance).toBeLessThan(0)
      expect(search.isInside).toBe(true)
    }
  })
})

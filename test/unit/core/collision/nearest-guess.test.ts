import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestGuess } from '../../../../core/collision/nearest-guess'
import { PolyhedraCollider } from '../../../../core/collision/polyhedron-polyhedron'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { add, distance, scale, type Vec3 } from '../../../../core/math/vector'
import { between, direction, hull, random } from './random'

it('two solids seem nearest about where they are: never nearer, and farther by little of their size', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
    const r = random(seed)
    const [a, b] = [hull(r, 20, 1), hull(r, 20, 1)]
    const at: Pose = { position: scale(direction(r), between(r, 1, 4)), orientation: [0, 0, 0, 1] }
    const { onA, onB, least } = nearestGuess(
      ([x, y, z]): Vec3 => add(at.position, a.vertices[a.supportIndex(x, y, z, 0)]!), ([x, y, z]) => b.vertices[b.supportIndex(x, y, z, 0)]!,
      add(at.position, a.vertices[0]!), b.vertices[0]!)
    const separation = new PolyhedraCollider(a, b).separation(at, IDENTITY_POSE)
    expect(distance(onA, onB)).toBeGreaterThanOrEqual(separation - 1e-12)
    expect(least).toBeLessThanOrEqual(separation + 1e-12)
    if (separation > 0.1) expect(distance(onA, onB)).toBeLessThan(separation + 0.1)
  }))
})

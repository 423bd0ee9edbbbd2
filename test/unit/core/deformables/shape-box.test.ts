/** Boxes around rigid shapes bound the distances of points from below. */

import { expect, it } from 'vitest'
import { boxOf, distanceToBox } from '../../../../core/deformables/contact/shape-box'
import { rigidSurface } from '../../../../core/deformables/contact/surface'
import { createPrimitive } from '../../../../core/geometry/primitives'

const pose = { position: [0.1, -0.2, 0.3] as const, orientation: [0.5, 0.1, -0.7, Math.sqrt(0.25)] as const }

it.each([
  ['box', createPrimitive({ type: 'box', size: [2, 0.1, 0.3] })],
  ['capsule', createPrimitive({ type: 'capsule', radius: 0.1, height: 1.5 })],
  ['cylinder', createPrimitive({ type: 'cylinder', radius: 0.2, height: 1.5 })],
])('of a %s: a point counts as far only if it is', (_name, primitive) => {
  const box = boxOf(primitive, pose)
  const surface = rigidSurface(primitive, pose, 0.01)
  const normal = new Float64Array(3)
  let far = 0
  for (let k = 0; k < 500; k++) {
    const [x, y, z] = [1.5 * Math.sin(k), 1.5 * Math.sin(2.3 * k + 1), 1.5 * Math.sin(5.1 * k + 2)]
    const exact = surface.distance(x, y, z, Infinity, normal)
    expect(distanceToBox(box, 0, x, y, z)).toBeLessThan(Math.max(exact, 0) + 1e-9)
    const found = surface.distance(x, y, z, 0.1, normal)
    if (exact <= 0.1) expect(found).toBe(exact)
    else expect(found).toBeGreaterThan(0.1)
    expect(found).toBeLessThan(exact + 1e-9)
    if (found < exact) far++
  }
  expect(far).toBeGreaterThan(100)
})

import { expect, it } from 'vitest'
import { createPrimitive } from '../../../../../core/geometry/primitives'
import { thicknessOf } from '../../../../../core/methods/time-stepping/passage'
import type { Vec3 } from '../../../../../core/math/vector'

it.each([
  ['x', [1, 2, 3]], ['y', [2, 1, 3]], ['z', [3, 2, 1]],
])('a box that is thinnest along %s has that width, wherever its frame is', (_, size) => {
  for (const shift of [-5, 0, 0.2, 5]) {
    const corners = Array.from({ length: 8 }, (_corner, i): Vec3 => [shift + (i & 1) * size[0]!, shift + (i >> 1 & 1) * size[1]!, shift + (i >> 2) * size[2]!])
    expect(thicknessOf(createPrimitive({ type: 'convexHull', points: corners }))).toBeCloseTo(1, 13)
  }
})

it('an oblique plate has the width across its faces', () => {
  const corners = Array.from({ length: 8 }, (_, i): Vec3 => {
    const [x, y, z] = [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 0.05 : -0.05]
    return [Math.SQRT1_2 * (x - z), y, Math.SQRT1_2 * (x + z)]
  })
  expect(thicknessOf(createPrimitive({ type: 'convexHull', points: corners }))).toBeCloseTo(0.1, 13)
})

it('a cone is as thick as it is high or wide', () => {
  expect(thicknessOf(createPrimitive({ type: 'cone', radius: 0.4, height: 0.3 }))).toBeCloseTo(0.3, 13)
  expect(thicknessOf(createPrimitive({ type: 'cone', radius: 0.1, height: 0.3 }))).toBeCloseTo(0.2, 13)
})

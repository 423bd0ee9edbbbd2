/** Three bars that intersect at right angles. */

import type { Vec3 } from '../../math/vector'
import { block, entry, metres, refuse } from './entry'

export const jack = entry({
  id: 'jack', label: 'Jack', planar: false, help: 'Three bars that cross in one point.',
  fields: { span: metres('Span', 0.5, 'From end to end.'), thickness: metres('Thickness', 0.1) },
  make: ({ span, thickness: t }, material) => {
    if (t >= span) refuse(`Thickness is ${t} m: allowed is less than the span, ${span} m`)
    const arm = (span - t) / 2
    const arms = [0, 1, 2].flatMap(axis => [-1, 1].map(side => {
      const along = (value: number, others: number) => [0, 1, 2].map(k => k === axis ? value : others) as [number, number, number]
      return block(along(arm, t), along(side * (t + arm) / 2, 0) satisfies Vec3, material)
    }))
    return { bodies: [{ id: 'jack', name: 'Jack', position: [0, 0, span / 2], shapes: [block([t, t, t], [0, 0, 0], material), ...arms] }] }
  },
})

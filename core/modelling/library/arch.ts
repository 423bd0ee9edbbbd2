/** A semicircular arch of stones that only their weight and friction hold. */

import { PI, cos, sin } from '../../math/trigonometric'
import type { Point2 } from '../../geometry/outline'
import { across, count, entry, metres } from './entry'

export const arch = entry({
  id: 'arch', label: 'Arch of stones', planar: true,
  help: 'A half circle of stones, each a body. It stands if its thickness is above 0.11 of its mean radius and friction prevents sliding.',
  fields: {
    stones: count('Stones', 11, 3, 99), radius: metres('Inner radius', 1), thickness: metres('Thickness', 0.3), depth: metres('Depth', 0.4),
  },
  make: ({ stones, radius, thickness, depth }, material) => ({
    groups: [{ id: 'arch', name: 'Arch' }],
    bodies: Array.from({ length: stones }, (_, k) => {
      const at = (r: number, i: number): Point2 => [-r * cos(PI * i / stones), r * sin(PI * i / stones)]
      const [x, z] = at(radius + thickness / 2, k + 0.5)
      const corners = [at(radius, k), at(radius, k + 1), at(radius + thickness, k + 1), at(radius + thickness, k)]
      return {
        id: `stone-${k + 1}`, name: `Stone ${k + 1}`, group: 'arch', position: [x, 0, z],
        shapes: [across(corners.map(([cx, cz]): Point2 => [cx - x, cz - z]), depth, material)],
      }
    }),
  }),
})

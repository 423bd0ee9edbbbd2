/** Prisms, frusta and pyramids on a regular polygon. */

import { PI, cos, sin } from '../../math/trigonometric'
import type { Vec3 } from '../../math/vector'
import { count, entry, metres } from './entry'

export const prism = entry({
  id: 'prism', label: 'Prism or pyramid', planar: false, help: 'On a regular polygon; a smaller top makes it a frustum, a top of 0 a pyramid.',
  fields: {
    sides: count('Sides', 6, 3, 64),
    radius: metres('Radius', 0.3, 'Of the circle through the corners of the base.'),
    top: { ...metres('Top radius', 0.3, '0: a pyramid.'), least: 0 },
    height: metres('Height', 0.5),
  },
  make: ({ sides, radius, top, height }, material) => {
    const ring = (r: number, z: number): Vec3[] => Array.from({ length: sides }, (_, k): Vec3 => [r * cos(2 * PI * k / sides), r * sin(2 * PI * k / sides), z])
    const upper: Vec3[] = top === 0 ? [[0, 0, height / 2]] : ring(top, height / 2)
    const name = top === 0 ? 'Pyramid' : 'Prism'
    return { bodies: [{ id: name.toLowerCase(), name, position: [0, 0, height / 2], shapes: [{ type: 'convexHull', points: [...ring(radius, -height / 2), ...upper], material }] }] }
  },
})

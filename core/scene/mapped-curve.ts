/** Curves moved, rotated or mirrored in the world. */

import { fromMatrix, rotate, type Quat } from '../math/quaternion'
import { cross, dot, scale, type Vec3 } from '../math/vector'
import type { Curve } from './types'

/** An isometry of the world. */
export interface Isometry {
  /** Image of a point, m. */
  point(p: Vec3): Vec3
  /** Image of a direction or velocity. */
  direction(v: Vec3): Vec3
}

const AXES: readonly Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

/** The image of a curve. A helix starts at another place of its cylinder if its axis turns. */
export function mappedCurve(curve: Curve, { point, direction }: Isometry): Curve {
  const [x, y, z] = AXES.map(direction) as [Vec3, Vec3, Vec3]
  const mirrored = dot(cross(x, y), z) < 0
  switch (curve.type) {
    case 'line': return { ...curve, point: point(curve.point), direction: direction(curve.direction) }
    case 'circle': return { ...curve, center: point(curve.center), normal: direction(curve.normal) }
    case 'ellipse': return { ...curve, center: point(curve.center), semiAxisA: direction(curve.semiAxisA), semiAxisB: direction(curve.semiAxisB) }
    case 'helix': return { ...curve, center: point(curve.center), axis: direction(curve.axis), pitch: mirrored ? -curve.pitch : curve.pitch }
    case 'spline': return { ...curve, points: curve.points.map(point) }
    case 'formula': {
      // Columns: images of its axes. A left-handed image has its z axis reversed, and z of u with it.
      const [a, b, c] = AXES.map(axis => direction(rotate(curve.orientation ?? [0, 0, 0, 1], axis))) as [Vec3, Vec3, Vec3]
      const d = mirrored ? scale(c, -1) : c
      const orientation: Quat = fromMatrix([a[0], b[0], d[0], a[1], b[1], d[1], a[2], b[2], d[2]])
      return { ...curve, center: point(curve.center), orientation: [...orientation], ...mirrored ? { z: `-(${curve.z})` } : {} }
    }
  }
}

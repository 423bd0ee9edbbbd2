/** Curves of bead-on-wire joints: initial values and displacement. */

import { addScaled, cross, normalize, scale, type Vec3 } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { perpendicularTo } from './directions'

export type Curve = JointOf<'pointOnCurve'>['curve']
export type CurveType = Curve['type']

export const CURVE_KINDS: readonly (readonly [CurveType, string])[] = [
  ['line', 'Line'], ['circle', 'Circle'], ['ellipse', 'Ellipse'], ['helix', 'Helix'], ['spline', 'Spline through points'], ['formula', 'By formulas'],
]

/** m: visible and easy to drag; the inspector has all other values. */
const RADIUS = 0.5

/** An initial curve through a point, along or about the axis. */
export function curveThrough(type: CurveType, point: Vec3, axis: Vec3): Curve {
  const across = normalize(perpendicularTo(axis))
  const other = normalize(cross(axis, across))
  const along = normalize(axis)
  const at = (x: number, y: number, z = 0): Vec3 => addScaled(addScaled(addScaled(point, across, x), other, y), along, z)
  switch (type) {
    case 'line': return { type, point, direction: axis }
    case 'circle': return { type, center: at(-RADIUS, 0), normal: axis, radius: RADIUS }
    case 'ellipse': return { type, center: at(-RADIUS, 0), semiAxisA: scale(across, RADIUS), semiAxisB: scale(other, RADIUS / 2) }
    case 'helix': return { type, center: at(-RADIUS, 0), axis, radius: RADIUS, pitch: RADIUS / 2 }
    case 'spline': return { type, points: [at(-RADIUS, 0, -RADIUS), point, at(RADIUS, 0, -RADIUS)] }
    // A cycloid: oscillations of all amplitudes have the same period.
    case 'formula': return { type, center: point, x: '0.25*(u + sin(u))', y: '0', z: '0.25*(1 - cos(u))', u: [-3, 3] }
  }
}

/** The curve with its points moved; its directions stay. */
export function movedCurve(curve: Curve, moved: (point: Vec3) => Vec3): Curve {
  switch (curve.type) {
    case 'line': return { ...curve, point: moved(curve.point) }
    case 'spline': return { ...curve, points: curve.points.map(moved) }
    default: return { ...curve, center: moved(curve.center) }
  }
}

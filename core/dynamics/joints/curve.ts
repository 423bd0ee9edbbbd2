/** Curves for beads, made from their description in a scene, in the frame in which they are given. */

import { formulaCurve, type CurveFormulas } from '../../geometry/formula/formula-curve'
import { cos, sin } from '../../math/elementary'
import { add, addScaled, cross, length, lengthSquared, normalize, perpendicular, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { Curve } from './parametric-curve'
import { splineCurve } from './spline'

export type CurveSpec =
  | { readonly type: 'line'; readonly point: Vec3; readonly direction: Vec3 }
  | { readonly type: 'circle'; readonly center: Vec3; readonly normal: Vec3; readonly radius: number }
  | { readonly type: 'ellipse'; readonly center: Vec3; readonly semiAxisA: Vec3; readonly semiAxisB: Vec3 }
  | { readonly type: 'helix'; readonly center: Vec3; readonly axis: Vec3; readonly radius: number; readonly pitch: number }
  | { readonly type: 'spline'; readonly points: readonly Vec3[]; readonly closed: boolean }
  | { readonly type: 'formula' } & CurveFormulas

const TAU = 2 * Math.PI
/** Pieces of a turn. */
const PER_TURN = 8

/** @throws RangeError if a direction or an axis has no length or two points of a spline coincide; MeasureError if a formula cannot be parsed */
export function curveOf(spec: CurveSpec): Curve {
  switch (spec.type) {
    case 'line': return line(spec.point, direction(spec.direction, 'direction'))
    case 'circle': {
      const a = perpendicular(direction(spec.normal, 'normal'))
      return turning(spec.center, scale(a, spec.radius), scale(cross(normalize(spec.normal), a), spec.radius), ZERO, 1)
    }
    case 'ellipse': {
      direction(spec.semiAxisA, 'first semi-axis')
      direction(spec.semiAxisB, 'second semi-axis')
      return turning(spec.center, spec.semiAxisA, spec.semiAxisB, ZERO, 1)
    }
    case 'helix': {
      const axis = direction(spec.axis, 'axis')
      const a = perpendicular(axis)
      const rise = scale(axis, spec.pitch / TAU)
      return turning(spec.center, scale(a, spec.radius), scale(cross(axis, a), spec.radius), rise, HELIX_TURNS)
    }
    case 'spline': return splineCurve(spec.points, spec.closed)
    case 'formula': return formulaCurve(spec)
  }
}

/** Turns on each side of the centre that the first search covers. */
const HELIX_TURNS = 16

function direction(vector: Vec3, what: string): Vec3 {
  if (!(length(vector) > 0)) throw new RangeError(`the curve's ${what} has no direction`)
  return normalize(vector)
}

function line(point: Vec3, along: Vec3): Curve {
  return {
    pieces: [-1, 1],
    stretch: Infinity,
    at: u => ({ position: addScaled(point, along, u), first: along, second: ZERO, third: ZERO }),
  }
}

/** center + cos u a + sin u b + u rise. */
function turning(center: Vec3, a: Vec3, b: Vec3, rise: Vec3, turns: number): Curve {
  const straight = lengthSquared(rise) > 0
  const from = straight ? -turns : 0
  const count = (straight ? 2 * turns : 1) * PER_TURN
  return {
    stretch: TAU / 16,
    pieces: Array.from({ length: count + 1 }, (_, i) => TAU * (from + i / PER_TURN)),
    at(u) {
      const c = cos(u)
      const s = sin(u)
      const radial = add(scale(a, c), scale(b, s))
      const tangential = sub(scale(b, c), scale(a, s))
      return {
        position: addScaled(add(center, radial), rise, u),
        first: add(tangential, rise),
        second: scale(radial, -1),
        third: scale(tangential, -1),
      }
    },
  }
}

/**
 * A solid with a surface given by formulas, implicit or parametric; strictly convex and smooth. Contact needs the point with a given normal and its derivative
 * by the normal, from Newton's method on the conditions of an extremal point [Baraff92 §5.2, app. A].
 *
 * The start of each search depends on the direction only, never on earlier searches: equal queries have equal answers, in any order.
 */

import { cos } from '../../math/elementary'
import type { Mat3 } from '../../math/matrix'
import { dot, length, normalize, type Vec3 } from '../../math/vector'
import { ShapeError, type Bounds, type MassProperties } from '../shape'
import type { SmoothPrimitive } from '../smooth'
import type { Chart, Found, Place } from './chart'
import { Directions } from './directions'

const NOWHERE: Found = { place: [NaN, NaN, NaN], point: [NaN, NaN, NaN], residual: Infinity, hessian: null }

/** Grid of directions with stored start points, dense enough that Newton's method needs two to four steps from the nearest one. */
const DIVISIONS = 16
/** Largest residual of an accepted point: it exceeds rounding only for invalid surfaces. */
const FOUND = 1e-9
/** × size: largest distance of a sample beyond a tangent plane, which should bound all samples. */
const OUTSIDE = 1e-12

export class FormulaSurface implements SmoothPrimitive {
  readonly kind = 'formula'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties
  private readonly directions = new Directions(DIVISIONS)
  private readonly places: readonly Place[]
  private readonly last = new Float64Array([NaN, NaN, NaN])
  private found!: Found

  /** @throws ShapeError if the surface is not strictly convex */
  constructor(type: 'implicit' | 'parametric', private readonly chart: Chart) {
    this.massProperties = chart.massProperties
    const points = Float64Array.from(chart.samples.flatMap(place => chart.pointAt(place)))
    const pointOf = (k: number): Vec3 => [points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!]
    const size = chart.samples.reduce((most, _, k) => Math.max(most, length(pointOf(k))), 0)
    const requireConvex = (m: Vec3, sample: number, { point, residual, hessian }: Found): void => {
      const outside = dot(m, pointOf(sample)) > dot(m, point) + OUTSIDE * size
      if (residual <= FOUND && hessian !== null && !outside) return
      const why = outside ? `[${pointOf(sample).join(', ')}] lies outside of the tangent plane at [${point.join(', ')}]`
        : `its curvature vanishes or changes its sign near [${point.join(', ')}]`
      throw new ShapeError(type, 'nonConvex', `the surface is not strictly convex: ${why}`, [], type === 'implicit' ? 'formula' : null)
    }
    for (const place of chart.samples) {
      const m = chart.normalAt(place)
      requireConvex(m, farthestAlong(m, points), chart.extremal(m, place))
    }
    let farthest = 0
    this.places = Array.from({ length: this.directions.count }, (_, k) => {
      const m = this.directions.at(k)
      const sample = farthestAlong(m, points)
      const found = chart.extremal(m, chart.samples[sample]!)
      requireConvex(m, sample, found)
      farthest = Math.max(farthest, dot(m, found.point))
      return found.place
    })
    const along = (m: Vec3, axis: number): number => this.support(m)[axis]!
    this.bounds = {
      min: [along([-1, 0, 0], 0), along([0, -1, 0], 1), along([0, 0, -1], 2)], max: [along([1, 0, 0], 0), along([0, 1, 0], 1), along([0, 0, 1], 2)],
    }
    // The direction of the farthest point is at most that angle from a sampled one, along which it reaches at least this far.
    this.radius = farthest / cos(this.directions.spacing)
    this.coreRadius = this.radius
  }

  support(direction: Vec3): Vec3 {
    return this.at(normalize(direction)).point
  }

  supportHessian(direction: Vec3): Mat3 {
    // Between the checked directions the surface may not be convex; it is then treated as a corner there.
    return this.at(direction).hessian ?? [0, 0, 0, 0, 0, 0, 0, 0, 0]
  }

  /** @param m a unit vector */
  private at(m: Vec3): Found {
    const { last, chart } = this
    if (m[0] === last[0] && m[1] === last[1] && m[2] === last[2]) return this.found
    // A diverging motion gives directions that are not numbers. Their support point is none either, as for other shapes.
    const start = this.places[this.directions.nearest(m)]
    if (start === undefined) return NOWHERE
    let found = chart.extremal(m, start)
    if (!(found.residual <= FOUND)) {
      const points = Float64Array.from(chart.samples.flatMap(place => chart.pointAt(place)))
      const second = chart.extremal(m, chart.samples[farthestAlong(m, points)]!)
      if (second.residual < found.residual) found = second
    }
    last.set(m)
    return this.found = found
  }
}

/** The index of the point farthest along m; three numbers per point. */
function farthestAlong([x, y, z]: Vec3, points: Float64Array): number {
  let best = 0
  let height = -Infinity
  for (let k = 0; k < points.length; k += 3) {
    const along = x * points[k]! + y * points[k + 1]! + z * points[k + 2]!
    if (along > height) {
      best = k / 3
      height = along
    }
  }
  return best
}

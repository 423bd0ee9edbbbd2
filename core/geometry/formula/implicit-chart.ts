/** A surface F(x, y, z) = 0 around the origin, where F is less than 0. */

import { Jet } from '../../expression'
import { gaussLegendre } from '../../math/quadrature'
import { bracketedRoot } from '../../math/root'
import { add, addScaled, dot, length, normalize, scale, type Vec3 } from '../../math/vector'
import { ShapeError, type MassProperties } from '../shape'
import { HALVINGS, inverseInPlane, NEAR, NEWTON_STEPS, ROUNDING, tangentsOf, turnedFrom, type Chart, type Found, type Place } from './chart'
import { Directions, onCube } from './directions'
import { Enclosed, refined } from './enclosed'
import { compiled } from './formula-fault'

/** Field of the shape, for error messages. */
const FIELD = 'formula'
/** Divisions of the cube's edges; rays through the grid points give the samples. */
const DIVISIONS = 20
/** m: range of distances from the origin in which the surface is searched. */
const MIN_DISTANCE = 1e-6
const MAX_DISTANCE = 1e6
/** Growth factor of the steps outwards. */
const OUTWARDS = 1.3

export class ImplicitChart implements Chart {
  readonly massProperties: MassProperties
  readonly samples: readonly Place[]
  private readonly f: Jet

  /** @throws ShapeError */
  constructor(formula: string) {
    this.f = compiled('implicit', FIELD, () => new Jet(formula, ['x', 'y', 'z']))
    const middle = this.f.value([0, 0, 0])
    if (!(middle < 0) || middle === -Infinity) {
      throw new ShapeError('implicit', Number.isFinite(middle) ? 'outOfRange' : 'notFinite',
        `the formula gives ${middle} at the origin, which has to lie inside: there it has to be less than 0`, [], FIELD)
    }
    let last = 1
    const along = (direction: Vec3): number => last = this.reach(direction, last)
    const directions = new Directions(DIVISIONS)
    this.samples = Array.from({ length: directions.count }, (_, k) => scale(directions.at(k), along(directions.at(k))))
    this.massProperties = refined(16, 64, points => {
      const { nodes, weights } = gaussLegendre(points)
      const inside = new Enclosed()
      for (let face = 0; face < 6; face++) {
        nodes.forEach((s, i) => nodes.forEach((t, j) => {
          const direction = onCube(face, s, t)
          const r = along(direction)
          const square = 1 + s * s + t * t
          inside.add(scale(direction, r), r * r * r * weights[i]! * weights[j]! / (square * Math.sqrt(square)))
        }))
      }
      return inside.properties()
    })
  }

  /** Distance at which the ray from the origin along a unit vector leaves the solid, m. @param near that of a neighbouring ray */
  private reach(direction: Vec3, near: number): number {
    const value = (t: number): number => {
      const f = this.f.value(scale(direction, t))
      if (Number.isNaN(f)) throw new ShapeError('implicit', 'notFinite', `the formula has no value at [${scale(direction, t).join(', ')}]`, [], FIELD)
      return f
    }
    let [low, high] = [near / OUTWARDS, near * OUTWARDS]
    let [below, above] = [value(low), value(high)]
    if (!(below < 0 && above >= 0)) {
      high = MIN_DISTANCE
      above = value(high)
      do {
        [low, below] = [high, above]
        high *= OUTWARDS
        if (high > MAX_DISTANCE) {
          throw new ShapeError('implicit', 'openSurface', `the surface has no end along [${direction.join(', ')}]: the formula stays below 0`, [], FIELD)
        }
        above = value(high)
      } while (above < 0)
    }
    return bracketedRoot(value, low, below, high, above)
  }

  pointAt(place: Place): Vec3 {
    return place
  }

  normalAt(place: Place): Vec3 {
    this.f.at(place)
    const { gradient: g } = this.f
    return normalize([g[0]!, g[1]!, g[2]!])
  }

  /** F = 0 and ∇F × m = 0, in the frame of m and two tangents. */
  extremal(m: Vec3, near: Place): Found {
    const { f } = this
    const { gradient: g, hessian: H } = f
    const [a, b] = tangentsOf(m)
    let point: Vec3 = near
    let value = f.at(point)
    const residualOf = (p: Vec3, at: number): number => {
      const slope: Vec3 = [g[0]!, g[1]!, g[2]!]
      return turnedFrom(m, slope) + Math.abs(at) / (length(slope) * length(p))
    }
    const second = (u: Vec3, v: Vec3): number => {
      let sum = 0
      for (let i = 0; i < 3; i++) sum += u[i]! * (H[3 * i]! * v[0] + H[3 * i + 1]! * v[1] + H[3 * i + 2]! * v[2])
      return sum
    }
    let residual = residualOf(point, value)
    for (let k = 0; k < NEWTON_STEPS && residual > ROUNDING; k++) {
      const slope: Vec3 = [g[0]!, g[1]!, g[2]!]
      const [ga, gb, gm] = [dot(slope, a), dot(slope, b), dot(slope, m)]
      // The component along m follows from F and those along a and b: α ga + β gb + γ gm = −F.
      const [rise, turnA, turnB] = [-value / gm, -ga / gm, -gb / gm]
      const [ea, eb] = [addScaled(a, m, turnA), addScaled(b, m, turnB)]
      const [haa, hab, hba, hbb] = [second(a, ea), second(a, eb), second(b, ea), second(b, eb)]
      const [ra, rb] = [-ga - rise * second(a, m), -gb - rise * second(b, m)]
      const determinant = haa * hbb - hab * hba
      const alpha = (ra * hbb - rb * hab) / determinant
      const beta = (rb * haa - ra * hba) / determinant
      const step = add(addScaled(scale(ea, alpha), eb, beta), scale(m, rise))
      const before = residual
      let share = 1
      for (let halvings = 0; halvings <= (before > NEAR ? HALVINGS : 0); halvings++, share /= 2) {
        const next = addScaled(point, step, share)
        const nextValue = f.at(next)
        const left = residualOf(next, nextValue)
        if (!(left < before)) continue
        point = next
        value = nextValue
        residual = left
        break
      }
      if (!(residual < before)) break
    }
    f.at(point)
    const along = length([g[0]!, g[1]!, g[2]!])
    return { place: point, point, residual, hessian: inverseInPlane(second(a, a) / along, second(a, b) / along, second(b, b) / along, a, b) }
  }
}

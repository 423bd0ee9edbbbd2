/**
 * A surface S(u, v) with the topology of a sphere: v runs once around, and each end of u is a pole, at which all v give one point. At a pole S_u × S_v is
 * zero and Newton's method in u and v is singular. Near a pole the surface is therefore replaced by its osculating paraboloid.
 */

import { Jet } from '../../expression'
import { inverse } from '../../math/matrix'
import { gaussLegendre } from '../../math/quadrature'
import { add, addScaled, cross, distance, dot, length, normalize, scale, type Vec3 } from '../../math/vector'
import { ShapeError, type MassProperties } from '../shape'
import { HALVINGS, inverseInPlane, NEAR, NEWTON_STEPS, ROUNDING, tangentsOf, turnedFrom, type Chart, type Found, type Place } from './chart'
import { Enclosed, refined } from './enclosed'
import { compiled } from './formula-fault'

export interface ParametricFormulas {
  readonly x: string
  readonly y: string
  readonly z: string
  readonly u: readonly [number, number]
  readonly v: readonly [number, number]
}

/** S and its partial derivatives. */
interface SurfacePatch {
  readonly point: Vec3
  readonly u: Vec3
  readonly v: Vec3
  readonly uu: Vec3
  readonly uv: Vec3
  readonly vv: Vec3
}

/** Samples along u and v. */
const ROWS = 32
const COLUMNS = 64
/** × size: largest distance of points that have to coincide. */
const CLOSED = 1e-9
/** Sine of the largest angle between tangents that have to coincide. */
const SMOOTH = 1e-6
/** × size: at a smaller distance from a pole the paraboloid is as exact as the rounding of S_v / r; within `ABOUT` it gives the start of Newton's method. */
const AT_POLE = 2e-6
const ABOUT = 0.3

interface Pole {
  readonly at: number
  /** +1 if u increases away from the pole. */
  readonly away: 1 | -1
  readonly point: Vec3
  /** Outward unit normal, and tangents. */
  readonly normal: Vec3
  readonly tangents: readonly [Vec3, Vec3]
  /** Of the surface −½ tᵀ W t above the tangent plane, 1/m: xx, xy, yy. */
  readonly curvature: readonly [number, number, number]
  /** ∂S/∂r along the tangents for each column of samples; r is the distance in u from the pole. */
  readonly ways: readonly (readonly [number, number])[]
}

export class ParametricChart implements Chart {
  readonly massProperties: MassProperties
  readonly samples: readonly Place[]
  private readonly jets: readonly [Jet, Jet, Jet]
  private readonly size: number
  /** +1 if S_u × S_v points outwards. */
  private readonly outwards: 1 | -1
  private readonly poles: readonly Pole[]

  /** @throws ShapeError */
  constructor(private readonly formulas: ParametricFormulas) {
    const { u, v } = formulas
    for (const [name, [from, to]] of [['u', u], ['v', v]] as const) {
      if (!(to > from)) throw new ShapeError('parametric', 'outOfRange', `${name} goes from ${from} to ${to}; the second has to be greater`)
    }
    const jet = (axis: 'x' | 'y' | 'z'): Jet => compiled('parametric', axis, () => new Jet(formulas[axis], ['u', 'v']))
    this.jets = [jet('x'), jet('y'), jet('z')]
    const places: Place[] = []
    for (let i = 1; i < ROWS; i++) for (let j = 0; j < COLUMNS; j++) places.push([this.along(u, i / ROWS), this.along(v, j / COLUMNS), 0])
    this.samples = places
    const points = places.map(place => this.pointAt(place))
    points.forEach((point, k) => {
      if (!point.every(Number.isFinite)) throw new ShapeError('parametric', 'notFinite', `the formulas have no value at ${placeText(places[k]!)}`)
    })
    this.size = points.reduce((most, point) => Math.max(most, distance(point, points[0]!)), 0)
    this.requireClosed()
    const enclosed = refined(24, 96, count => this.enclosed(count))
    this.outwards = enclosed.volume < 0 ? -1 : 1
    if (!(Math.abs(enclosed.volume) > 0)) throw new ShapeError('parametric', 'zeroVolume', 'the surface encloses no volume')
    this.massProperties = this.outwards > 0 ? enclosed : { ...enclosed, volume: -enclosed.volume, inertia: enclosed.inertia.map(value => -value) as unknown as MassProperties['inertia'] }
    this.poles = [this.poleAt(u[0], 1), this.poleAt(u[1], -1)]
  }

  pointAt([u, v]: Place): Vec3 {
    const [x, y, z] = this.jets
    return [x.value([u, v]), y.value([u, v]), z.value([u, v])]
  }

  normalAt(place: Place): Vec3 {
    const { u, v } = this.patch(place)
    return normalize(scale(cross(u, v), this.outwards))
  }

  /** S_u · m = S_v · m = 0: eq. A-4 for a given normal. */
  extremal(m: Vec3, near: Place): Found {
    let place = near
    for (const pole of this.poles) {
      const way = this.wayFrom(pole, m)
      if (way === null) continue
      const far = length(add(scale(pole.tangents[0], way[0]), scale(pole.tangents[1], way[1])))
      if (far < AT_POLE * this.size) return this.atPole(pole, way)
      if (far < ABOUT * this.size) place = this.placeFrom(pole, way)
    }
    let patch = this.patch(place)
    let residual = this.residual(m, patch)
    for (let k = 0; k < NEWTON_STEPS && residual > ROUNDING; k++) {
      const [ru, rv] = [dot(patch.u, m), dot(patch.v, m)]
      const [uu, uv, vv] = [dot(patch.uu, m), dot(patch.uv, m), dot(patch.vv, m)]
      const determinant = uu * vv - uv * uv
      const du = (uv * rv - vv * ru) / determinant
      const dv = (uv * ru - uu * rv) / determinant
      const before = residual
      let share = 1
      for (let halvings = 0; halvings <= (before > NEAR ? HALVINGS : 0); halvings++, share /= 2) {
        const next = this.inside(place[0] + share * du, place[1] + share * dv)
        const nextPatch = this.patch(next)
        const left = this.residual(m, nextPatch)
        if (!(left < before)) continue
        place = next
        patch = nextPatch
        residual = left
        break
      }
      if (!(residual < before)) break
    }
    return { place, point: patch.point, residual, hessian: this.hessianAt(patch, m) }
  }

  private residual(m: Vec3, patch: SurfacePatch): number {
    const left = turnedFrom(m, scale(cross(patch.u, patch.v), this.outwards))
    return Number.isNaN(left) ? Infinity : left
  }

  /** ∇²h is the inverse of the shape operator, which the derivatives give in S_u and S_v: A I⁻¹ … in orthonormal tangents it is T B⁻¹ Tᵀ with B = −∇²S · m. */
  private hessianAt(patch: SurfacePatch, m: Vec3): Found['hessian'] {
    const [a, b] = tangentsOf(m)
    const [ua, ub, va, vb] = [dot(patch.u, a), dot(patch.u, b), dot(patch.v, a), dot(patch.v, b)]
    const area = ua * vb - ub * va
    // W = J⁻ᵀ B J⁻¹ with the columns S_u and S_v of J along a and b.
    const [iua, iub, iva, ivb] = [vb / area, -va / area, -ub / area, ua / area]
    const [uu, uv, vv] = [-dot(patch.uu, m), -dot(patch.uv, m), -dot(patch.vv, m)]
    const form = (p: readonly [number, number], q: readonly [number, number]): number =>
      p[0] * (uu * q[0] + uv * q[1]) + p[1] * (uv * q[0] + vv * q[1])
    const [alongA, alongB] = [[iua, iva], [iub, ivb]] as const
    return inverseInPlane(form(alongA, alongA), form(alongA, alongB), form(alongB, alongB), a, b)
  }

  private patch([u, v]: Place): SurfacePatch {
    const [x, y, z] = this.jets
    const point: Vec3 = [x.at([u, v]), y.at([u, v]), z.at([u, v])]
    const first = (k: number): Vec3 => [x.gradient[k]!, y.gradient[k]!, z.gradient[k]!]
    const second = (k: number): Vec3 => [x.hessian[k]!, y.hessian[k]!, z.hessian[k]!]
    return { point, u: first(0), v: first(1), uu: second(0), uv: second(1), vv: second(3) }
  }

  private along([from, to]: readonly [number, number], share: number): number {
    return from + share * (to - from)
  }

  /** Parameters in their ranges: v is periodic, and u beyond a pole continues on the other side of it. */
  private inside(u: number, v: number): Place {
    const { u: [u0, u1], v: [v0, v1] } = this.formulas
    const turn = v1 - v0
    let [row, column] = [u, v]
    if (row < u0) [row, column] = [2 * u0 - row, column + turn / 2]
    else if (row > u1) [row, column] = [2 * u1 - row, column + turn / 2]
    row = Math.min(Math.max(row, u0), u1)
    return [row, v0 + (column - v0) - turn * Math.floor((column - v0) / turn), 0]
  }

  private requireClosed(): void {
    const { u, v } = this.formulas
    for (let i = 1; i < ROWS; i++) {
      const [from, to] = [this.patch([this.along(u, i / ROWS), v[0], 0]), this.patch([this.along(u, i / ROWS), v[1], 0])]
      const apart = distance(from.point, to.point)
      const bend = length(cross(normalize(cross(from.u, from.v)), normalize(cross(to.u, to.v))))
      if (!(apart <= CLOSED * this.size) || !(bend <= SMOOTH)) {
        throw new ShapeError('parametric', 'openSurface', `at u = ${this.along(u, i / ROWS)} the two ends of v ${apart > CLOSED * this.size
          ? `are ${apart} m apart` : `meet at an angle of ${bend} rad`}; v has to go once around`)
      }
    }
    for (const end of u) {
      const first = this.pointAt([end, v[0], 0])
      for (let j = 1; j < COLUMNS; j++) {
        const apart = distance(first, this.pointAt([end, this.along(v, j / COLUMNS), 0]))
        if (!(apart <= CLOSED * this.size)) {
          throw new ShapeError('parametric', 'openSurface', `at u = ${end} points of different v are ${apart} m apart; each end of u has to be one point, a pole`)
        }
      }
    }
  }

  /** Signed: negative if the surface faces inwards. */
  private enclosed(points: number): MassProperties {
    const { u, v } = this.formulas
    const { nodes, weights } = gaussLegendre(points)
    const inside = new Enclosed()
    // Along v the integrand is periodic, so equal steps converge as fast as Gauss quadrature along u.
    const columns = 2 * points
    nodes.forEach((node, i) => {
      for (let j = 0; j < columns; j++) {
        const patch = this.patch([this.along(u, (node + 1) / 2), this.along(v, j / columns), 0])
        inside.add(patch.point, dot(patch.point, cross(patch.u, patch.v)) * weights[i]! * (u[1] - u[0]) / 2 * (v[1] - v[0]) / columns)
      }
    })
    return inside.properties()
  }

  private poleAt(at: number, away: 1 | -1): Pole {
    const { v } = this.formulas
    const patches = Array.from({ length: COLUMNS }, (_, j) => this.patch([at, this.along(v, j / COLUMNS), 0]))
    const { point } = patches[0]!
    const fault = (message: string): ShapeError => new ShapeError('parametric', 'outOfRange', `at the pole u = ${at} ${message}`)
    const quarter = COLUMNS / 4
    const across = cross(scale(patches[0]!.u, away), scale(patches[quarter]!.u, away))
    const pace = this.size / (this.formulas.u[1] - this.formulas.u[0])
    if (!(length(across) > SMOOTH * pace * pace)) throw fault('S_u is zero or does not go around: the surface has no tangent plane there')
    // Around the lower pole S_u × S_v rotates with the directions out of the pole, around the upper one against them.
    const normal = normalize(scale(across, away * this.outwards))
    const tangents = tangentsOf(normal)
    const ways = patches.map((patch): readonly [number, number] => [away * dot(patch.u, tangents[0]), away * dot(patch.u, tangents[1])])
    if (patches.some(patch => Math.abs(dot(patch.u, normal)) > SMOOTH * length(patch.u))) throw fault('the ways out of it do not lie in one plane: it is a corner')
    // N · S_uu = −tᵀ W t for the directions t of three columns gives W.
    const three = [0, Math.round(COLUMNS / 6), Math.round(COLUMNS / 3)].map(j => {
      const [p, q] = ways[j]!
      return { row: [p * p, 2 * p * q, q * q], value: -dot(patches[j]!.uu, normal) }
    })
    const solve = inverse(three.flatMap(({ row }) => row) as unknown as Parameters<typeof inverse>[0])
    const value = three.map(one => one.value)
    const curvature = [0, 1, 2].map(k => solve[3 * k]! * value[0]! + solve[3 * k + 1]! * value[1]! + solve[3 * k + 2]! * value[2]!) as unknown as Pole['curvature']
    if (inverseInPlane(...curvature, ...tangents) === null) throw new ShapeError('parametric', 'nonConvex', `the surface is not strictly convex at the pole u = ${at}`)
    return { at, away, point, normal, tangents, curvature, ways }
  }

  /** The point at which the paraboloid has the normal m, along the pole's tangents, m; null for normals of its other side. */
  private wayFrom({ normal, tangents, curvature: [xx, xy, yy] }: Pole, m: Vec3): readonly [number, number] | null {
    const rise = dot(m, normal)
    if (!(rise > 0)) return null
    const [p, q] = [dot(m, tangents[0]) / rise, dot(m, tangents[1]) / rise]
    const determinant = xx * yy - xy * xy
    return [(yy * p - xy * q) / determinant, (xx * q - xy * p) / determinant]
  }

  private atPole({ at, point, normal, tangents, curvature: [xx, xy, yy] }: Pole, [p, q]: readonly [number, number]): Found {
    const depth = (xx * p * p + 2 * xy * p * q + yy * q * q) / 2
    return {
      place: [at, this.formulas.v[0], 0], residual: 0, hessian: inverseInPlane(xx, xy, yy, ...tangents),
      point: addScaled(addScaled(addScaled(point, tangents[0], p), tangents[1], q), normal, -depth),
    }
  }

  /** Parameters near a displacement from the pole: the column from its angle, the row from its length. */
  private placeFrom({ at, away, ways }: Pole, way: readonly [number, number]): Place {
    let best = 0
    let closest = -Infinity
    ways.forEach(([p, q], j) => {
      const along = (p * way[0] + q * way[1]) / Math.sqrt(p * p + q * q)
      if (along > closest) [best, closest] = [j, along]
    })
    const [p, q] = ways[best]!
    return this.inside(at + away * Math.sqrt((way[0] * way[0] + way[1] * way[1]) / (p * p + q * q)), this.along(this.formulas.v, best / COLUMNS))
  }
}

const placeText = ([u, v]: Place): string => `u = ${u}, v = ${v}`

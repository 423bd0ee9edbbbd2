/** The inner step of Gilbert, Johnson and Keerthi's descent, and the descent itself, against trying every set of points. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClosestSimplex } from '../../../../core/collision/closest-simplex'
import { flatSolid } from '../../../../core/collision/flat-solid'
import { NearestSimplex } from '../../../../core/collision/nearest-simplex'
import { PolyhedraCollider } from '../../../../core/collision/polyhedron-polyhedron'
import { relativePose } from '../../../../core/collision/relative'
import { SeparatingAxes } from '../../../../core/collision/separating-axis'
import { add, addScaled, cross, dot, length, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { hull, pose, random, vector } from './random'

/** The point nearest to the origin of the line or plane through all of these; null where it lies outside of their hull. */
function footOf(points: readonly Vec3[]): Vec3 | null {
  const [a, b, c] = points as [Vec3, Vec3?, Vec3?]
  if (b === undefined) return a
  if (c === undefined) {
    const d = sub(b, a)
    const t = -dot(a, d) / dot(d, d)
    return t >= 0 && t <= 1 ? addScaled(a, d, t) : null
  }
  const n = cross(sub(b, a), sub(c, a))
  const foot = scale(n, dot(n, a) / dot(n, n))
  const inside = [[a, b], [b, c], [c, a]].every(([p, q]) => dot(cross(sub(q!, p!), sub(foot, p!)), n) >= 0)
  return inside ? foot : null
}

/** Of every set of one to three of them. */
function nearestOf(points: readonly Vec3[]): Vec3 {
  let best = points[0]!
  for (let set = 1; set < 1 << points.length; set++) {
    const chosen = points.filter((_, k) => set & (1 << k))
    const foot = chosen.length <= 3 ? footOf(chosen) : null
    if (foot !== null && length(foot) < length(best)) best = foot
  }
  return best
}

/** × the volume of the tetrahedron of three points and a fourth. */
const over = (a: Vec3, b: Vec3, c: Vec3, d: Vec3): number => dot(cross(sub(b, a), sub(c, a)), sub(d, a))
const ORIGIN: Vec3 = [0, 0, 0]

function holdsOrigin([a, b, c, d]: readonly Vec3[]): boolean {
  return [[a, b, c, d], [a, b, d, c], [a, c, d, b], [b, c, d, a]].every(([p, q, r, other]) => over(p!, q!, r!, other!) * over(p!, q!, r!, ORIGIN) > 0)
}

describe('the point of a simplex that is nearest to the origin', () => {
  it.each([2, 3, 4])('of %i points is that of the best of their sets, and a simplex that holds the origin has none', count => {
    let held = 0
    fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
      const r = random(seed)
      const points = Array.from({ length: count }, () => add(vector(r, 1), [0, 0, 0.3]))
      // As in the descent, the fourth point lies on the origin's side of the three before.
      fc.pre(count < 4 || over(points[0]!, points[1]!, points[2]!, points[3]!) * over(points[0]!, points[1]!, points[2]!, ORIGIN) > 0)
      const simplex = new NearestSimplex()
      simplex.count = count
      points.forEach((point, k) => simplex.points.set(point, 3 * k))
      const found = simplex.nearest()
      if (count === 4 && holdsOrigin(points)) {
        held++
        expect(found).toBe(false)
        return
      }
      expect(found).toBe(true)
      simplex.keep(() => undefined)
      const best = nearestOf(points)
      expect(length(sub([simplex.x, simplex.y, simplex.z], best))).toBeLessThanOrEqual(1e-9)
      expect(simplex.bestSquare).toBeCloseTo(dot(best, best), 9)
      // The kept points contain the nearest point in their hull.
      const kept = Array.from({ length: simplex.count }, (_, k): Vec3 => [simplex.points[3 * k]!, simplex.points[3 * k + 1]!, simplex.points[3 * k + 2]!])
      expect(length(sub(footOf(kept)!, best))).toBeLessThanOrEqual(1e-9)
    }), { numRuns: 500 })
    if (count === 4) expect(held).toBeGreaterThan(5)
  })
})

describe('the descent to the nearest vertices of two polyhedra', () => {
  it('finds their distance in a few steps, and detects overlap', () => {
    let apart = 0
    fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
      const r = random(seed)
      const [a, b] = [hull(r, 12, 1), hull(r, 12, 1)]
      const [poseA, poseB] = [pose(r, 2), pose(r, 2)]
      const { separation } = new PolyhedraCollider(a, b).separating(poseA, poseB)
      fc.pre(Math.abs(separation) > 1e-6)
      const axes = new SeparatingAxes()
      const { rotation, position } = relativePose(poseA, poseB)
      axes.place(flatSolid(a), flatSolid(b), rotation, position)
      const simplex = new ClosestSimplex(axes)
      expect(simplex.descend(0, 0)).toBe(separation > 0)
      if (separation <= 0) return
      apart++
      expect(Math.hypot(simplex.x, simplex.y, simplex.z)).toBeCloseTo(separation, 9)
      expect(simplex.steps).toBeLessThanOrEqual(16)
    }), { numRuns: 300 })
    expect(apart).toBeGreaterThan(50)
  })
})

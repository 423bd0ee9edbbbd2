import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extremalPoints } from '../../../../core/collision/extreme-direction'
import { extremalImplicit, extremalParametric, placedImplicit, placedParametric } from './extremal-points'
import { SmoothSupport } from '../../../../core/collision/support'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { add, addScaled, distance, sub } from '../../../../core/math/vector'
import { implicitOf, parametricOf } from '../geometry/black-box'
import { between, direction, orientation, pose, random, vector, type Random } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })

function solid(r: Random): SmoothPrimitive {
  const radii = [between(r, 0.5, 1.5), between(r, 0.5, 1.5), between(r, 0.5, 1.5)] as const
  return r() < 0.1 ? new Sphere(radii[0]) : r() < 0.6 ? new Ellipsoid(radii) : new Superquadric(radii, [between(r, 0.7, 1.2), between(r, 0.7, 1.2)])
}

function situation(r: Random) {
  const [a, b] = [solid(r), solid(r)]
  const poseB = pose(r, 0.5)
  const poseA: Pose = { position: addScaled(poseB.position, direction(r), between(r, 1.1, 2) * (a.radius + b.radius)), orientation: orientation(r) }
  const support = (s: SmoothPrimitive, p: Pose) => new SmoothSupport(s, IDENTITY_POSE).at(p, [0, 0, 0])
  const byDirection = extremalPoints(support(a, poseA), support(b, poseB), sub(poseA.position, poseB.position), a.radius + b.radius)
  return { a, b, poseA, poseB, byDirection }
}

describe('conditions E1–E4 on black-box surfaces', () => {
  it('give the extremal points that the search by direction gives: implicit and parametric to 1e-12', () => {
    let compared = 0
    fc.assert(fc.property(seeds, seed => {
      const { a, b, poseA, poseB, byDirection } = situation(random(seed))
      const implicit = extremalImplicit(placedImplicit(implicitOf(a), poseA), poseA.position, placedImplicit(implicitOf(b), poseB), poseB.position)
      expect(implicit.converged).toBe(true)
      expect(Math.abs(implicit.separation - byDirection.separation)).toBeLessThan(1e-12)
      const parametric = extremalParametric(placedParametric(parametricOf(a), poseA), placedParametric(parametricOf(b), poseB), implicit)
      if (parametric.converged) {
        compared++
        expect(Math.abs(implicit.separation - parametric.separation)).toBeLessThan(1e-12)
        expect(distance(implicit.onA, parametric.onA)).toBeLessThan(1e-7)
      }
    }), { numRuns: 300 })
    expect(compared).toBeGreaterThan(200)
  })

  it('are solved in at most three steps from the previous points, moved by their rates', () => {
    const r = random(11)
    let [iterations, count] = [0, 0]
    for (let k = 0; k < 50; k++) {
      const { a, b, poseA, poseB } = situation(r)
      const velocity = vector(r)
      const solve = (t: number, guess?: { onA: typeof velocity, onB: typeof velocity }) => {
        const moved = { ...poseA, position: addScaled(poseA.position, velocity, t) }
        return extremalImplicit(placedImplicit(implicitOf(a), moved), moved.position, placedImplicit(implicitOf(b), poseB), poseB.position, guess)
      }
      let [before, now] = [solve(0), solve(1 / 240)]
      for (let i = 2; i < 30; i++) {
        const guess = { onA: add(now.onA, sub(now.onA, before.onA)), onB: add(now.onB, sub(now.onB, before.onB)) }
        before = now
        now = solve(i / 240, guess)
        iterations += now.iterations
        count++
      }
    }
    expect(iterations / count).toBeLessThanOrEqual(3)
  })
})

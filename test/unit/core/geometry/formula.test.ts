import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import { createPrimitive } from '../../../../core/geometry/primitives'
import { ShapeError } from '../../../../core/geometry/shape'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { transform } from '../../../../core/math/matrix'
import { addScaled, distance, dot, length, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { between, direction, random } from '../collision/random'
import { sampled } from '../../../sampled'

const TURN = [-Math.PI, Math.PI] as const
const HALF = [-Math.PI / 2, Math.PI / 2] as const

const implicit = (formula: string): SmoothPrimitive => createPrimitive({ type: 'implicit', formula }) as SmoothPrimitive
const parametric = (x: string, y: string, z: string): SmoothPrimitive => createPrimitive({ type: 'parametric', x, y, z, u: HALF, v: TURN }) as SmoothPrimitive

/** Both forms of an ellipsoid. */
function ellipsoids([a, b, c]: Vec3): SmoothPrimitive[] {
  return [
    implicit(`(x/${a})^2 + y^2/${b * b} + pow(z/${c}, 2) - 1`),
    parametric(`${a}*cos(u)*cos(v)`, `${b}*cos(u)*sin(v)`, `${c}*sin(u)`),
    // The other way round: v clockwise, u from above.
    parametric(`-${a}*cos(u)*sin(v)`, `${b}*cos(u)*cos(v)`, `-${c}*sin(u)`),
  ]
}

/** Simpson's rule. */
function quadrature(f: (z: number) => number, from: number, to: number): number {
  const n = 4000
  let sum = 0
  for (let k = 0; k <= n; k++) sum += (k === 0 || k === n ? 1 : k % 2 === 0 ? 2 : 4) * f(from + (to - from) * k / n)
  return sum * (to - from) / (3 * n)
}

/** An egg: a curve of revolution that is no quadric, with the implicit form x² + y² = (1 − z²) (1 + z/4)². */
const EGG = 'x^2 + y^2 - (1 - z^2)*(1 + z/4)^2'

describe('a surface given by formulas', () => {
  sampled('is the ellipsoid that it describes: points, curvatures, mass, bounds', { few: 1, all: 4 }, cases => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 0x7fffffff }), seed => {
      const r = random(seed)
      const radii: Vec3 = [between(r, 0.3, 2), between(r, 0.3, 2), between(r, 0.3, 2)]
      const exact = new Ellipsoid(radii)
      const size = Math.max(...radii)
      for (const surface of ellipsoids(radii)) {
        for (let k = 0; k < 200; k++) {
          // Half of them near an axis, where the poles are.
          const m = k % 2 === 0 ? direction(r) : normalize(addScaled([0, 0, k % 4 < 2 ? 1 : -1], direction(r), 10 ** between(r, -12, 0)))
          const [found, expected] = [surface.support(m), exact.support(m)]
          expect(dot(m, sub(found, expected))).toBeLessThan(1e-14 * size)
          expect(dot(m, sub(expected, found))).toBeLessThan(1e-14 * size)
          expect(distance(found, expected)).toBeLessThan(1e-9 * size)
          const w = direction(r)
          expect(distance(transform(surface.supportHessian(m), w), transform(exact.supportHessian(m), w))).toBeLessThan(2e-5 * size)
        }
        expect(Math.abs(surface.massProperties!.volume / exact.massProperties.volume - 1)).toBeLessThan(1e-10)
        expect(length(surface.massProperties!.centroid)).toBeLessThan(1e-10 * size)
        surface.massProperties!.inertia.forEach((value, k) => expect(Math.abs(value - exact.massProperties.inertia[k]!)).toBeLessThan(1e-9 * exact.massProperties.inertia[0]))
        for (const side of ['min', 'max'] as const) expect(distance(surface.bounds[side], exact.bounds[side])).toBeLessThan(1e-14 * size)
        expect(surface.radius).toBeGreaterThanOrEqual(exact.radius)
        expect(surface.radius).toBeLessThan(1.01 * exact.radius)
      }
    }), { numRuns: cases })
  })

  it('has support points on the surface with the given normal, which depend on the direction only', () => {
    const [one, other] = [implicit(EGG), implicit(EGG)]
    const r = random(5)
    const asked = Array.from({ length: 300 }, () => direction(r))
    const forwards = asked.map(m => one.support(m))
    const backwards = [...asked].reverse().map(m => other.support(m)).reverse()
    expect(forwards).toEqual(backwards)
    asked.forEach((m, k) => {
      const [x, y, z] = forwards[k]!
      const t = 1 + z / 4
      expect(Math.abs(x * x + y * y - (1 - z * z) * t * t)).toBeLessThan(1e-14)
      const gradient: Vec3 = [2 * x, 2 * y, 2 * z * t * t - (1 - z * z) * t / 2]
      expect(distance(normalize(gradient), m)).toBeLessThan(1e-13)
      for (const p of forwards) expect(dot(m, p)).toBeLessThanOrEqual(dot(m, forwards[k]!) + 1e-14)
    })
  })

  it('has the mass of a sum over thin discs', () => {
    const { volume, centroid, inertia } = implicit(EGG).massProperties!
    const area = (z: number): number => Math.PI * (1 - z * z) * (1 + z / 4) ** 2
    const exact = quadrature(area, -1, 1)
    const middle = quadrature(z => z * area(z), -1, 1) / exact
    expect(Math.abs(volume / exact - 1)).toBeLessThan(1e-11)
    expect(Math.abs(centroid[2] - middle)).toBeLessThan(1e-11)
    const axial = quadrature(z => area(z) ** 2 / (2 * Math.PI), -1, 1)
    expect(Math.abs(inertia[8] / axial - 1)).toBeLessThan(1e-11)
    const across = axial / 2 + quadrature(z => (z - middle) ** 2 * area(z), -1, 1)
    expect(Math.abs(inertia[0] / across - 1)).toBeLessThan(1e-11)
  })

  it('is the same given implicitly and by parameters, for a surface that is not an ellipsoid', () => {
    const parts = ['cos(u)*cos(v)*(1 + sin(u)/4)', 'cos(u)*sin(v)*(1 + sin(u)/4)', 'sin(u)'] as const
    const [a, b] = [implicit(EGG), parametric(...parts)]
    const r = random(3)
    for (let k = 0; k < 500; k++) {
      const m = direction(r)
      expect(distance(a.support(m), b.support(m))).toBeLessThan(1e-11)
    }
    expect(Math.abs(a.massProperties!.volume / b.massProperties!.volume - 1)).toBeLessThan(1e-11)
  })

  it('is refused with a reason if it is not smooth, closed and strictly convex', () => {
    const fault = (make: () => unknown): ShapeError => {
      try {
        make()
      } catch (error) {
        if (error instanceof ShapeError) return error
        throw error
      }
      throw new Error('It was taken.')
    }
    const faults: [() => unknown, string, RegExp][] = [
      [() => implicit('x^2 + y^2 + z^2 + 1'), 'outOfRange', /1 at the origin/],
      [() => implicit('x^2 + y^2 - 1'), 'openSurface', /no end along/],
      [() => implicit('x^2 + y^2 + z^2 - 1/x'), 'notFinite', /origin/],
      [() => implicit('x^4 + y^4 + z^4 - 1'), 'nonConvex', /curvature/],
      [() => implicit('(x^2 + y^2 + z^2)^2 - 2*(x^2 - y^2 - z^2) - 1.2'), 'nonConvex', /convex/],
      [() => implicit('x^2 + w^2 - 1'), 'invalidFormula', /"w".*x, y, z, pi/],
      [() => implicit('max(x, y)'), 'invalidFormula', /smooth function "max"/],
      [() => implicit('x^2 + (y - 1'), 'invalidFormula', /ends too early/],
      [() => parametric('cos(u)*cos(v)', 'cos(u)*sin(v)', 'u*v'), 'openSurface', /two ends of v/],
      [() => parametric('cos(v)', 'sin(v)', 'u'), 'openSurface', /pole/],
      [() => parametric('cos(u)*cos(v)', 'cos(u)*sin(v)', 'log(u)'), 'notFinite', /u = /],
      [() => parametric('cos(u)*cos(v)', 'cos(u)*sin(v)', 'u^3'), 'outOfRange', /corner/],
    ]
    for (const [make, name, message] of faults) {
      const error = fault(make)
      expect([error.fault, error.message]).toEqual([name, expect.stringMatching(message)])
    }
  })

  it('works at every scale, from a millimetre to a kilometre', () => {
    for (const size of [1e-3, 1e3]) {
      const surface = implicit(`(x/${size})^2 + (y/${size})^2 + (z/${size})^2*4 - 1`)
      expect(distance(scale(surface.support([0, 0, 1]), 1 / size), [0, 0, 0.5])).toBeLessThan(1e-14)
    }
  })
})

it('has no support point in a direction that is not a number', () => {
  const [egg] = [createPrimitive({ type: 'implicit', formula: 'x^2 + y^2 + z^2 + 0.5*z - 1' })]
  expect((egg as SmoothPrimitive).support([NaN, NaN, NaN])).toStrictEqual([NaN, NaN, NaN])
})

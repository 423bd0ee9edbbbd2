import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import { ShapeError } from '../../../../core/geometry/shape'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import { transform, type Mat3 } from '../../../../core/math/matrix'
import { addScaled, cross, distance, dot, length, normalize, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { between, direction, random, type Random } from '../collision/random'
import { implicitOf, parametricOf } from './black-box'
import { quadrature } from './quadrature'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })

function solid(r: Random, low = 0.3, high = 1.7): SmoothPrimitive {
  const radii: Vec3 = [between(r, 0.3, 2), between(r, 0.3, 2), between(r, 0.3, 2)]
  return r() < 0.2 ? new Sphere(radii[0]) : r() < 0.4 ? new Ellipsoid(radii)
    : new Superquadric(radii, [between(r, low, high), between(r, low, high)])
}

const numeric = (f: (t: number) => Vec3, h = 1e-4): Vec3 =>
  sub(scale(sub(f(h), f(-h)), 2 / (3 * h)), scale(sub(f(2 * h), f(-2 * h)), 1 / (12 * h)))

/** Directions and points away from the planes of symmetry, where exponents below or above 1 make derivatives infinite. */
const inner = (r: Random): Vec3 => normalize([between(r, 0.3, 1), between(r, 0.3, 1), between(r, 0.3, 1)].map(x => r() < 0.5 ? x : -x) as unknown as Vec3)

describe('a smooth solid', () => {
  it('has its support point on the surface, with that normal, and farthest along it', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const shape = solid(r)
      const m = direction(r)
      const p = shape.support(m)
      expect(Math.abs(implicitOf(shape).value(p))).toBeLessThan(1e-12)
      expect(dot(normalize(implicitOf(shape).gradient(shape.support(inner(random(seed))))), inner(random(seed)))).toBeGreaterThan(1 - 1e-10)
      for (let k = 0; k < 50; k++) {
        expect(dot(shape.support(direction(r)), m)).toBeLessThan(dot(p, m) + 1e-14)
      }
      expect(length(p)).toBeLessThan(shape.radius * (1 + 1e-14))
    }))
  })

  it('has the Hessian of its support function, the gradient and Hessian of its implicit form, and the partials of its parametric form', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      // Exponents far from 1 bend too sharply for differences to follow.
      const shape = solid(r, 0.7, 1.3)
      const m = inner(r)
      const p = shape.support(m)
      const d = direction(r)
      const close = (found: Vec3, expected: Vec3): void => expect(distance(found, expected)).toBeLessThan(1e-6 * (1 + length(expected)))
      close(transform(shape.supportHessian(m), d), numeric(t => shape.support(addScaled(m, d, t))))
      const gradient = implicitOf(shape).gradient(p)
      close([dot(gradient, d), 0, 0], numeric(t => [implicitOf(shape).value(addScaled(p, d, t)), 0, 0]))
      close(transform(implicitOf(shape).hessian(p) as Mat3, d), numeric(t => implicitOf(shape).gradient(addScaled(p, d, t))))
      const [u, v] = parametricOf(shape).parameters(p)
      const patch = parametricOf(shape).at(u, v)
      close(patch.point, p)
      close(patch.u, numeric(t => parametricOf(shape).at(u + t, v).point))
      close(patch.v, numeric(t => parametricOf(shape).at(u, v + t).point))
      close(patch.uu, numeric(t => parametricOf(shape).at(u + t, v).u))
      close(patch.uv, numeric(t => parametricOf(shape).at(u, v + t).u))
      close(patch.vv, numeric(t => parametricOf(shape).at(u, v + t).v))
      expect(dot(normalize(cross(patch.u, patch.v)), m)).toBeGreaterThan(1 - 1e-9)
    }))
  })

  it('has the mass properties of a sum over thin columns', () => {
    const shapes = [
      new Ellipsoid([1, 2, 0.5]), new Superquadric([1, 2, 0.5], [1, 1]), new Superquadric([1, 0.7, 1.3], [0.4, 0.6]),
      new Superquadric([1, 0.7, 1.3], [1.5, 0.8]), new Superquadric([1, 1, 1], [0.5, 1.6]),
    ]
    for (const shape of shapes) {
      const [a, b, c] = shape.radii
      const [e1, e2] = shape instanceof Superquadric ? shape.exponents : [1, 1]
      const sum = quadrature(shape.bounds, (x, y) => {
        const around = Math.pow(Math.pow(Math.abs(x / a), 2 / e2) + Math.pow(Math.abs(y / b), 2 / e2), e2 / e1)
        const z = around < 1 ? c * Math.pow(1 - around, e1 / 2) : 0
        return z > 0 ? [-z, z] : null
      }, 800)
      expect(Math.abs(shape.massProperties.volume / sum.volume - 1)).toBeLessThan(1e-3)
      shape.massProperties.inertia.forEach((x, i) => expect(Math.abs(x - sum.inertia[i]!)).toBeLessThan(1e-3 * sum.inertia[0]))
    }
    const round = new Superquadric([1, 2, 0.5], [1, 1]).massProperties
    const exact = new Ellipsoid([1, 2, 0.5]).massProperties
    expect(Math.abs(round.volume / exact.volume - 1)).toBeLessThan(1e-14)
    round.inertia.forEach((x, i) => expect(Math.abs(x - exact.inertia[i]!)).toBeLessThan(1e-13))
  })

  it('is refused with a message that names it where its exponent is out of range', () => {
    expect(() => new Superquadric([1, 1, 1], [2, 1])).toThrow(/superquadric: exponent e1 is 2; .*octahedron/)
    expect(() => new Superquadric([1, 1, 1], [1, 0.01])).toThrow(ShapeError)
    expect(() => new Ellipsoid([1, -1, 1])).toThrow(/ellipsoid: radius y is -1/)
  })
})

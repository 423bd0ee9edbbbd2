/** The support function of a superquadric: its gradient is the support point, and its second derivatives are the change of this point with the direction. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DualNorm } from '../../../../core/collision/curved/dual-norm'
import { dot, normalize, type Vec3 } from '../../../../core/math/vector'

const share = fc.double({ min: 0.15, max: 1, noNaN: true })
/** In every octant, away from the planes of the axes, where curvatures of sharp exponents have no bound. */
const direction = fc.tuple(share, share, share, fc.boolean(), fc.boolean(), fc.boolean())
  .map(([x, y, z, a, b, c]): Vec3 => normalize([a ? -x : x, b ? -y : y, c ? -z : z]))
const exponent = fc.double({ min: 0.4, max: 1.6, noNaN: true })
const axis = fc.double({ min: 0.3, max: 3, noNaN: true })

it('has the second derivatives of its point, in every octant', () => {
  fc.assert(fc.property(fc.tuple(axis, axis, axis), fc.tuple(exponent, exponent), direction, direction, direction, (axes, exponents, n, u, v) => {
    const norm = new DualNorm(axes, exponents)
    const at = (h: number): Vec3 => {
      norm.point(n[0] + h * v[0], n[1] + h * v[1], n[2] + h * v[2])
      return [norm.x, norm.y, norm.z]
    }
    const h = 1e-5
    const [more, less] = [at(h), at(-h)]
    const change = more.map((value, k) => (value - less[k]!) / (2 * h)) as unknown as Vec3
    const scale = Math.max(...change.map(Math.abs), 1)
    expect(Math.abs(norm.second(...n, ...u, ...v) - dot(u, change))).toBeLessThanOrEqual(1e-6 * scale)
    // Homogeneous of degree 1: the Hessian is zero along the direction, and symmetric.
    expect(Math.abs(norm.second(...n, ...u, ...n))).toBeLessThanOrEqual(1e-9 * scale)
    expect(Math.abs(norm.second(...n, ...u, ...v) - norm.second(...n, ...v, ...u))).toBeLessThanOrEqual(1e-12 * scale)
  }), { numRuns: 300 })
})

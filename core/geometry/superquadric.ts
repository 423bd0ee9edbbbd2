/**
 * Superquadrics (superellipsoids): (|x/a|^(2/e₂) + |y/b|^(2/e₂))^(e₂/e₁) + |z/c|^(2/e₁) = 1.
 *
 * The gauge is a norm within a norm, with powers p₂ = 2/e₂ and p₁ = 2/e₁. So the support function is the dual norm, with powers q = p/(p − 1) = 2/(2 − e),
 * and the point with a given normal needs no iteration. Exponents below 1 give flat spots where an axis meets the surface (curvature 0); exponents above 1
 * give sharp ones (curvature ∞). The exponent 2 is the octahedron, which has corners and is excluded here, as any polyhedron is.
 */

import { exp, log, pow } from '../math/elementary'
import { diagonal, type Mat3 } from '../math/matrix'
import { length, type Vec3 } from '../math/vector'
import { requirePositive, ShapeError, type Bounds, type MassProperties } from './shape'
import type { SmoothPrimitive } from './smooth'

/** Largest exponent: at 2 the solid is an octahedron, which is not smooth. */
const MAX_EXPONENT = 1.999
const MIN_EXPONENT = 0.05
/** Lower bound of ratios, so that infinite curvatures and flat spots stay finite. */
const TINY = 1e-100

export class Superquadric implements SmoothPrimitive {
  readonly kind = 'superquadric'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties

  /** `radii`: semi-axes a, b, c, m. `exponents`: [e₁, e₂]. */
  constructor(readonly radii: Vec3, readonly exponents: readonly [number, number]) {
    radii.forEach((r, axis) => requirePositive('superquadric', `radius ${'xyz'[axis]}`, r))
    exponents.forEach((e, i) => {
      if (!(e >= MIN_EXPONENT && e <= MAX_EXPONENT)) {
        throw new ShapeError('superquadric', 'outOfRange',
          `exponent e${i + 1} is ${e}; it has to lie between ${MIN_EXPONENT} and ${MAX_EXPONENT}`
          + (e === 2 ? ' (2 is an octahedron: use a convexHull)' : ''))
      }
    })
    const [a, b, c] = radii
    this.bounds = { min: [-a, -b, -c], max: [a, b, c] }
    this.radius = farthestPoint(radii, exponents)
    this.coreRadius = this.radius
    this.massProperties = superquadricMass(radii, exponents)
  }

  support(m: Vec3): Vec3 {
    const { sx, sy, sz, hR, hZ, rx, ry } = this.dual(m)
    const [a, b, c] = this.radii
    return [a * sx * hR * rx, b * sy * hR * ry, c * sz * hZ]
  }

  supportHessian(m: Vec3): Mat3 {
    const { sx, sy, sz, h, r, nx, ny, nz, hR, hZ, rx, ry, outerPower, innerPower } = this.dual(m)
    const [a, b, c] = this.radii
    const second = (power: number, ratio: number, scale: number): number =>
      (power - 1) / scale * (pow(Math.max(ratio, TINY), power - 2) - pow(ratio, 2 * power - 2))
    const hRR = second(outerPower, r / h, h)
    const hZZ = second(outerPower, nz / h, h)
    const hRZ = -(outerPower - 1) / h * hR * hZ
    const rxx = second(innerPower, nx / r, r)
    const ryy = second(innerPower, ny / r, r)
    const rxy = -(innerPower - 1) / r * rx * ry
    const xx = a * a * (hRR * rx * rx + hR * rxx)
    const yy = b * b * (hRR * ry * ry + hR * ryy)
    const zz = c * c * hZZ
    const xy = a * b * sx * sy * (hRR * rx * ry + hR * rxy)
    const xz = a * c * sx * sz * hRZ * rx
    const yz = b * c * sy * sz * hRZ * ry
    return [xx, xy, xz, xy, yy, yz, xz, yz, zz]
  }

  /** The dual norm and its first derivatives at scaled direction (a m_x, b m_y, c m_z): h of (r, |z|), r of (|x|, |y|). */
  private dual(m: Vec3) {
    const [a, b, c] = this.radii
    const [e1, e2] = this.exponents
    const outerPower = 2 / (2 - e1)
    const innerPower = 2 / (2 - e2)
    const [nx, ny, nz] = [Math.abs(a * m[0]), Math.abs(b * m[1]), Math.abs(c * m[2])]
    const size = Math.max(nx, ny, nz)
    const r = Math.max(norm(nx, ny, innerPower), TINY * size)
    const h = norm(r, nz, outerPower)
    return {
      nx, ny, nz, r, h, outerPower, innerPower,
      sx: m[0] < 0 ? -1 : 1, sy: m[1] < 0 ? -1 : 1, sz: m[2] < 0 ? -1 : 1,
      hR: pow(r / h, outerPower - 1), hZ: pow(nz / h, outerPower - 1),
      rx: pow(nx / r, innerPower - 1), ry: pow(ny / r, innerPower - 1),
    }
  }
}

/** (x^p + y^p)^(1/p) for x, y ≥ 0, without overflow. */
function norm(x: number, y: number, p: number): number {
  const [low, high] = x < y ? [x, y] : [y, x]
  return high === 0 ? 0 : high * pow(1 + pow(low / high, p), 1 / p)
}

/** Upper bound of the distance from the centre, m. */
function farthestPoint([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): number {
  // (x/a)² + (y/b)² + (z/c)² is at most 1 for exponents of at least 1; below 1 the inequality of power means gives 2^(1
  // − e₂) 2^(1 − e₁).
  const across = e2 < 1 ? pow(2, 1 - e2) : 1
  const along = e1 < 1 ? pow(2, 1 - e1) : 1
  const ellipsoidal = Math.max(a, b, c) * Math.sqrt(across * along)
  return Math.min(length([a, b, c]), ellipsoidal)
}

function superquadricMass([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): MassProperties {
  const volume = 2 * a * b * c * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2)
  const across = a * b * c * e1 * e2 / 2 * beta(1.5 * e2, e2 / 2) * beta(e1 / 2, 2 * e1 + 1)
  const [xx, yy] = [a * a * across, b * b * across]
  const zz = c * c * a * b * c * e1 * e2 * beta(e2 / 2, e2 / 2) * beta(1.5 * e1, e1 + 1)
  return { volume, centroid: [0, 0, 0], inertia: diagonal(yy + zz, zz + xx, xx + yy) }
}

function beta(x: number, y: number): number {
  return exp(logGamma(x) + logGamma(y) - logGamma(x + y))
}

/** ln Γ(x), x > 0: Stirling's series at an argument large enough for double precision, reached by Γ(x) = Γ(x + n) / (x (x + 1) …). */
function logGamma(x: number): number {
  let product = 1
  let z = x
  while (z < 15) {
    product *= z
    z++
  }
  const w = 1 / (z * z)
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - w * 691 / 360360))))) / z
  return (z - 0.5) * log(z) - z + 0.9189385332046727 + series - log(product)
}

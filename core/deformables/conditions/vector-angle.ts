/**
 * The angle φ between two vectors a and b, with derivatives:
 *
 *   ∂φ/∂a = −p_a / |a|,  p_a = (b̂ − cos φ â) / sin φ        ∂φ/∂b = −p_b / |b|,  p_b = (â − cos φ b̂) / sin φ
 *   ∂²φ/∂a²  = (cot φ n nᵀ + â p_aᵀ + p_a âᵀ) / |a|²,   n = â × b̂ / sin φ
 *   ∂²φ/∂a∂b = −n nᵀ / (sin φ |a| |b|)
 *
 * For parallel a and b the angle is not differentiable; sin φ is bounded away from 0 so that the results are finite.
 */

import { atan2 } from '../../math/elementary'
import { addOuter, addUnit } from './flat'

/** Sine of an angle below which the plane of the angle is undetermined by rounding. */
export const PARALLEL = 1e-9

export interface VectorAngle {
  phi: number
  sine: number
  cosine: number
  lengthA: number
  lengthB: number
  /** Unit vectors, 3 each. */
  readonly a: Float64Array
  readonly b: Float64Array
  readonly pa: Float64Array
  readonly pb: Float64Array
  readonly n: Float64Array
}

export function vectorAngle(): VectorAngle {
  const three = (): Float64Array => new Float64Array(3)
  return { phi: 0, sine: 0, cosine: 0, lengthA: 0, lengthB: 0, a: three(), b: three(), pa: three(), pb: three(), n: three() }
}

/** Computes all quantities for a = (ax, ay, az) and b, both non-zero. */
export function measureAngle(out: VectorAngle, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
  const { a, b, pa, pb, n } = out
  const la = Math.max(Math.sqrt(ax * ax + ay * ay + az * az), Number.MIN_VALUE)
  const lb = Math.max(Math.sqrt(bx * bx + by * by + bz * bz), Number.MIN_VALUE)
  out.lengthA = la
  out.lengthB = lb
  a[0] = ax / la
  a[1] = ay / la
  a[2] = az / la
  b[0] = bx / lb
  b[1] = by / lb
  b[2] = bz / lb
  n[0] = a[1]! * b[2]! - a[2]! * b[1]!
  n[1] = a[2]! * b[0]! - a[0]! * b[2]!
  n[2] = a[0]! * b[1]! - a[1]! * b[0]!
  const exact = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!)
  const cosine = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
  const sine = Math.max(exact, PARALLEL)
  out.phi = atan2(exact, cosine)
  out.sine = sine
  out.cosine = cosine
  for (let k = 0; k < 3; k++) {
    n[k]! /= sine
    pa[k] = (b[k]! - cosine * a[k]!) / sine
    pb[k] = (a[k]! - cosine * b[k]!) / sine
  }
}

/** Adds s ∂²φ/∂a² (`second` false) or s ∂²φ/∂b² to the block at (r, c). */
export function addSquare(H: Float64Array, width: number, r: number, c: number, s: number, angle: VectorAngle, second: boolean): void {
  const length = second ? angle.lengthB : angle.lengthA
  const u = second ? angle.b : angle.a
  const p = second ? angle.pb : angle.pa
  const { n } = angle
  const over = s / (length * length)
  addOuter(H, width, r, c, (over * angle.cosine) / angle.sine, n[0]!, n[1]!, n[2]!, n[0]!, n[1]!, n[2]!)
  addOuter(H, width, r, c, over, u[0]!, u[1]!, u[2]!, p[0]!, p[1]!, p[2]!)
  addOuter(H, width, r, c, over, p[0]!, p[1]!, p[2]!, u[0]!, u[1]!, u[2]!)
}

/** Adds s ∂²φ/∂a∂b, which is symmetric. */
export function addMixed(H: Float64Array, width: number, r: number, c: number, s: number, { n, sine, lengthA, lengthB }: VectorAngle): void {
  addOuter(H, width, r, c, -s / (sine * lengthA * lengthB), n[0]!, n[1]!, n[2]!, n[0]!, n[1]!, n[2]!)
}

/** Adds s (I − u uᵀ), the curvature of a length along the unit vector u. */
export function addAcross(H: Float64Array, width: number, r: number, c: number, s: number, u: Float64Array): void {
  addUnit(H, width, r, c, s)
  addOuter(H, width, r, c, -s, u[0]!, u[1]!, u[2]!, u[0]!, u[1]!, u[2]!)
}

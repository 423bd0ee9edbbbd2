/**
 * Smooth solids as black boxes [Baraff92 §5.2, app. A]: an implicit function or a parametric one with first and second derivatives, written by hand,
 * as a reference for the search by direction and for the formulas.
 */

import { Ellipsoid } from '../../../../core/geometry/ellipsoid'
import type { SmoothPrimitive } from '../../../../core/geometry/smooth'
import type { Sphere } from '../../../../core/geometry/sphere'
import { Superquadric } from '../../../../core/geometry/superquadric'
import { atan2, cos, hypot, pow, sin } from '../../../../core/math/elementary'
import { diagonal, type Mat3 } from '../../../../core/math/matrix'
import type { Vec3 } from '../../../../core/math/vector'

/** F < 0 inside, 0 on the surface, > 0 outside; ∇F points outwards. In the shape's frame. */
export interface ImplicitSurface {
  value(p: Vec3): number
  gradient(p: Vec3): Vec3
  /** ∇²F, symmetric. */
  hessian(p: Vec3): Mat3
}

/** S and its partial derivatives at (u, v). */
export interface SurfacePatch {
  readonly point: Vec3
  readonly u: Vec3
  readonly v: Vec3
  readonly uu: Vec3
  readonly uv: Vec3
  readonly vv: Vec3
}

/** S(u, v) over a rectangle of parameters, with S_u × S_v pointing outwards. In the shape's frame. */
export interface ParametricSurface {
  readonly domain: { readonly u: readonly [number, number], readonly v: readonly [number, number] }
  at(u: number, v: number): SurfacePatch
  /** Parameters of a point of the surface. */
  parameters(p: Vec3): readonly [number, number]
}

/** Ratios below this are taken as this. */
const TINY = 1e-100

export function implicitOf(shape: SmoothPrimitive): ImplicitSurface {
  return shape instanceof Superquadric ? superquadricImplicit(shape.radii, shape.exponents) : ellipsoidImplicit(radiiOf(shape))
}

export function parametricOf(shape: SmoothPrimitive): ParametricSurface {
  return shape instanceof Superquadric ? superquadricParametric(shape.radii, shape.exponents) : ellipsoidParametric(radiiOf(shape))
}

function radiiOf(shape: SmoothPrimitive): Vec3 {
  if (shape instanceof Ellipsoid) return shape.radii
  const { radius } = shape as Sphere
  return [radius, radius, radius]
}

function ellipsoidImplicit([a, b, c]: Vec3): ImplicitSurface {
  const hessian = diagonal(2 / (a * a), 2 / (b * b), 2 / (c * c))
  return {
    value: ([x, y, z]) => (x / a) * (x / a) + (y / b) * (y / b) + (z / c) * (z / c) - 1,
    gradient: ([x, y, z]) => [2 * x / (a * a), 2 * y / (b * b), 2 * z / (c * c)],
    hessian: () => hessian,
  }
}

function ellipsoidParametric([a, b, c]: Vec3): ParametricSurface {
  return {
    // u from the south pole to the north, v around; u before v turns the normal inwards, so v runs clockwise.
    domain: { u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI] },
    at: (u, v) => {
      const [cu, su, cv, sv] = [cos(u), sin(u), cos(v), -sin(v)]
      return {
        point: [a * cu * cv, b * cu * sv, c * su],
        u: [-a * su * cv, -b * su * sv, c * cu],
        v: [a * cu * sv, -b * cu * cv, 0],
        uu: [-a * cu * cv, -b * cu * sv, -c * su],
        uv: [-a * su * sv, b * su * cv, 0],
        vv: [-a * cu * cv, -b * cu * sv, 0],
      }
    },
    parameters: ([x, y, z]) => [atan2(z / c, hypot(x / a, y / b)), atan2(-y / b, x / a)],
  }
}

function superquadricImplicit([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): ImplicitSurface {
  const inner = 2 / e2
  const outer = e2 / e1
  const axial = 2 / e1
  const parts = ([x, y, z]: Vec3) => {
    const [X, Y, Z] = [Math.abs(x) / a, Math.abs(y) / b, Math.abs(z) / c]
    return { X, Y, Z, sum: Math.max(pow(X, inner) + pow(Y, inner), TINY) }
  }
  const power = (base: number, p: number): number => pow(Math.max(base, TINY), p)
  return {
    value: p => {
      const { Z, sum } = parts(p)
      return pow(sum, outer) + pow(Z, axial) - 1
    },
    gradient: p => {
      const { X, Y, Z, sum } = parts(p)
      const common = outer * inner * power(sum, outer - 1)
      return [
        Math.sign(p[0]) * common * pow(X, inner - 1) / a,
        Math.sign(p[1]) * common * pow(Y, inner - 1) / b,
        Math.sign(p[2]) * axial * pow(Z, axial - 1) / c,
      ]
    },
    hessian: p => {
      const { X, Y, Z, sum } = parts(p)
      const once = outer * inner * power(sum, outer - 1)
      const twice = outer * (outer - 1) * inner * inner * power(sum, outer - 2)
      const [gx, gy] = [pow(X, inner - 1), pow(Y, inner - 1)]
      const xx = (twice * gx * gx + once * (inner - 1) * power(X, inner - 2)) / (a * a)
      const yy = (twice * gy * gy + once * (inner - 1) * power(Y, inner - 2)) / (b * b)
      const xy = Math.sign(p[0]) * Math.sign(p[1]) * twice * gx * gy / (a * b)
      return [xx, xy, 0, xy, yy, 0, 0, 0, axial * (axial - 1) * power(Z, axial - 2) / (c * c)]
    },
  }
}

/** S = (a C(u, e₁) C(v, e₂), b C(u, e₁) S(v, e₂), c S(u, e₁)) with signed powers of cosines and sines. */
function superquadricParametric([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): ParametricSurface {
  return {
    domain: { u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI] },
    at: (u, v) => {
      const C = signedPower(cos(u), -sin(u), -cos(u), e1)
      const S = signedPower(sin(u), cos(u), -sin(u), e1)
      const P = signedPower(cos(v), -sin(v), -cos(v), e2)
      const Q = signedPower(-sin(v), -cos(v), sin(v), e2)
      return {
        point: [a * C[0] * P[0], b * C[0] * Q[0], c * S[0]],
        u: [a * C[1] * P[0], b * C[1] * Q[0], c * S[1]],
        v: [a * C[0] * P[1], b * C[0] * Q[1], 0],
        uu: [a * C[2] * P[0], b * C[2] * Q[0], c * S[2]],
        uv: [a * C[1] * P[1], b * C[1] * Q[1], 0],
        vv: [a * C[0] * P[2], b * C[0] * Q[2], 0],
      }
    },
    parameters: ([x, y, z]) => {
      const [X, Y] = [pow(Math.abs(x) / a, 1 / e2), pow(Math.abs(y) / b, 1 / e2)]
      const around = pow(X * X + Y * Y, e2 / 2)
      return [
        atan2(Math.sign(z) * pow(Math.abs(z) / c, 1 / e1), pow(around, 1 / e1)),
        atan2(-Math.sign(y) * Y, Math.sign(x) * X),
      ]
    },
  }
}

/** sgn(f)|f|^e with its first two derivatives, given f, f′, f″. */
function signedPower(f: number, df: number, ddf: number, e: number): readonly [number, number, number] {
  const magnitude = Math.max(Math.abs(f), TINY)
  const first = e * pow(magnitude, e - 1)
  return [Math.sign(f) * pow(Math.abs(f), e), first * df, Math.sign(f) * e * (e - 1) * pow(magnitude, e - 2) * df * df + first * ddf]
}

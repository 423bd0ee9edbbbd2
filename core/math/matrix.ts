/** 3 × 3 matrices, row-major, as plain tuples. */

import type { Vec3 } from './vector'

export type Mat3 = readonly [number, number, number, number, number, number, number, number, number]

export const IDENTITY: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1]

export function diagonal(x: number, y: number, z: number): Mat3 {
  return [x, 0, 0, 0, y, 0, 0, 0, z]
}

/** The symmetric matrix with the given elements, in the order of a scene's `inertia`: xx yy zz xy xz yz. */
export function symmetric(xx: number, yy: number, zz: number, xy: number, xz: number, yz: number): Mat3 {
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz]
}

/** `M v`. */
export function transform(m: Mat3, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ]
}

/** `Mᵀ v`. */
export function transformTransposed(m: Mat3, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
    m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
    m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
  ]
}

export function transpose(m: Mat3): Mat3 {
  return [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
}

export function multiply(a: Mat3, b: Mat3): Mat3 {
  return [
    a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
    a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
    a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
    a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
    a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
    a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
    a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
    a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
    a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
  ]
}

export function addMatrices(a: Mat3, b: Mat3): Mat3 {
  return [
    a[0] + b[0], a[1] + b[1], a[2] + b[2],
    a[3] + b[3], a[4] + b[4], a[5] + b[5],
    a[6] + b[6], a[7] + b[7], a[8] + b[8],
  ]
}

export function scaleMatrix(a: Mat3, s: number): Mat3 {
  return [a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s, a[6] * s, a[7] * s, a[8] * s]
}

/** `v wᵀ`. */
export function outer(v: Vec3, w: Vec3): Mat3 {
  return [
    v[0] * w[0], v[0] * w[1], v[0] * w[2],
    v[1] * w[0], v[1] * w[1], v[1] * w[2],
    v[2] * w[0], v[2] * w[1], v[2] * w[2],
  ]
}

/** The matrix `[v]×` with `[v]× w = v × w`. */
export function crossMatrix(v: Vec3): Mat3 {
  return [0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0]
}

export function determinant(m: Mat3): number {
  return (
    m[0] * (m[4] * m[8] - m[5] * m[7]) -
    m[1] * (m[3] * m[8] - m[5] * m[6]) +
    m[2] * (m[3] * m[7] - m[4] * m[6])
  )
}

/** `M⁻¹` by cofactors; infinite or NaN elements if `M` is singular, so callers must check the determinant if this is possible. */
export function inverse(m: Mat3): Mat3 {
  const s = 1 / determinant(m)
  return [
    (m[4] * m[8] - m[5] * m[7]) * s, (m[2] * m[7] - m[1] * m[8]) * s, (m[1] * m[5] - m[2] * m[4]) * s,
    (m[5] * m[6] - m[3] * m[8]) * s, (m[0] * m[8] - m[2] * m[6]) * s, (m[2] * m[3] - m[0] * m[5]) * s,
    (m[3] * m[7] - m[4] * m[6]) * s, (m[1] * m[6] - m[0] * m[7]) * s, (m[0] * m[4] - m[1] * m[3]) * s,
  ]
}

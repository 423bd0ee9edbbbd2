/**
 * Vectors of three-space as plain tuples, with pure functions.
 *
 * Clarity has priority here: inner loops without allocation use flat `Float64Array`s instead (see `core/contact` and `core/lcp`).
 */

export type Vec3 = readonly [number, number, number]

export const ZERO: Vec3 = [0, 0, 0]
export const UNIT_X: Vec3 = [1, 0, 0]
export const UNIT_Y: Vec3 = [0, 1, 0]
export const UNIT_Z: Vec3 = [0, 0, 1]

export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function sub(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function scale(a: Vec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s]
}

export function negate(a: Vec3): Vec3 {
  return [-a[0], -a[1], -a[2]]
}

/** `a + s b`. */
export function addScaled(a: Vec3, b: Vec3, s: number): Vec3 {
  return [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/** `a + s (b − a)`. */
export function lerp(a: Vec3, b: Vec3, s: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s]
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function lengthSquared(a: Vec3): number {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
}

export function length(a: Vec3): number {
  return Math.sqrt(lengthSquared(a))
}

export function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt(distanceSquared(a, b))
}

export function distanceSquared(a: Vec3, b: Vec3): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return x * x + y * y + z * z
}

/** `a / |a|`; the zero vector stays zero, so callers that need a direction must check first. */
export function normalize(a: Vec3): Vec3 {
  const l = length(a)
  return l > 0 ? [a[0] / l, a[1] / l, a[2] / l] : ZERO
}

export function min(a: Vec3, b: Vec3): Vec3 {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.min(a[2], b[2])]
}

export function max(a: Vec3, b: Vec3): Vec3 {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])]
}

/** A unit vector normal to the unit vector `n`: deterministic, and continuous except where the smallest component of `n` changes. */
export function perpendicular(n: Vec3): Vec3 {
  const ax = Math.abs(n[0])
  const ay = Math.abs(n[1])
  const az = Math.abs(n[2])
  const axis: Vec3 = ax <= ay && ax <= az ? UNIT_X : ay <= az ? UNIT_Y : UNIT_Z
  return normalize(cross(n, axis))
}

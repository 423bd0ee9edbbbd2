/** A curve with its parameter u, position and three derivatives, and functions for a bead: closest point and arc length. */

import { dot, length, lengthSquared, sub, type Vec3 } from '../../math/vector'

/** Position, m, and its derivatives with respect to u. */
export interface CurvePoint {
  readonly position: Vec3
  readonly first: Vec3
  readonly second: Vec3
  readonly third: Vec3
}

export interface Curve {
  at(u: number): CurvePoint
  /** Parameters that cut the curve into pieces simple enough for one minimum of the distance, from which a search starts. */
  readonly pieces: readonly number[]
  /** Longest stretch of u over which |S′| is smooth enough for one quadrature. */
  readonly stretch: number
}

/** The curve under a rigid map of points and the rotation of that map. */
export function mapCurve(curve: Curve, point: (p: Vec3) => Vec3, direction: (d: Vec3) => Vec3): Curve {
  return {
    pieces: curve.pieces,
    stretch: curve.stretch,
    at(u) {
      const { position, first, second, third } = curve.at(u)
      return { position: point(position), first: direction(first), second: direction(second), third: direction(third) }
    },
  }
}

/** Limit of Newton steps for (p − S)·S′ = 0; from a good start convergence is quadratic. */
const MAX_NEWTON = 30
/** A convex Newton step shorter than this, × stretch, is accepted without checking that it decreases the distance. */
const NEWTON_TRUST = 1e-4
/** A step shorter than this, × stretch, is the last one: the next would be its square, below rounding. */
const LAST_STEP = 1e-9

/**
 * Parameter of the curve's point closest to `point` near `start`: Newton's method for (p − S)·S′ = 0. A step that does not come closer is halved.
 */
export function closestParameter(curve: Curve, point: Vec3, start: number): number {
  let u = start
  let here = curve.at(u)
  let distance2 = lengthSquared(sub(point, here.position))
  for (let i = 0; i < MAX_NEWTON; i++) {
    const e = sub(point, here.position)
    const speed2 = lengthSquared(here.first)
    const curvature = speed2 - dot(e, here.second)
    // Beyond the centre of curvature the distance is not convex: the curvature term is omitted there.
    const convex = curvature > 0.1 * speed2
    let step = dot(e, here.first) / (convex ? curvature : speed2)
    // A formula may have no value beyond its range.
    if (!Number.isFinite(step)) return u
    // Such a small step does not change distances; Newton's own convergence decides.
    const trusted = convex && Math.abs(step) < NEWTON_TRUST * curve.stretch
    if (trusted && Math.abs(step) <= LAST_STEP * curve.stretch) return u + step
    for (;;) {
      const there = curve.at(u + step)
      const moved2 = lengthSquared(sub(point, there.position))
      if (trusted || moved2 <= distance2) {
        u += step
        here = there
        distance2 = moved2
        break
      }
      if (u + step === u) return u
      step /= 2
    }
  }
  return u
}

/** The closest parameter of the whole curve: the best of the searches from every piece. */
export function closestOfAll(curve: Curve, point: Vec3): number {
  let best = 0
  let least = Infinity
  const { pieces } = curve
  for (let i = 0; i + 1 < pieces.length; i++) {
    const u = closestParameter(curve, point, (pieces[i]! + pieces[i + 1]!) / 2)
    const d = lengthSquared(sub(point, curve.at(u).position))
    if (d < least) {
      least = d
      best = u
    }
  }
  return best
}

/** Nodes and weights of eight-point Gauss–Legendre quadrature on [−1, 1]; symmetric. */
const GAUSS = [
  [0.1834346424956498, 0.362683783378362], [0.525532409916329, 0.3137066458778873],
  [0.7966664774136267, 0.2223810344533745], [0.9602898564975363, 0.1012285362903763],
] as const
/** ∫ |S′| du from u₀ to u₁, m; negative backwards. */
export function arcLength(curve: Curve, u0: number, u1: number): number {
  const count = Math.max(1, Math.ceil(Math.abs(u1 - u0) / curve.stretch))
  const half = (u1 - u0) / (2 * count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    const middle = u0 + (2 * i + 1) * half
    for (const [node, weight] of GAUSS) {
      sum += weight * (length(curve.at(middle + node * half).first) + length(curve.at(middle - node * half).first))
    }
  }
  return sum * half
}

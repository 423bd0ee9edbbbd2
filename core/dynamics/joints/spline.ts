import { addScaled, distance, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { Curve, CurvePoint } from './parametric-curve'

/**
 * The interpolating cubic spline through points, with the chord length as parameter (m): natural at its ends, beyond which it continues straight, or
 * periodic if closed.
 *
 * On a piece of length h with second derivatives M₀, M₁ at its ends, S = P₀ + s D + s²/2 M₀ + s³/(6h) (M₁ − M₀),  D = (P₁ − P₀)/h − h/6 (2 M₀ + M₁).
 *
 * @throws RangeError if two neighbouring points coincide or there are too few
 */
export function splineCurve(points: readonly Vec3[], closed: boolean): Curve {
  const least = closed ? 3 : 2
  if (points.length < least) throw new RangeError(`a ${closed ? 'closed ' : ''}spline needs at least ${least} points`)
  const knots = closed ? [...points, points[0]!] : [...points]
  const h = knots.slice(1).map((p, i) => distance(p, knots[i]!))
  const short = h.findIndex(length => !(length > 0))
  if (short >= 0) throw new RangeError(`points ${short} and ${(short + 1) % points.length} of the spline coincide`)
  const slopes = h.map((length, i) => scale(sub(knots[i + 1]!, knots[i]!), 1 / length))
  const M = closed ? periodicMoments(h, slopes) : naturalMoments(h, slopes)
  const starts = [0]
  for (const length of h) starts.push(starts[starts.length - 1]! + length)
  const total = starts[starts.length - 1]!

  const piece = (i: number, s: number): CurvePoint => {
    const m0 = M[i]!
    const jump = scale(sub(M[i + 1]!, m0), 1 / h[i]!)
    const d = addScaled(addScaled(slopes[i]!, m0, -h[i]! / 3), M[i + 1]!, -h[i]! / 6)
    return {
      position: addScaled(addScaled(addScaled(knots[i]!, d, s), m0, s * s / 2), jump, s * s * s / 6),
      first: addScaled(addScaled(d, m0, s), jump, s * s / 2),
      second: addScaled(m0, jump, s),
      third: jump,
    }
  }
  const straight = (end: CurvePoint, s: number): CurvePoint =>
    ({ position: addScaled(end.position, end.first, s), first: end.first, second: ZERO, third: ZERO })

  return {
    stretch: Math.min(...h),
    pieces: starts.flatMap((u, i) => (i < h.length ? [u, u + h[i]! / 2] : [u])),
    at(u) {
      const x = closed ? u - total * Math.floor(u / total) : u
      if (x < 0) return straight(piece(0, 0), x)
      if (x > total) return straight(piece(h.length - 1, h[h.length - 1]!), x - total)
      const i = pieceAt(starts, x)
      return piece(i, x - starts[i]!)
    },
  }
}

/** The piece that holds x, by bisection. */
function pieceAt(starts: readonly number[], x: number): number {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= x) low = middle
    else high = middle
  }
  return low
}

/** Second derivatives at the knots, zero at both ends: the tridiagonal system hᵢ₋₁Mᵢ₋₁ + 2(hᵢ₋₁ + hᵢ)Mᵢ + hᵢMᵢ₊₁ = 6(slopeᵢ − slopeᵢ₋₁). */
function naturalMoments(h: readonly number[], slopes: readonly Vec3[]): Vec3[] {
  const n = h.length
  const inner = tridiagonal(
    h.slice(0, -1), h.slice(0, -1).map((left, i) => 2 * (left + h[i + 1]!)), h.slice(1),
    slopes.slice(1).map((slope, i) => scale(sub(slope, slopes[i]!), 6)))
  return n === 1 ? [ZERO, ZERO] : [ZERO, ...inner, ZERO]
}

/** The cyclic system, by the rank-one correction of Sherman and Morrison. */
function periodicMoments(h: readonly number[], slopes: readonly Vec3[]): Vec3[] {
  const n = h.length
  const before = (i: number) => (i + n - 1) % n
  const lower = h.map((_, i) => h[before(i)]!)
  const right = slopes.map((slope, i) => scale(sub(slope, slopes[before(i)]!), 6))
  const diagonal = h.map((length, i) => 2 * (length + lower[i]!))
  const corner = lower[0]!
  const gamma = -diagonal[0]!
  const changed = diagonal.map((d, i) => (i === 0 ? d - gamma : i === n - 1 ? d - (corner * corner) / gamma : d))
  const unit = h.map((_, i): Vec3 => (i === 0 ? [gamma, 0, 0] : i === n - 1 ? [corner, 0, 0] : ZERO))
  const y = tridiagonal(lower, changed, h, right)
  const z = tridiagonal(lower, changed, h, unit).map(v => v[0])
  const weight = 1 / (1 + z[0]! + (corner * z[n - 1]!) / gamma)
  const factor = scale(addScaled(y[0]!, y[n - 1]!, corner / gamma), weight)
  const moments = y.map((v, i) => addScaled(v, factor, -z[i]!))
  return [...moments, moments[0]!]
}

/** Thomas's elimination; diagonally dominant systems only. `lower[0]` and the last of `upper` are not read. */
function tridiagonal(lower: readonly number[], diagonal: readonly number[], upper: readonly number[], right: readonly Vec3[]): Vec3[] {
  const n = diagonal.length
  const d = [...diagonal]
  const x = [...right]
  for (let i = 1; i < n; i++) {
    const w = lower[i]! / d[i - 1]!
    d[i] = d[i]! - w * upper[i - 1]!
    x[i] = addScaled(x[i]!, x[i - 1]!, -w)
  }
  for (let i = n - 1; i >= 0; i--) {
    const rest = i + 1 < n ? addScaled(x[i]!, x[i + 1]!, -upper[i]!) : x[i]!
    x[i] = scale(rest, 1 / d[i]!)
  }
  return x
}

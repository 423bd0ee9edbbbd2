/** Points along the curve of a bead on a wire, for drawing; world frame, at the initial pose. */

import type { Curve } from '../../../core/scene'
import { add, addScaled, cross, distance, normalize, perpendicular, scale, type Vec3 } from '../../../core/math/vector'

const TURN = 2 * Math.PI
/** m: how much is drawn of an endless line, each way; and turns of an endless helix. */
const REACH = 10
const HELIX_TURNS = 6

export function curvePoints(curve: Curve): Vec3[] {
  switch (curve.type) {
    case 'line': {
      const along = normalize(curve.direction)
      return [addScaled(curve.point, along, -REACH), addScaled(curve.point, along, REACH)]
    }
    case 'circle': {
      const normal = normalize(curve.normal)
      const u = perpendicular(normal)
      return ellipse(curve.center, scale(u, curve.radius), scale(cross(normal, u), curve.radius))
    }
    case 'ellipse': return ellipse(curve.center, curve.semiAxisA, curve.semiAxisB)
    case 'helix': {
      const axis = normalize(curve.axis)
      const u = perpendicular(axis)
      const v = cross(axis, u)
      const count = 48 * HELIX_TURNS
      return Array.from({ length: count + 1 }, (_, i) => {
        const angle = TURN * HELIX_TURNS * (i / count - 0.5)
        const ring = add(scale(u, curve.radius * Math.cos(angle)), scale(v, curve.radius * Math.sin(angle)))
        return addScaled(add(curve.center, ring), axis, curve.pitch * angle / TURN)
      })
    }
    case 'spline': return splinePoints(curve.points, curve.closed ?? false)
  }
}

function ellipse(center: Vec3, a: Vec3, b: Vec3): Vec3[] {
  return Array.from({ length: 97 }, (_, i) => add(center, add(scale(a, Math.cos(TURN * i / 96)), scale(b, Math.sin(TURN * i / 96)))))
}

/** The interpolating cubic spline with chord-length parameter, natural at its ends or periodic, sampled 16 times a piece. */
function splinePoints(points: readonly Vec3[], closed: boolean): Vec3[] {
  const knots = closed ? [...points, points[0]!] : points
  const n = knots.length - 1
  const h = Array.from({ length: n }, (_, i) => Math.max(distance(knots[i]!, knots[i + 1]!), 1e-12))
  const second = [0, 1, 2].map(k => secondDerivatives(knots.map(p => p[k]!), h, closed))
  const out: Vec3[] = []
  for (let i = 0; i < n; i++) {
    for (let step = 0; step < 16; step++) out.push(at(i, step / 16))
  }
  out.push(knots[n]!)
  return out

  function at(i: number, s: number): Vec3 {
    const value = (k: number) => {
      const a = 1 - s
      const m = second[k]!
      return a * knots[i]![k]! + s * knots[i + 1]![k]! + ((a * a * a - a) * m[i]! + (s * s * s - s) * m[i + 1]!) * h[i]! * h[i]! / 6
    }
    return [value(0), value(1), value(2)]
  }
}

/** Second derivatives at the knots; Gauss–Seidel on the diagonally dominant system, which halves the error each sweep. */
function secondDerivatives(y: readonly number[], h: readonly number[], closed: boolean): number[] {
  const n = h.length
  const m = new Array<number>(n + 1).fill(0)
  const first = closed ? 0 : 1
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let i = first; i < n; i++) {
      const before = i === 0 ? n - 1 : i - 1
      const left = i === 0 ? y[n - 1]! : y[i - 1]!
      const slope = (y[i + 1]! - y[i]!) / h[i]! - (y[i]! - left) / h[before]!
      m[i] = (6 * slope - h[before]! * m[before]! - h[i]! * m[i + 1]!) / (2 * (h[before]! + h[i]!))
      if (closed && i === 0) m[n] = m[0]!
    }
  }
  return m
}

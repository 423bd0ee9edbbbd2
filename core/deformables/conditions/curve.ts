/**
 * A particle is on a curve: C = x − S(u) with the parameter u of the nearest point, so that C · S′ = 0. Three rows, of which two are independent.
 *
 *   ∂C/∂x = 1 − S′ ∇uᵀ,   ∇u = S′ / D,   D = |S′|² − C · S″
 *   Σ w ∇²C = −(w · S″) ∇u ∇uᵀ − (w · S′) ∇²u,   ∇²u = (S″ ∇uᵀ + ∇u S″ᵀ − (3 S′ · S″ − C · S‴) ∇u ∇uᵀ) / D
 *
 * ½ k C² is ½ k × the square of the distance. Multipliers along S′ exert no force where C = 0, and are removed.
 */

import type { Condition } from '../condition'
import { addOuter } from './flat'

/** A curve with derivatives by its parameter, 3 each. */
export interface NearCurve {
  /** Parameter of the nearest point near `start`, or of the whole curve where that is NaN. */
  nearest(x: number, y: number, z: number, start: number): number
  at(u: number): { readonly position: Triple; readonly first: Triple; readonly second: Triple; readonly third: Triple }
}

type Triple = readonly [number, number, number]

/** × |S′|²: least |S′|² − C · S″; beyond the centre of curvature the nearest point is not unique. */
const LEAST = 0.1

export function onCurveCondition(particles: Int32Array, curve: NearCurve): Condition {
  /** Parameters found last, from which the next search starts. */
  const parameters = new Float64Array(particles.length).fill(NaN)
  const gradient = new Float64Array(3)
  /** 1 / D, and C · S‴. */
  let scale = 0
  let twist = 0
  function measure(e: number, x: Float64Array): ReturnType<NearCurve['at']> {
    const i = 3 * particles[e]!
    parameters[e] = curve.nearest(x[i]!, x[i + 1]!, x[i + 2]!, parameters[e]!)
    const near = curve.at(parameters[e]!)
    const { position: s, first: t, second: b, third: c } = near
    const speed = t[0] * t[0] + t[1] * t[1] + t[2] * t[2]
    const [dx, dy, dz] = [x[i]! - s[0], x[i + 1]! - s[1], x[i + 2]! - s[2]]
    const bent = dx * b[0] + dy * b[1] + dz * b[2]
    twist = dx * c[0] + dy * c[1] + dz * c[2]
    scale = 1 / Math.max(speed - bent, LEAST * speed)
    for (let k = 0; k < 3; k++) gradient[k] = t[k]! * scale
    return near
  }
  return {
    kind: 'curve', arity: 1, vertices: particles, count: particles.length, rows: 3, convexRows: 0, parameters,
    evaluate(e, x, C, J) {
      const { position, first } = measure(e, x)
      const i = 3 * particles[e]!
      for (let r = 0; r < 3; r++) {
        C[r] = x[i + r]! - position[r]!
        for (let k = 0; k < 3; k++) J[3 * r + k] = (r === k ? 1 : 0) - first[r]! * gradient[k]!
      }
    },
    curvature(e, x, w, H) {
      const { first, second } = measure(e, x)
      const along = w[0]! * first[0] + w[1]! * first[1] + w[2]! * first[2]
      const speedUp = first[0] * second[0] + first[1] * second[1] + first[2] * second[2]
      const s = along * scale * (3 * speedUp - twist) - (w[0]! * second[0] + w[1]! * second[1] + w[2]! * second[2])
      const [a, b, c] = [gradient[0]!, gradient[1]!, gradient[2]!]
      addOuter(H, 3, 0, 0, s, a, b, c, a, b, c)
      addOuter(H, 3, 0, 0, -along * scale, second[0], second[1], second[2], a, b, c)
      addOuter(H, 3, 0, 0, -along * scale, a, b, c, second[0], second[1], second[2])
    },
    reduce(e, x, w, at) {
      const { first } = measure(e, x)
      const share = (w[at]! * first[0] + w[at + 1]! * first[1] + w[at + 2]! * first[2]) / (first[0] * first[0] + first[1] * first[1] + first[2] * first[2])
      for (let k = 0; k < 3; k++) w[at + k]! -= share * first[k]!
    },
  }
}

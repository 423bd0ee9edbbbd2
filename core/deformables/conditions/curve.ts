/**
 * A particle is on a curve: C = x − S(u) with the parameter u of the nearest point, so that C · S′ = 0. Three rows, of which two are independent.
 *
 *   ∂C/∂x = 1 − S′ ∇uᵀ,   ∇u = S′ / (|S′|² − C · S″)
 *   Σ w ∇²C = −(w · S″) ∇u ∇uᵀ − (w · S′) ∇²u
 *
 * Forces k C have w · S′ = 0, and the last term is left out. ½ k C² is then ½ k × the square of the distance, exactly.
 */

import type { Condition } from '../condition'
import { addOuter } from './flat'

/** A curve with derivatives by its parameter, 3 each. */
export interface NearCurve {
  /** Parameter of the nearest point near `start`, or of the whole curve where that is NaN. */
  nearest(x: number, y: number, z: number, start: number): number
  at(u: number): { readonly position: Triple; readonly first: Triple; readonly second: Triple }
}

type Triple = readonly [number, number, number]

/** × |S′|²: least |S′|² − C · S″; beyond the centre of curvature the nearest point is not unique. */
const LEAST = 0.1

export function onCurveCondition(particles: Int32Array, curve: NearCurve): Condition {
  /** Parameters found last, from which the next search starts. */
  const parameters = new Float64Array(particles.length).fill(NaN)
  const gradient = new Float64Array(3)
  function measure(e: number, x: Float64Array): ReturnType<NearCurve['at']> {
    const i = 3 * particles[e]!
    parameters[e] = curve.nearest(x[i]!, x[i + 1]!, x[i + 2]!, parameters[e]!)
    const near = curve.at(parameters[e]!)
    const { position: s, first: t, second: b } = near
    const speed = t[0] * t[0] + t[1] * t[1] + t[2] * t[2]
    const bent = (x[i]! - s[0]) * b[0] + (x[i + 1]! - s[1]) * b[1] + (x[i + 2]! - s[2]) * b[2]
    const scale = 1 / Math.max(speed - bent, LEAST * speed)
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
      const { second } = measure(e, x)
      const s = -(w[0]! * second[0] + w[1]! * second[1] + w[2]! * second[2])
      addOuter(H, 3, 0, 0, s, gradient[0]!, gradient[1]!, gradient[2]!, gradient[0]!, gradient[1]!, gradient[2]!)
    },
  }
}

/** Gradient and second derivatives of every condition against difference quotients, and invariance under rigid motions. */

import { describe, expect, it } from 'vitest'
import {
  angleCondition, areaCondition, bendCondition, centreCondition, coincideCondition, distanceCondition, elementWorkspace, energyOf, onCurveCondition,
  onLineCondition, onPlaneCondition, restTriangles, stageHessian,
  stretchShearCondition, turnCondition, volumeCondition, type Condition, type NearCurve,
} from '../../../../core/deformables'

/** Random numbers in (−1, 1), the same each time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
}

const one = (...values: number[]): Float64Array => Float64Array.from(values)
const all = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i)

/** (u, u²/20, 3 u³/100) with the parameter of the nearest point by Newton's method. */
const gentle: NearCurve = {
  at: u => ({ position: [u, 0.05 * u * u, 0.03 * u ** 3], first: [1, 0.1 * u, 0.09 * u * u], second: [0, 0.1, 0.18 * u], third: [0, 0, 0.18] }),
  nearest(x, y, z) {
    let u = x
    for (let k = 0; k < 50; k++) {
      const { position: p, first: t, second: b } = gentle.at(u)
      const e = [x - p[0], y - p[1], z - p[2]] as const
      const dot = (a: readonly number[], c: readonly number[]): number => a[0]! * c[0]! + a[1]! * c[1]! + a[2]! * c[2]!
      u += dot(e, t) / (dot(t, t) - dot(e, b))
    }
    return u
  },
}

const conditions: readonly Condition[] = [
  onCurveCondition(all(1), gentle),
  distanceCondition(all(2), one(0.7)), turnCondition(all(3)), angleCondition(all(3), one(0.4)), bendCondition(all(4), one(0.3)),
  stretchShearCondition(all(3), restTriangles(one(0, 0, 1.1, 0.2, 0.3, 0.9))), areaCondition(all(3), one(0.2)), volumeCondition(all(4), one(0.1)),
  coincideCondition(all(2)), centreCondition(all(4), one(1, 2, 3, 4), [0.1, 0.2, 0.3]), onPlaneCondition(all(1), one(0.6, 0, 0.8), one(0.2)), onLineCondition(all(1), [1, 2, 3], [1, 1, 0]),
]

describe.each(conditions.map(condition => [condition.kind, condition] as const))('the condition "%s"', (_kind, condition) => {
  const { arity, rows } = condition
  const width = 3 * arity
  const at = (x: Float64Array<ArrayBufferLike>): { C: Float64Array; J: Float64Array } => {
    const C = new Float64Array(rows)
    const J = new Float64Array(rows * width)
    condition.evaluate(0, x, C, J)
    return { C, J }
  }
  const configurations: Float64Array[] = Array.from({ length: 8 }, (_, seed) => Float64Array.from({ length: width }, random(seed + 1)))
  if (condition.kind === 'turn') configurations.push(one(0, 0, 0, 1, 0, 0, 2.5, 0, 0), one(0, 0, 0, 1, 0, 0, 2, 1e-4, 0), one(0, 0, 0, 1, 0, 0, 1.9, 0.45, 0), one(0, 0, 0, 1, 0, 0, 1.9, 0.41, 0))

  it('has the gradient that difference quotients have', () => {
    for (const x of configurations) {
      const { J } = at(x)
      const step = 1e-5
      for (let c = 0; c < width; c++) {
        const ahead = at(x.map((value, k) => (k === c ? value + step : value))).C
        const behind = at(x.map((value, k) => (k === c ? value - step : value))).C
        for (let r = 0; r < rows; r++) expect(Math.abs((ahead[r]! - behind[r]!) / (2 * step) - J[r * width + c]!)).toBeLessThan(1e-6 * (1 + scaleOf(J)))
      }
    }
  })

  it('has the second derivatives that difference quotients of the gradient have', () => {
    for (const x of configurations) {
      const w = Float64Array.from({ length: rows }, (_, r) => 1 + 0.3 * r)
      const H = new Float64Array(width * width)
      condition.curvature?.(0, x, w, H)
      const step = 1e-5
      for (let c = 0; c < width; c++) {
        const ahead = at(x.map((value, k) => (k === c ? value + step : value))).J
        const behind = at(x.map((value, k) => (k === c ? value - step : value))).J
        for (let i = 0; i < width; i++) {
          let quotient = 0
          for (let r = 0; r < rows; r++) quotient += (w[r]! * (ahead[r * width + i]! - behind[r * width + i]!)) / (2 * step)
          expect(Math.abs(quotient - H[i * width + c]!)).toBeLessThan(1e-5 * (1 + scaleOf(H)))
        }
      }
    }
  })

  it('gives a semidefinite matrix if requested', () => {
    const numbers = rows * condition.count
    const energy = energyOf(condition, new Float64Array(numbers).fill(3), new Float64Array(numbers).fill(0.2), 4)
    const workspace = elementWorkspace([condition])
    const next = random(77)
    for (const x of configurations) {
      stageHessian(energy, 0, x, new Float64Array(rows).fill(0.1), 0.1, true, workspace)
      for (let k = 0; k < 50; k++) {
        const v = Float64Array.from({ length: width }, next)
        let form = 0
        for (let i = 0; i < width; i++) for (let j = 0; j < width; j++) form += v[i]! * workspace.H[i * width + j]! * v[j]!
        expect(form).toBeGreaterThan(-1e-12 * scaleOf(workspace.H))
      }
    }
  })
})

function scaleOf(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

it('multipliers of a condition on a curve lose only the part that exerts no force there', () => {
  const condition = onCurveCondition(all(1), gentle)
  // On the curve; beside it a force of second order is left.
  const x = one(...gentle.at(0.5).position)
  const [C, J] = [new Float64Array(3), new Float64Array(9)]
  condition.evaluate(0, x, C, J)
  const force = (w: Float64Array): number[] => [0, 1, 2].map(k => w[0]! * J[k]! + w[1]! * J[3 + k]! + w[2]! * J[6 + k]!)
  const w = one(9, 1, 2, 3)
  const before = force(w.subarray(1))
  condition.reduce!(0, x, w, 1)
  force(w.subarray(1)).forEach((f, k) => expect(f).toBeCloseTo(before[k]!, 12))
  const { first } = gentle.at(gentle.nearest(x[0]!, x[1]!, x[2]!, NaN))
  expect(first.reduce((sum, t, k) => sum + t * w[1 + k]!, 0)).toBeCloseTo(0, 12)
  expect(w[0]).toBe(9)
})

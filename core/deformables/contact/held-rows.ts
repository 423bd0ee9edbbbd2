/** The rows of conditions that are held by multipliers [held-conditions.ts]. */

import type { Condition } from '../condition'
import type { BodyPoints } from './body-points'

export interface HeldCondition {
  readonly condition: Condition
  /** k_s, 1/s², and k_d, 1/s; null: C = 0 at the end of every step. */
  readonly feedback: { readonly stiffness: number; readonly damping: number } | null
}

/** The rows of one set of conditions, with columns of one number a row. */
export interface Rows extends HeldCondition {
  /** Number of blocks of an element, and the blocks: particles, and two for each point of a dynamic carrier. */
  readonly arity: number
  readonly vertices: Int32Array
  /** What its points are on: null if it has none. */
  readonly on: 'dynamic' | 'prescribed' | null
  readonly values: Float64Array
  /** c, in the unit of C. */
  readonly targets: Float64Array
  /** With feedback: C and Ċ at the start of the step, and Ċ at the end of the last stage. */
  readonly firsts: Float64Array
  readonly firstRates: Float64Array
  readonly rates: Float64Array
  /** λ and p: N for lengths. */
  readonly pressures: Float64Array
  readonly presses: Float64Array
  readonly kept: Float64Array
  /** ρ and σ. */
  readonly penalties: Float64Array
  readonly holds: Float64Array
  /** Derivatives with respect to the blocks at the last evaluation, rows × 3·arity an element. */
  readonly jacobians: Float64Array
}

/** Columns of zeros. Conditions on points of carriers have one element. */
export function rowsOf(one: HeldCondition, points: BodyPoints): Rows {
  const { condition, condition: { count, rows } } = one
  const isOn = [...condition.vertices].map(vertex => points.carrierOf(vertex)).filter(carrier => carrier >= 0)
  const vertices = isOn.length === 0 ? condition.vertices : Int32Array.from([...condition.vertices].flatMap(vertex => points.blocksOf(vertex)))
  const arity = vertices.length / count
  const on = isOn.length === 0 ? null : isOn.some(carrier => points.all.blocks[carrier]! >= 0) ? 'dynamic' : 'prescribed'
  const column = (): Float64Array => new Float64Array(count * rows)
  return {
    ...one, arity, vertices, on, values: column(), targets: column(), firsts: column(), firstRates: column(), rates: column(),
    pressures: column(), presses: column(), kept: column(), penalties: column(), holds: column(), jacobians: new Float64Array(count * rows * 3 * arity),
  }
}

const turn = new Float64Array(9)

/** Writes derivatives with respect to blocks, from those with respect to places: of the one element of a condition on points of carriers. */
export function writeBlocks({ condition: { rows, arity, vertices }, arity: width, jacobians }: Rows, J: Float64Array, points: BodyPoints): void {
  let slot = 0
  for (let a = 0; a < arity; a++) {
    const vertex = vertices[a]!
    const blocks = points.blocksOf(vertex).length
    if (blocks === 2) points.writeTurn(vertex, turn)
    for (let r = 0; r < rows && blocks > 0; r++) {
      const from = 3 * (r * arity + a)
      const to = 3 * (r * width + slot)
      for (let c = 0; c < 3; c++) {
        jacobians[to + c] = J[from + c]!
        if (blocks === 2) jacobians[to + 3 + c] = turn[3 * c]! * J[from]! + turn[3 * c + 1]! * J[from + 1]! + turn[3 * c + 2]! * J[from + 2]!
      }
    }
    slot += blocks
  }
}

/** Adds to H, by blocks, second derivatives `curved`, by places. The curvature of the paths of points as their carriers turn is left out, as that of ties. */
export function addCurved({ condition: { arity, vertices }, arity: width }: Rows, curved: Float64Array, points: BodyPoints, H: Float64Array): void {
  const sides = [...vertices].flatMap((vertex, a) => points.blocksOf(vertex).map((_, part) => {
    const matrix = part === 0 ? Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) : new Float64Array(9)
    if (part === 1) points.writeTurn(vertex, matrix)
    return { a, matrix }
  }))
  sides.forEach(({ a, matrix: A }, i) => {
    sides.forEach(({ a: b, matrix: B }, j) => {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          let sum = 0
          for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += A[3 * r + k]! * curved[(3 * a + k) * 3 * arity + 3 * b + l]! * B[3 * c + l]!
          H[(3 * i + r) * 3 * width + 3 * j + c]! += sum
        }
      }
    })
  })
}

/** Removes the parts of multipliers that exert no force at x. */
export function reduce({ condition, pressures }: Rows, x: Float64Array): void {
  if (condition.reduce) for (let e = 0; e < condition.count; e++) condition.reduce(e, x, pressures, e * condition.rows)
}

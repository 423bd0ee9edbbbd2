/**
 * Constraints without a solution: a body between two kinematic ones that close in on it, or conflicting joints. By Farkas' lemma either some motion
 * satisfies A j ≥ b (= b for joints), or there are weights y, ≥ 0 on unilateral rows, with A y = 0 and y · b > 0. Friction is left out: it makes
 * constraints infeasible only by wedging bodies (`wedgedIds`).
 */

import { lemke } from '../lcp/lemke'
import { ROW_EQUALITY, ROW_UNILATERAL, type ContactProblem } from '../lcp/problem'
import { rowScales } from '../lcp/scaling'
import type { Island } from './island'
import type { World } from './world'

/** |Σ A_ij f_j| ÷ Σ |A_ij f_j| below which forces hold each other. */
const BALANCED = 1e-6

/** Share of the largest weight above which a row takes part in the contradiction. */
const TAKES_PART = 1e-6

/** Weights y of conflicting rows, or null if all are compatible. */
export function contradiction({ size, A, kind }: ContactProblem, b: Float64Array, scales: Float64Array): Float64Array | null {
  const columns: { row: number; sign: number }[] = []
  for (let row = 0; row < size; row++) {
    if (kind[row] === ROW_UNILATERAL || kind[row] === ROW_EQUALITY) columns.push({ row, sign: 1 })
    if (kind[row] === ROW_EQUALITY) columns.push({ row, sign: -1 })
  }
  const n = columns.length
  const M = new Float64Array(n * n)
  columns.forEach((p, i) => columns.forEach((q, j) => {
    M[i * n + j] = p.sign * q.sign * A[p.row * size + q.row]! * scales[p.row]! * scales[q.row]!
  }))
  // M is positive semidefinite, so Lemke's algorithm terminates on a ray if and only if the rows are in conflict [Cottle, Pang and Stone 1992, §4.4].
  const { status, ray } = lemke(M, Float64Array.from(columns, ({ row, sign }) => -sign * b[row]! * scales[row]!))
  if (status !== 'ray') return null
  const weights = new Float64Array(size)
  columns.forEach(({ row, sign }, i) => { weights[row] = weights[row]! + sign * ray[i]! * scales[row]! })
  return weights
}

/** Ids of the joints and bodies with contradicting rows in `island` for the right-hand side `b`; null if there are none. */
export function contradictingIds(world: World, island: Island, b: Float64Array): string[] | null {
  const scales = rowScales(island.problem)
  const weights = contradiction(island.problem, b, scales)
  if (weights === null) return null
  return idsOf(world, island, weights.map((weight, row) => Math.abs(weight) / scales[row]!))
}

/**
 * Ids of the joints and bodies that friction wedges in `island`: the forces f, the last ones of a solver that found none, have grown until they only
 * hold each other (A f ≈ 0), although the right-hand side demands motion along them (f · b > 0). However large, forces inside the friction cones then
 * change no velocity. Null otherwise.
 */
export function wedgedIds(world: World, island: Island, f: Float64Array, b: Float64Array): string[] | null {
  const { A, size } = island.problem
  let demand = 0
  for (let i = 0; i < size; i++) {
    let sum = 0
    let terms = 0
    for (let j = 0; j < size; j++) {
      const term = A[i * size + j]! * f[j]!
      sum += term
      terms += Math.abs(term)
    }
    if (Math.abs(sum) > BALANCED * terms) return null
    demand += f[i]! * b[i]!
  }
  return demand > 0 ? idsOf(world, island, f.map(Math.abs)) : null
}

/** Ids of the joints and bodies with a considerable share of some weights, by row. */
function idsOf(world: World, island: Island, share: Float64Array): string[] {
  const least = TAKES_PART * share.reduce((largest, value) => Math.max(largest, value), 0)
  const ids = new Set<string>()
  const body = (index: number): void => { if (index >= 0) ids.add(world.bodies[index]!.id) }
  for (const { element, firstRow } of island.joints) {
    const rows = share.subarray(firstRow, firstRow + element.constraint.rows)
    if (rows.some(value => value > least)) ids.add(element.constraint.id)
  }
  island.limits.forEach((limit, i) => { if (share[island.limitRow[i]!]! > least) ids.add(limit.element.constraint.id) })
  island.points.forEach((point, i) => {
    if (share[island.pointRow[i]!]! <= least) return
    body(point.bodyA)
    body(point.bodyB)
  })
  return [...ids]
}

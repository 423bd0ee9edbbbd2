/** The number of independent rows of conditions on particles: the rank of J √W, by Gram–Schmidt with reorthogonalisation. */

import type { Condition } from '../condition'
import { elementWorkspace } from '../energy'

/** × its own size: what is left of a row that follows from others, after rounding. */
const DEPENDENT = 1e-8

export interface Rank {
  /** Adds all rows of a condition. @returns the number of them that do not follow from those before */
  add(condition: Condition): number
}

/** @param inverseMasses 1/kg, 0 for held particles; @param x positions, m */
export function rankAt(inverseMasses: Float64Array, x: Float64Array): Rank {
  /** Orthonormal rows, by the columns in which they are not 0, and the rows at each column. */
  const basis: Map<number, number>[] = []
  const at = new Map<number, number[]>()
  const root = Float64Array.from(inverseMasses, Math.sqrt)
  return {
    add(condition) {
      const { count, rows, arity, vertices } = condition
      const { C, J } = elementWorkspace([condition])
      const width = 3 * arity
      let added = 0
      for (let e = 0; e < count; e++) {
        condition.evaluate(e, x, C, J)
        const scaled = J.subarray(0, rows * width).map((value, k) => value * root[vertices[e * arity + Math.floor(k / 3) % arity]!]!)
        const largest = scaled.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
        for (let r = 0; r < rows; r++) {
          const row = new Map<number, number>()
          for (let k = 0; k < width; k++) {
            const value = scaled[r * width + k]!
            if (value !== 0) row.set(3 * vertices[e * arity + Math.floor(k / 3)]! + k % 3, value)
          }
          if (!orthogonalise(row, basis, at, DEPENDENT * largest)) continue
          for (const column of row.keys()) at.set(column, [...at.get(column) ?? [], basis.length])
          basis.push(row)
          added++
        }
      }
      return added
    },
  }
}

/** Subtracts from a row its parts along the basis, and normalises the rest. @returns whether more than `least` is left */
function orthogonalise(row: Map<number, number>, basis: readonly Map<number, number>[], at: ReadonlyMap<number, readonly number[]>, least: number): boolean {
  for (let round = 0; round < 2; round++) {
    // Rows that share a column with this one, and with those that were subtracted.
    const pending = [...new Set([...row.keys()].flatMap(column => at.get(column) ?? []))].sort((a, b) => a - b)
    const done = new Set<number>()
    for (let k = 0; k < pending.length; k++) {
      const b = pending[k]!
      if (done.has(b)) continue
      done.add(b)
      const other = basis[b]!
      let along = 0
      for (const [column, value] of other) along += value * (row.get(column) ?? 0)
      if (along === 0) continue
      for (const [column, value] of other) {
        if (!row.has(column)) pending.push(...(at.get(column) ?? []).filter(one => !done.has(one)))
        row.set(column, (row.get(column) ?? 0) - along * value)
      }
    }
  }
  let square = 0
  for (const value of row.values()) square += value * value
  const size = Math.sqrt(square)
  if (!(size > least)) return false
  for (const [column, value] of row) row.set(column, value / size)
  return true
}

/** Selects independent constraint rows: a box standing on four corners has twelve rows, of which six are independent. */

import { dot } from '../math/factor'
import { choleskyColumns } from '../math/semidefinite'

/** Pivots of the scaled J Jᵀ (diagonal 1) below this are dependent rows: rounding errors of the products are 1e-16. */
const DEPENDENT = 1e-12
/** Squared scales of coordinates below this share of the largest are rounding of normals and arms: no row acts along them. */
const UNTOUCHED = 1e-26

/** Share of a diagonal element without joints, which is the square of 1e-10 of a direction. */
const UNMOVED = 1e-20
/** Like `DEPENDENT`; the recursion along a tree of a hundred bodies has larger rounding errors than a product of two rows. */
const DEPENDENT_IN_TREES = 1e-10

/** Rows by their entries for each body, a half row of six. */
export interface SparseRows {
  /** First half of each row, with one more entry at the end. */
  readonly start: Int32Array
  /** By half: start of its body in a vector of motions. */
  readonly place: Int32Array
  /** By half: start of its six elements in `jacobian[source]`. */
  readonly offset: Int32Array
  readonly source: Uint8Array
  readonly jacobian: readonly Float64Array[]
  /** Length of a vector of motions: 6 doubles a body. */
  readonly size: number
}

/**
 * Independent rows, ascending. Only directions count, not masses.
 *
 * @param rank known number of independent rows; if absent, the pivots decide
 */
export function independentRows(sparse: SparseRows, rank?: number): Int32Array {
  const { jacobian, start, place, offset, source } = sparse
  const m = start.length - 1
  const D = coordinateScales(sparse)
  const scaled = new Float64Array(6 * place.length)
  for (let i = 0; i < m; i++) {
    let sum = 0
    for (let h = start[i]!; h < start[i + 1]!; h++) {
      for (let k = 0; k < 6; k++) {
        const value = jacobian[source[h]!]![offset[h]! + k]! * D[place[h]! + k]!
        scaled[6 * h + k] = value
        sum += value * value
      }
    }
    const length = sum > 0 ? 1 / Math.sqrt(sum) : 0
    for (let at = 6 * start[i]!; at < 6 * start[i + 1]!; at++) scaled[at] = scaled[at]! * length
  }
  const S = new Float64Array(m * m)
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let h = start[i]!; h < start[i + 1]!; h++) {
        for (let g = start[j]!; g < start[j + 1]!; g++) if (place[h] === place[g]) sum += dot(scaled, 6 * h, scaled, 6 * g, 6)
      }
      S[i * m + j] = S[j * m + i] = sum
    }
  }
  return choleskyColumns(S, m, rank === undefined ? DEPENDENT : 0, rank ?? m).pivots.slice().sort()
}

/**
 * The same by J M⁻¹ Jᵀ, for rows on bodies with fewer than six degrees of freedom because of joints.
 *
 * @param A of all rows, size × size
 * @param loose diagonal of A without those joints: diagonal elements of A that are rounding errors relative to it belong to rows without mobility
 */
export function independentByMass(A: Float64Array, size: number, rows: Int32Array, loose: (row: number) => number, rank?: number): Int32Array {
  const m = rows.length
  const scale = Float64Array.from(rows, row => A[row * size + row]! > UNMOVED * loose(row) ? 1 / Math.sqrt(A[row * size + row]!) : 0)
  const S = new Float64Array(m * m)
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) S[i * m + j] = A[rows[i]! * size + rows[j]!]! * scale[i]! * scale[j]!
  return choleskyColumns(S, m, rank === undefined ? DEPENDENT_IN_TREES : 0, rank ?? m).pivots.slice().sort()
}

/** 1/√(squared size) of each coordinate, 0 where no row acts; lengths and angles are compared with their own kind. */
function coordinateScales({ jacobian, place, offset, source, size }: SparseRows): Float64Array {
  const D = new Float64Array(size)
  for (let h = 0; h < place.length; h++) {
    for (let k = 0; k < 6; k++) {
      const value = jacobian[source[h]!]![offset[h]! + k]!
      D[place[h]! + k] = D[place[h]! + k]! + value * value
    }
  }
  const largest = [0, 0]
  const kind = (k: number): number => (k % 6 < 3 ? 0 : 1)
  for (let k = 0; k < size; k++) largest[kind(k)] = Math.max(largest[kind(k)]!, D[k]!)
  return D.map((value, k) => value > UNTOUCHED * largest[kind(k)]! ? 1 / Math.sqrt(value) : 0)
}

/** Which rows of a set of constraints are independent of the others: the four corners of a box that stands hold it by twelve rows, of which six count. */

import { dot } from '../math/factor'
import { choleskyColumns } from '../math/semidefinite'

/** Pivots of the scaled J Jᵀ (diagonal 1) below this are dependent rows: rounding of a product of rows is 1e-16. */
const DEPENDENT = 1e-12
/** Squared sizes of coordinates below this share of the largest are rounding of normals and arms: no row acts along them. */
const UNTOUCHED = 1e-26

/** Share of a diagonal element without joints, which is the square of 1e-10 of a direction. */
const UNMOVED = 1e-20
/** As `DEPENDENT`; the passes along a tree of a hundred bodies round more than a product of two rows. */
const DEPENDENT_IN_TREES = 1e-10

/** Rows by their entries for each body, a half row of six. */
export interface SparseRows {
  /** First half of each row, and behind the last. */
  readonly start: Int32Array
  /** Of each half: start of its body in a vector of motions. */
  readonly place: Int32Array
  /** Of each half: where its six elements begin in `jacobian[source]`. */
  readonly offset: Int32Array
  readonly source: Uint8Array
  readonly jacobian: readonly Float64Array[]
  /** Of a vector of motions: 6 doubles a body. */
  readonly size: number
}

/**
 * Independent ones among the rows, ascending. Masses do not count, only directions.
 *
 * @param rank how many to find, known from before; those that stand out most while they are independent, when absent
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
 * The same by J M⁻¹ Jᵀ, for rows on bodies that joints leave fewer freedoms than six.
 *
 * @param A of all rows, size × size
 * @param loose element of A on the diagonal as it would be without those joints: what is no more than rounding of it is a row that nothing can move along
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

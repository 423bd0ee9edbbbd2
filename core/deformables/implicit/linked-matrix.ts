/**
 * The direct factor of a stage's matrix with what links add to it. Links couple blocks that the elements do not; the pattern grows by these, and what has not
 * been needed for a while is left out when it grows next. While the pattern stands, its order of elimination does.
 */

import { blockAt, blockLDL, blockMatrix, blockPattern, holdRows, type BlockLDL, type BlockMatrix } from '../../sparse'

/** What has a part of the matrix. */
export interface MatrixPart {
  /** Tells its blocks, i ≥ j, row-major. @returns whether `add` was always true */
  addBlocks(add: (i: number, j: number, block: Float64Array) => boolean): boolean
}

export interface LinkedMatrix {
  /** @returns whether base and links together are positive definite */
  factor(base: BlockMatrix, links: MatrixPart): boolean
  solve(b: Float64Array): void
}

/** Factorisations after which a coupling that is not needed is left out of the next pattern. */
const KEPT = 40

/** A pivot smaller than this × its diagonal element is rounding. */
const PIVOT = 1e-13

export function linkedMatrix(held: Uint8Array, bare: BlockLDL): LinkedMatrix {
  let matrix: BlockMatrix | null = null
  let direct = bare
  /** Where each block of the base stands. */
  let places = new Int32Array(0)
  /** Couplings beyond the base, i n + j, and when each was needed last. */
  const needed = new Map<number, number>()
  let round = 0

  function grow(base: BlockMatrix): void {
    const { n } = base
    for (const [key, last] of needed) if (last < round - KEPT) needed.delete(key)
    const own: number[] = []
    for (let i = 0; i < n; i++) for (let k = base.starts[i]!; k < base.starts[i + 1]!; k++) if (base.columns[k] !== i) own.push(i, base.columns[k]!)
    for (const key of needed.keys()) own.push(Math.floor(key / n), key % n)
    matrix = blockMatrix(blockPattern(n, [{ arity: 2, vertices: Int32Array.from(own) }]))
    direct = blockLDL(matrix)
    place(base)
  }

  function place(base: BlockMatrix): void {
    const { n } = base
    places = new Int32Array(base.columns.length)
    for (let i = 0; i < n; i++) for (let k = base.starts[i]!; k < base.starts[i + 1]!; k++) places[k] = blockAt(matrix!, i, base.columns[k]!)
  }

  return {
    factor(base, links) {
      round++
      if (matrix === null) {
        matrix = blockMatrix(base)
        place(base)
      }
      for (;;) {
        const { values } = matrix
        values.fill(0)
        for (let k = 0; k < places.length; k++) {
          const to = 9 * places[k]!
          for (let e = 0; e < 9; e++) values[to + e] = base.values[9 * k + e]!
        }
        let whole = true
        links.addBlocks((i, j, block) => {
          const at = blockAt(matrix!, i, j)
          if (i !== j && !held[i] && !held[j] && blockAt(base, i, j) < 0) needed.set(i * base.n + j, round)
          if (at < 0) {
            whole = whole && (held[i] !== 0 || held[j] !== 0)
            return true
          }
          for (let e = 0; e < 9; e++) values[9 * at + e]! += block[e]!
          return true
        })
        if (whole) break
        grow(base)
      }
      holdRows(matrix, held)
      return direct.factor(matrix, PIVOT) && direct.negatives === 0
    },
    solve: b => { direct.solve(b) },
  }
}

/**
 * The direct factorisation of a stage's matrix together with its links. Links couple blocks that the elements do not couple, so the pattern grows by
 * them. Couplings not used for a while are dropped the next time the pattern grows. The elimination order is kept as long as the pattern is.
 */

import { blockAt, blockLDL, blockMatrix, blockPattern, holdRows, type BlockLDL, type BlockMatrix } from '../../sparse'

/** Contributes blocks to the matrix. */
export interface MatrixPart {
  /** Passes its blocks to `add`, i ≥ j, row-major. @returns whether `add` always returned true */
  addBlocks(add: (i: number, j: number, block: Float64Array) => boolean): boolean
}

export interface LinkedMatrix {
  /** Number of negative pivots of the last factorisation. */
  readonly negatives: number
  /**
   * @param saddle false: ends at the first negative pivot
   * @returns whether the sum of base and links was factored, and no pivot was lost in rounding
   */
  factor(base: BlockMatrix, links: MatrixPart, saddle: boolean): boolean
  solve(b: Float64Array): void
}

/** Factorisations after which an unused coupling is dropped from the next pattern. */
const KEPT = 40

/** A pivot smaller than this × its diagonal element is a rounding error. */
export const PIVOT = 1e-13

export function linkedMatrix(held: Uint8Array, bare: BlockLDL): LinkedMatrix {
  let matrix: BlockMatrix | null = null
  let direct = bare
  /** Position of each block of the base in the pattern. */
  let places = new Int32Array(0)
  /** By block of the pattern: 1 if the base does not have it. */
  let added = new Uint8Array(0)
  /** By block of the pattern: the factorisation that last used it as a coupling beyond the base. */
  let used = new Int32Array(0)
  /** Couplings that the pattern lacks, i n + j. */
  const missing = new Set<number>()
  let round = 0

  function grow(base: BlockMatrix): void {
    const { n } = base
    const own: number[] = []
    /** Couplings to keep, and the factorisations that last used them. */
    const kept: [key: number, last: number][] = [...missing].map(key => [key, round])
    missing.clear()
    for (let i = 0; i < n; i++) {
      for (let k = matrix!.starts[i]!; k < matrix!.starts[i + 1]!; k++) {
        if (used[k]! > 0 && used[k]! >= round - KEPT) kept.push([i * n + matrix!.columns[k]!, used[k]!])
      }
    }
    for (let i = 0; i < n; i++) for (let k = base.starts[i]!; k < base.starts[i + 1]!; k++) if (base.columns[k] !== i) own.push(i, base.columns[k]!)
    for (const [key] of kept) own.push(Math.floor(key / n), key % n)
    matrix = blockMatrix(blockPattern(n, [{ arity: 2, vertices: Int32Array.from(own) }]))
    direct = blockLDL(matrix)
    place(base)
    for (const [key, last] of kept) used[blockAt(matrix, Math.floor(key / n), key % n)] = last
  }

  function place(base: BlockMatrix): void {
    const { n } = base
    places = new Int32Array(base.columns.length)
    added = new Uint8Array(matrix!.columns.length).fill(1)
    used = new Int32Array(matrix!.columns.length)
    for (let i = 0; i < n; i++) {
      for (let k = base.starts[i]!; k < base.starts[i + 1]!; k++) {
        places[k] = blockAt(matrix!, i, base.columns[k]!)
        added[places[k]!] = 0
      }
    }
  }

  return {
    get negatives() { return direct.negatives },
    factor(base, links, saddle) {
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
          if (at < 0) {
            if (held[i] !== 0 || held[j] !== 0) return true
            missing.add(i * base.n + j)
            whole = false
            return true
          }
          if (added[at] === 1 && i !== j && held[i] === 0 && held[j] === 0) used[at] = round
          for (let e = 0; e < 9; e++) values[9 * at + e]! += block[e]!
          return true
        })
        if (whole) break
        grow(base)
      }
      holdRows(matrix, held)
      return direct.factor(matrix, PIVOT, saddle)
    },
    solve: b => { direct.solve(b) },
  }
}

/** Off-diagonal blocks of pairs that change from one matrix to the next, beside a matrix with a fixed pattern. */

export class PairBlocks {
  count = 0
  private readonly rows: number[] = []
  private readonly columns: number[] = []
  private values = new Float64Array(0)

  clear(): void {
    this.count = 0
  }

  /** @param i > j; the block is row-major */
  push(i: number, j: number, block: Float64Array): void {
    const k = this.count++
    if (9 * this.count > this.values.length) {
      const larger = new Float64Array(Math.max(9 * 64, 2 * this.values.length))
      larger.set(this.values)
      this.values = larger
    }
    this.rows[k] = i
    this.columns[k] = j
    this.values.set(block, 9 * k)
  }

  addBlocks(add: (i: number, j: number, block: Float64Array) => boolean): boolean {
    let whole = true
    for (let k = 0; k < this.count; k++) whole = add(this.rows[k]!, this.columns[k]!, this.values.subarray(9 * k, 9 * k + 9)) && whole
    return whole
  }

  /** Adds the product with x to y: each block and, above the diagonal, its transpose. */
  addProduct(x: Float64Array, y: Float64Array): void {
    const { values } = this
    for (let k = 0; k < this.count; k++) {
      const i = 3 * this.rows[k]!
      const j = 3 * this.columns[k]!
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          const value = values[9 * k + 3 * r + c]!
          y[i + r]! += value * x[j + c]!
          y[j + c]! += value * x[i + r]!
        }
      }
    }
  }
}

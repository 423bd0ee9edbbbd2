/** Columns of a table, and batches of rows to be written: one reused array per column. */

/** 64-bit floating-point numbers, 32-bit integers, texts. */
export type ColumnKind = 'real' | 'integer' | 'text'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  /** As in `m/s`; empty for dimensionless numbers. */
  readonly unit: string
  /**
   * Cells may be missing: NaN in columns of reals, the empty text in columns of texts. Written as an empty cell (CSV), null (Parquet), or
   * unchanged (NPY, which has no nulls). In other columns NaN is a value.
   */
  readonly optional?: boolean
}

/** Metadata of a table: texts by key, stored if the format supports it. */
export type TableMetadata = Readonly<Record<string, string>>

export type ColumnData = Float64Array | Int32Array | string[]

/** Rows to be written. `length` of `capacity` rows are filled. */
export class Batch {
  length = 0
  /** In the order of `columns`. */
  readonly data: readonly ColumnData[]

  /** @param capacity maximum number of rows */
  constructor(readonly columns: readonly Column[], readonly capacity: number) {
    this.data = columns.map(({ kind }) => (kind === 'real' ? new Float64Array(capacity) : kind === 'integer' ? new Int32Array(capacity) : new Array<string>(capacity).fill('')))
  }

  get full(): boolean {
    return this.length === this.capacity
  }

  /**
   * Appends one row, with one cell per column.
   * @throws RangeError if the batch is full, cells are missing, or a cell does not fit its column
   */
  push(cells: readonly (number | string)[]): void {
    if (this.full) throw new RangeError(`A batch of ${this.capacity} rows is full.`)
    if (cells.length !== this.columns.length) throw new RangeError(`A row has ${cells.length} cells; there are ${this.columns.length} columns.`)
    cells.forEach((cell, k) => {
      const { name, kind } = this.columns[k]!
      const fits = kind === 'text' ? typeof cell === 'string' : typeof cell === 'number' && (kind === 'real' || (cell | 0) === cell)
      if (!fits) throw new RangeError(`${JSON.stringify(cell)} is no ${kind} for the column "${name}".`)
      this.data[k]![this.length] = cell as never
    })
    this.length++
  }

  clear(): void {
    this.length = 0
  }
}

/** Writes a table from its first row to its last. */
export interface TableWriter {
  /** Writes the rows of a batch, which may be refilled once this resolves. */
  append(batch: Batch): Promise<void>
  /** Writes the end of the table. The sink stays open for its owner. */
  finish(): Promise<void>
}

/** With the unit, as in `position_x [m]`; the name alone without one. */
export function columnTitle({ name, unit }: Column): string {
  return unit === '' ? name : `${name} [${unit}]`
}

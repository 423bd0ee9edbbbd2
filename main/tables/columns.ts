/** Columns of a table and the rows that wait to be written: plain arrays, one a column, filled again and again. */

/** Numbers (64-bit floating point), whole numbers (32-bit), texts. */
export type ColumnKind = 'real' | 'integer' | 'text'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  /** As in `m/s`; empty where the numbers have none. */
  readonly unit: string
  /**
   * Some rows have nothing here: NaN in a column of reals, the empty text in one of texts. Written as nothing (CSV), as a null (Parquet), and as it is (NPY,
   * which knows no nulls). In other columns NaN is a value.
   */
  readonly optional?: boolean
}

/** What a table says of itself besides its columns: plain texts by key, kept where the format has a place for them. */
export type TableMetadata = Readonly<Record<string, string>>

export type ColumnData = Float64Array | Int32Array | string[]

/** Rows on their way into a file. `length` of `capacity` rows are there. */
export class Batch {
  length = 0
  /** In the order of `columns`. */
  readonly data: readonly ColumnData[]

  /** @param capacity rows that it holds at most */
  constructor(readonly columns: readonly Column[], readonly capacity: number) {
    this.data = columns.map(({ kind }) => (kind === 'real' ? new Float64Array(capacity) : kind === 'integer' ? new Int32Array(capacity) : new Array<string>(capacity).fill('')))
  }

  get full(): boolean {
    return this.length === this.capacity
  }

  /**
   * One row, a cell a column.
   * @throws RangeError where the batch is full, cells are missing, or a cell does not fit its column
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
  /** Takes the rows of a batch, which may be filled anew as soon as this resolves. */
  append(batch: Batch): Promise<void>
  /** Writes what comes after the last row. The sink stays open: its owner ends it. */
  finish(): Promise<void>
}

/** With its unit, as in `position_x [m]`; as it is without one. */
export function columnTitle({ name, unit }: Column): string {
  return unit === '' ? name : `${name} [${unit}]`
}

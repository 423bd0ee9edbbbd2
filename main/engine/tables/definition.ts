/** Definition of a run's table: columns, and the number of rows and cells that each recorded message gives. */
import { Batch, batchRows, type Column } from '../../tables'
import type { TrajectoryReader } from '../reader'

export interface ColumnOf<Item> extends Column {
  /** The cell of the item's row `k`. */
  read(item: Item, k: number): number | string
}

export interface TableOf<Item> {
  readonly columns: readonly ColumnOf<Item>[]
  items(reader: TrajectoryReader): Iterable<Item>
  rows(item: Item): number
}

/** A table of any kind of messages. */
export interface RunTable {
  readonly columns: readonly Column[]
  /** Each batch is valid until the next one is requested. @throws TrajectoryFileError if the file is damaged */
  batches(reader: TrajectoryReader, capacity?: number): Iterable<Batch>
}

/** Fills one column after another for as many rows as fit, so that the data read stay in the processor's cache. */
export function runTable<Item>(table: TableOf<Item>): RunTable {
  const { columns } = table
  return {
    columns,
    *batches(reader, capacity = batchRows) {
      const batch = new Batch(columns, capacity)
      for (const item of table.items(reader)) {
        const rows = table.rows(item)
        for (let from = 0; from < rows;) {
          const count = Math.min(rows - from, capacity - batch.length)
          for (let k = 0; k < columns.length; k++) {
            const column = columns[k]!
            const data = batch.data[k]! as (number | string)[]
            for (let i = 0; i < count; i++) data[batch.length + i] = column.read(item, from + i)
          }
          batch.length += count
          from += count
          if (!batch.full) continue
          yield batch
          batch.clear()
        }
      }
      if (batch.length > 0) yield batch
    },
  }
}

export const real = <Item>(name: string, unit: string, read: (item: Item, k: number) => number, optional = false): ColumnOf<Item> =>
  ({ name, kind: 'real', unit, read, ...(optional ? { optional } : {}) })

export const integer = <Item>(name: string, read: (item: Item, k: number) => number): ColumnOf<Item> => ({ name, kind: 'integer', unit: '', read })

export const text = <Item>(name: string, read: (item: Item, k: number) => string, optional = false): ColumnOf<Item> =>
  ({ name, kind: 'text', unit: '', read, ...(optional ? { optional } : {}) })

interface Packing { readonly stride?: number; readonly offset?: number; readonly optional?: boolean }

/** Components of a vector in a packed array of `stride` numbers a row, from `offset` on. */
export function vector<Item>(name: string, unit: string, packed: (item: Item) => ArrayLike<number>, packing: Packing = {}): ColumnOf<Item>[] {
  const { stride = 3, offset = 0, optional = false } = packing
  return ['x', 'y', 'z'].map((axis, n) => real(`${name}_${axis}`, unit, (item, k) => packed(item)[stride * k + offset + n] ?? NaN, optional))
}

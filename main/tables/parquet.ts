/**
 * Apache Parquet by hyparquet-writer, one row group per batch, so that memory use does not grow with the table. Reals are stored plain, bit for bit:
 * a dictionary would merge 0 and −0. Units are in the file's key-value metadata under `units`, as JSON by column.
 */
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter as Encoder } from 'hyparquet-writer'
import type { Batch, Column, ColumnData, TableMetadata, TableWriter } from './columns'
import type { ByteSink } from './sink'

/** Initial size of the encoder's buffer, bytes. */
const firstBuffer = 1 << 20

export class ParquetWriter implements TableWriter {
  private readonly bytes = new ByteWriter(firstBuffer)
  private readonly encoder: Encoder

  constructor(private readonly sink: ByteSink, private readonly columns: readonly Column[], metadata: TableMetadata = {}) {
    const units = Object.fromEntries(columns.filter(({ unit }) => unit !== '').map(({ name, unit }) => [name, unit]))
    this.encoder = new Encoder({
      writer: this.bytes, schema: schemaOf(columns), createdBy: 'cairn',
      kvMetadata: [...Object.entries(metadata), ['units', JSON.stringify(units)] as const].map(([key, value]) => ({ key, value })),
    })
  }

  async append(batch: Batch): Promise<void> {
    if (batch.length === 0) return
    const columnData = this.columns.map((column, k) => ({
      name: column.name, data: cells(column, batch.data[k]!, batch.length), offsetIndex: false, ...(column.kind === 'real' ? { encoding: 'PLAIN' as const } : {}),
    }))
    await this.encoder.write({ columnData, rowGroupSize: batch.length })
    await this.flush()
  }

  async finish(): Promise<void> {
    await this.encoder.finish()
    await this.flush()
  }

  private async flush(): Promise<void> {
    await this.sink.write(this.bytes.getBytes())
    this.bytes.index = 0
  }
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.map(({ name, kind, optional }): SchemaElement => ({
    name, repetition_type: optional ? 'OPTIONAL' : 'REQUIRED',
    ...(kind === 'real' ? { type: 'DOUBLE' } : kind === 'integer' ? { type: 'INT32' } : { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }),
  }))]
}

/** The filled rows, with nulls for missing values of optional columns. */
function cells({ optional }: Column, data: ColumnData, length: number): Float64Array | Int32Array | (string | number | null)[] {
  if (Array.isArray(data)) return optional ? Array.from({ length }, (_, row) => (data[row] === '' ? null : data[row]!)) : data.slice(0, length)
  const present = data.subarray(0, length)
  return optional && present.some(Number.isNaN) ? Array.from(present, value => (Number.isNaN(value) ? null : value)) : present
}

/** Tables for notebooks and databases: columns with units, streamed to CSV, NPY or Parquet. */
import { CsvWriter } from './csv'
import { NpyMeasure, NpyWriter } from './npy'
import { ParquetWriter } from './parquet'
import type { Batch, Column, TableMetadata, TableWriter } from './columns'
import type { ByteSink } from './sink'
import type { TableFormat } from '../protocol/runs'

export { Batch, columnTitle, type Column, type ColumnData, type ColumnKind, type TableMetadata, type TableWriter } from './columns'
export { CsvWriter, csvMetadata } from './csv'
export { NpyMeasure, NpyWriter, type NpyShape } from './npy'
export { ParquetWriter } from './parquet'
export { FileSink, MemorySink, StreamSink, type ByteSink } from './sink'

export { TABLE_FORMATS as tableFormats, type TableFormat } from '../protocol/runs'

/** Rows per batch: one group of a Parquet file, 20 MB at forty columns. */
export const batchRows = 1 << 16

/** A table whose rows can be iterated repeatedly. */
export interface TableSource {
  readonly columns: readonly Column[]
  readonly metadata: TableMetadata
  /** Each batch is valid until the next one is requested. */
  batches(): Iterable<Batch> | AsyncIterable<Batch>
}

/**
 * Writes a whole table and ends the sink; after an error no partial file is left.
 * @throws HostError from the sink, and whatever the source throws
 */
export async function writeTable(source: TableSource, format: TableFormat, sink: ByteSink): Promise<void> {
  try {
    const writer = await writerFor(source, format, sink)
    for await (const batch of source.batches()) await writer.append(batch)
    await writer.finish()
    await sink.end()
  } catch (error) {
    sink.abandon()
    throw error
  }
}

async function writerFor(source: TableSource, format: TableFormat, sink: ByteSink): Promise<TableWriter> {
  switch (format) {
    case 'csv': return new CsvWriter(sink, source.columns)
    case 'parquet': return new ParquetWriter(sink, source.columns, source.metadata)
    case 'npy': {
      const measure = new NpyMeasure(source.columns)
      for await (const batch of source.batches()) await measure.append(batch)
      return new NpyWriter(sink, source.columns, measure.shape)
    }
  }
}

/** Comma-separated values [RFC 4180, with line feeds]: numbers with all digits, empty cells for missing values. */
import { columnTitle, type Batch, type Column, type TableMetadata, type TableWriter } from './columns'
import type { ByteSink } from './sink'

/** Characters encoded at once. */
const pieceLength = 1 << 16

/** The first line has the names of the columns; units are in `csvMetadata`. */
export class CsvWriter implements TableWriter {
  private begun = false

  constructor(private readonly sink: Pick<ByteSink, 'write'>, private readonly columns: readonly Column[]) {}

  async append(batch: Batch): Promise<void> {
    await this.begin()
    let text = ''
    for (let row = 0; row < batch.length; row++) {
      for (let k = 0; k < this.columns.length; k++) text += (k === 0 ? '' : ',') + cell(batch.data[k]![row]!)
      text += '\n'
      if (text.length < pieceLength) continue
      await this.sink.write(Buffer.from(text, 'utf8'))
      text = ''
    }
    if (text !== '') await this.sink.write(Buffer.from(text, 'utf8'))
  }

  finish(): Promise<void> {
    return this.begin()
  }

  private async begin(): Promise<void> {
    if (this.begun) return
    this.begun = true
    await this.sink.write(Buffer.from(`${this.columns.map(({ name }) => cell(name)).join(',')}\n`, 'utf8'))
  }
}

function cell(value: number | string): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : Object.is(value, -0) ? '-0' : String(value)
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const datatypes = { real: 'double', integer: 'int', text: 'string' } as const

/**
 * Metadata for readers as JSON, for the file `<name>-metadata.json` beside the CSV [W3C, Model for Tabular Data and Metadata on the Web, §5.3]: kind
 * and unit of each column, and the table's own metadata.
 * @param file name of the CSV file, without its folder
 */
export function csvMetadata(file: string, columns: readonly Column[], metadata: TableMetadata): string {
  const description = {
    '@context': 'http://www.w3.org/ns/csvw', 'url': file,
    'tableSchema': {
      columns: columns.map(column => ({
        name: column.name, titles: column.name, datatype: datatypes[column.kind], ...(column.unit === '' ? {} : { 'dc:description': columnTitle(column), 'schema:unitText': column.unit }),
      })),
    },
    ...Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`schema:${key}`, value])),
  }
  return `${JSON.stringify(description, null, 2)}\n`
}

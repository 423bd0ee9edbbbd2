/**
 * NumPy's own format, version 2 [numpy/lib/format.py]: a structured array with one field per column. The title of a field is its name with the unit, so
 * `array.dtype.fields['gap'][2]` is `gap [m]`. Texts are UCS-4 of the width of the longest one. The number of rows and the widths of texts
 * must be known before the first row is written, so a streamed table is iterated twice.
 */
import { columnTitle, type Batch, type Column, type TableWriter } from './columns'
import type { ByteSink } from './sink'

export interface NpyShape {
  readonly rows: number
  /** Code points of the longest text of each column, at least 1; 0 for numbers. */
  readonly widths: readonly number[]
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0]
/** Alignment of the data's start [format.py, ARRAY_ALIGN]. */
const alignment = 64
const bytesOf = { real: 8, integer: 4 } as const
/** Bytes per write. */
const pieceBytes = 1 << 20

/** Iterates over a table without writing, to determine its shape. */
export class NpyMeasure implements TableWriter {
  private rows = 0
  private readonly widths: number[]

  constructor(private readonly columns: readonly Column[]) {
    this.widths = columns.map(({ kind }) => (kind === 'text' ? 1 : 0))
  }

  async append(batch: Batch): Promise<void> {
    this.rows += batch.length
    this.columns.forEach(({ kind }, k) => {
      if (kind !== 'text') return
      const texts = batch.data[k] as string[]
      for (let row = 0; row < batch.length; row++) if (texts[row]!.length > this.widths[k]!) this.widths[k] = Math.max(this.widths[k]!, [...texts[row]!].length)
    })
  }

  async finish(): Promise<void> {
    // Nothing comes after the last row.
  }

  get shape(): NpyShape {
    return { rows: this.rows, widths: this.widths }
  }
}

export class NpyWriter implements TableWriter {
  private readonly rowBytes: number
  private begun = false
  private rows = 0

  constructor(private readonly sink: ByteSink, private readonly columns: readonly Column[], private readonly shape: NpyShape) {
    this.rowBytes = columns.reduce((sum, { kind }, k) => sum + (kind === 'text' ? 4 * shape.widths[k]! : bytesOf[kind]), 0)
  }

  async append(batch: Batch): Promise<void> {
    await this.begin()
    this.rows += batch.length
    const perPiece = Math.max(1, Math.floor(pieceBytes / this.rowBytes))
    for (let from = 0; from < batch.length; from += perPiece) await this.sink.write(this.encode(batch, from, Math.min(batch.length, from + perPiece)))
  }

  /** @throws RangeError if the number of rows differs from the shape */
  async finish(): Promise<void> {
    await this.begin()
    if (this.rows !== this.shape.rows) throw new RangeError(`The table has ${this.rows} rows; ${this.shape.rows} were promised.`)
  }

  private encode(batch: Batch, from: number, to: number): Uint8Array {
    const bytes = new Uint8Array((to - from) * this.rowBytes)
    const view = new DataView(bytes.buffer)
    let offset = 0
    this.columns.forEach(({ kind }, k) => {
      const values = batch.data[k]!
      const width = this.shape.widths[k]!
      for (let row = from, at = offset; row < to; row++, at += this.rowBytes) {
        if (kind === 'real') view.setFloat64(at, values[row] as number, true)
        else if (kind === 'integer') view.setInt32(at, values[row] as number, true)
        else [...values[row] as string].slice(0, width).forEach((character, n) => view.setUint32(at + 4 * n, character.codePointAt(0)!, true))
      }
      offset += kind === 'text' ? 4 * width : bytesOf[kind]
    })
    return bytes
  }

  private async begin(): Promise<void> {
    if (this.begun) return
    this.begun = true
    await this.sink.write(header(this.columns, this.shape))
  }
}

function header(columns: readonly Column[], { rows, widths }: NpyShape): Uint8Array {
  const fields = columns.map((column, k) => {
    const type = column.kind === 'real' ? '<f8' : column.kind === 'integer' ? '<i4' : `<U${widths[k]}`
    const name = column.unit === '' ? quoted(column.name) : `(${quoted(columnTitle(column))}, ${quoted(column.name)})`
    return `(${name}, '${type}')`
  })
  const text = `{'descr': [${fields.join(', ')}], 'fortran_order': False, 'shape': (${rows},), }`
  const before = magic.length + 4
  const unpadded = before + Buffer.byteLength(text, 'latin1') + 1
  const padded = Buffer.from(`${text}${' '.repeat((alignment - unpadded % alignment) % alignment)}\n`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(padded.length)
  return Buffer.concat([Buffer.from(magic), length, padded])
}

/** A Python string literal; characters beyond Latin-1, which version 2 cannot hold, are escaped. */
function quoted(text: string): string {
  const escaped = [...text].map(character => {
    const code = character.codePointAt(0)!
    if (character === '\\' || character === '\'') return `\\${character}`
    if (code < 0x20) return `\\x${code.toString(16).padStart(2, '0')}`
    return code < 0x100 ? character : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return `'${escaped.join('')}'`
}

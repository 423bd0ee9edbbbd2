/**
 * Height fields of a model [MuJoCo XML reference: asset/hfield]: heights in the element, in a PNG picture, or in MuJoCo's binary file. MuJoCo shifts and
 * scales them to 0 … 1 × the elevation; the first row of elements and pictures is at the greatest y, that of binary files at the lowest.
 */

import type { Resolve } from '../../format'
import { FormatError } from '../../shared/error'
import { MOST_HEIGHTS, thinned, type HeightField } from '../../shared/height-field'
import type { Losses } from '../../shared/losses'
import { relativePath } from '../../shared/paths'
import { greyPng, isPng } from '../../shared/png'
import { attributeNumber, attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import type { Source } from './source'

interface Heights {
  readonly rows: number
  readonly columns: number
  /** The first row is at the lowest y. */
  readonly values: Float64Array
}

/** Numbers in a binary file or an element. */
const MOST_VALUES = 16_000_000

/** Height fields by name; the ones that cannot be used are missing, with a loss. @param folder of mesh files */
export function readHeightFields(source: Source, folder: string, resolve: Resolve, losses: Losses, missing: (name: string) => void): Map<string, HeightField> {
  const fields = new Map<string, HeightField>()
  for (const [key, node] of source.assets) {
    if (!key.startsWith('hfield\n')) continue
    const name = key.slice('hfield\n'.length)
    const where = placeOfNode(node)
    const size = attributeNumbers(node, 'size', 4)
    if (size === null || size.some(value => !(value > 0))) throw new FormatError('InvalidValue', where, 'A height field needs a size of 4 numbers greater than 0.', { value: size })
    const [x, y, elevation, base] = size as [number, number, number, number]
    const found = heightsOf(source, node, folder, resolve, losses, missing)
    if (found === null) continue
    const { columns, rows, values } = found
    const [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity])
    const unit = high > low ? elevation / (high - low) : 0
    const field: HeightField = { columns, rows, heights: values.map(value => (value - low) * unit), half: [x, y], base }
    const fewer = thinned(field)
    if (fewer) losses.add(where, `Height field "${name}" has ${columns} × ${rows} heights, of which at most ${MOST_HEIGHTS} are used`, `${fewer.field.columns} × ${fewer.field.rows} heights, interpolated`)
    fields.set(name, fewer?.field ?? field)
  }
  return fields
}

function heightsOf(source: Source, node: XmlNode, folder: string, resolve: Resolve, losses: Losses, missing: (name: string) => void): Heights | null {
  const where = placeOfNode(node)
  const file = node.attributes.get('file')
  if (file === undefined) {
    const [rows, columns] = [attributeNumber(node, 'nrow', 0), attributeNumber(node, 'ncol', 0)]
    requireGrid(rows, columns, where)
    const given = attributeNumbers(node, 'elevation')
    if (given !== null && given.length !== rows * columns) {
      throw new FormatError('InvalidValue', where, `elevation has ${given.length} numbers.`, { value: given.length, allowed: `${rows} × ${columns}` })
    }
    return { rows, columns, values: upsideDown(Float64Array.from(given ?? new Float64Array(rows * columns)), rows, columns) }
  }
  const stripped = source.flag('strippath', false) ? file.replaceAll('\\', '/').split('/').pop()! : file
  try {
    const path = relativePath(stripped, folder, where)
    const found = resolve(path)
    if (found === null) {
      missing(path)
      losses.add(where, `The height field "${file}" was not found`, 'the bodies without it')
      return null
    }
    const data = found.content
    if (typeof data === 'string') throw new FormatError('MalformedFile', where, 'The file is text.', { allowed: 'a PNG picture or MuJoCo\'s binary heights' })
    return isPng(data) ? fromPicture(data, where) : fromBinary(data, where)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    losses.add(where, `The height field "${file.slice(0, 200)}" cannot be used: ${error.message.replace(/\.$/, '')}`, 'the bodies without it')
    return null
  }
}

/** MuJoCo reads pictures with 8 bits. */
function fromPicture(data: Uint8Array, where: string): Heights {
  const { columns, rows, values } = greyPng(data, where)
  requireGrid(rows, columns, where)
  return { rows, columns, values: upsideDown(values.map(value => Math.floor(value * 255 + 1e-9)), rows, columns) }
}

/** Two integers of 32 bits, rows and columns, then the heights as single-precision numbers; little-endian. */
function fromBinary(data: Uint8Array, where: string): Heights {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (data.length < 8) throw new FormatError('MalformedFile', where, 'The file is too short.')
  const [rows, columns] = [view.getInt32(0, true), view.getInt32(4, true)]
  requireGrid(rows, columns, where)
  if (data.length !== 8 + 4 * rows * columns) throw new FormatError('MalformedFile', where, `The file has ${data.length} bytes.`, { allowed: `${8 + 4 * rows * columns}, for ${rows} × ${columns} heights` })
  const values = Float64Array.from({ length: rows * columns }, (_, k) => view.getFloat32(8 + 4 * k, true))
  if (!values.every(Number.isFinite)) throw new FormatError('MalformedFile', where, 'A height is not a finite number.')
  return { rows, columns, values }
}

function requireGrid(rows: number, columns: number, where: string): void {
  if (!Number.isInteger(rows) || !Number.isInteger(columns) || rows < 2 || columns < 2 || rows * columns > MOST_VALUES) {
    throw new FormatError('InvalidValue', where, `A height field of ${rows} × ${columns} heights.`, { allowed: `at least 2 × 2, at most ${MOST_VALUES} in all` })
  }
}

function upsideDown(values: Float64Array, rows: number, columns: number): Float64Array {
  return values.map((_, k) => values[(rows - 1 - Math.floor(k / columns)) * columns + k % columns]!)
}
